//! The command line's operator side: commands that work on shards and objects themselves, beside a running service.

use super::ServeFlags;
use super::flags::UNITS;
use clap::{Args, Subcommand};

const CHECK_EXIT_CODES: &str = "\
Exit codes:
  0  nothing is wrong
  1  something is: a line that begins with `wrong` says what
  2  the command line is wrong";

const TAKEDOWN_EXIT_CODES: &str = "\
Exit codes:
  0  nobody can read the paste any more
  1  there is no such paste, or nothing could be done, or more pastes than so many are without their text
  2  the command line is wrong
  3  open: taken down or not, nobody knows yet; run it again";

fn with_units(exit_codes: &str) -> String {
    format!("{UNITS}\n\n{exit_codes}")
}

/// The commands of whoever runs the service, with the flags of `serve`.
#[derive(Debug, Subcommand)]
pub enum OperatorCommand {
    /// Say what is wrong with shards and objects, a line each; changes nothing
    #[command(after_help = with_units(CHECK_EXIT_CODES))]
    Check(Box<CheckFlags>),
    /// Remove a paste without its delete token, or those whose text is gone
    #[command(after_help = with_units(TAKEDOWN_EXIT_CODES))]
    Takedown(Box<TakedownFlags>),
}

/// The flags of `check`.
#[derive(Debug, Args)]
pub struct CheckFlags {
    /// Compare every row with every object, too
    #[arg(long)]
    pub deep: bool,

    /// Where shards and objects are.
    #[command(flatten)]
    pub serve: ServeFlags,
}

/// The flags of `takedown`.
#[derive(Debug, Args)]
pub struct TakedownFlags {
    /// The paste's id, or any link to it
    #[arg(value_name = "ID_OR_URL", required_unless_present = "without_text")]
    pub paste: Option<String>,

    /// After a restore: every paste whose text is gone, if they are no more than so many
    #[arg(long, value_name = "NUMBER", conflicts_with = "paste")]
    pub without_text: Option<u32>,

    /// Where the shards are.
    #[command(flatten)]
    pub serve: ServeFlags,
}
