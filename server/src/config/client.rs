//! The command line's client side: the flags of `put`, `get`, `rm` and what they take from the environment.

use super::{BaseUrl, ConfigError, flags};
use clap::{Args, Subcommand};
use clap_complete::Shell;
use std::ffi::OsString;
use std::path::PathBuf;

/// The service when nothing says which: where plain `oncebin` listens.
pub const DEFAULT_SERVER: &str = "http://127.0.0.1:3000";

/// The variable that may hold a delete token, so that it stands in no list of processes.
pub(super) const DELETE_TOKEN: &str = "ONCEBIN_DELETE_TOKEN";

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  not done, and nothing is left open: the server said no, or a file could not be read or written
  2  the command line is wrong
  3  open: it may be saved or not; for a save, `oncebin put --resume` settles it";

/// The commands that talk to a service somewhere, and those that explain the program.
#[derive(Debug, Subcommand)]
pub enum ClientCommand {
    /// Save a file or standard input and print its link
    #[command(after_help = EXIT_CODES)]
    Put(PutFlags),
    /// Print the exact text of a paste
    #[command(after_help = EXIT_CODES)]
    Get(GetFlags),
    /// Delete a paste
    #[command(after_help = EXIT_CODES)]
    Rm(RmFlags),
    /// Print the completions of a shell
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Print the manual page, in roff
    Man {
        /// The page of this command alone
        command: Option<String>,
    },
}

/// Which service is meant.
#[derive(Clone, Debug, Args)]
pub struct ServerFlag {
    /// The service, such as `https://example.org/paste`
    #[arg(
        long,
        env = "ONCEBIN_SERVER",
        value_name = "URL",
        default_value = DEFAULT_SERVER
    )]
    pub server: BaseUrl,
}

/// The flags of `put`.
#[derive(Debug, Args)]
pub struct PutFlags {
    /// The text, UTF-8; without a file, or with -, standard input
    pub file: Option<PathBuf>,

    #[command(flatten)]
    pub server: ServerFlag,

    /// How long the paste lives: seconds, or a number with m, h or d [default: the server's]
    #[arg(long, value_name = "SPAN")]
    pub expires: Option<String>,

    /// The paste's title, at most 200 characters
    #[arg(long)]
    pub title: Option<String>,

    /// What it is written in: a name or file extension, or plain [default: the server guesses]
    #[arg(long)]
    pub syntax: Option<String>,

    /// Write the delete token here too, readable for you alone
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,

    /// Go on with saves that were cut short in the last 24 hours, each at the server it was sent to
    #[arg(long, conflicts_with_all = ["file", "expires", "title", "syntax", "token_file"])]
    pub resume: bool,
}

/// The flags of `get`.
#[derive(Debug, Args)]
pub struct GetFlags {
    /// The paste's id or link
    #[arg(value_name = "ID_OR_URL")]
    pub paste: String,

    #[command(flatten)]
    pub server: ServerFlag,
}

/// The flags of `rm`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The delete token comes from --token-file, else from the variable ONCEBIN_DELETE_TOKEN, else from what `oncebin put` kept.")]
pub struct RmFlags {
    /// The paste's id or link
    #[arg(value_name = "ID_OR_URL")]
    pub paste: String,

    /// The service; an id alone that was saved from here is deleted where it was saved
    #[arg(long, env = "ONCEBIN_SERVER", value_name = "URL")]
    pub server: Option<BaseUrl>,

    /// Where the delete token is; - for standard input
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
}

/// What the client takes from the environment beside its flags.
pub struct ClientEnvironment {
    /// Where keys, texts and tokens are kept; none when the environment names no home.
    pub state_folder: Option<PathBuf>,
    /// The variable with a delete token, as it stands there. A secret.
    pub delete_token: Option<OsString>,
}

impl std::fmt::Debug for ClientEnvironment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClientEnvironment")
            .field("state_folder", &self.state_folder)
            .finish_non_exhaustive()
    }
}

impl ClientEnvironment {
    /// Reads the environment.
    ///
    /// # Errors
    /// [`ConfigError`] for a variable with our prefix that nothing reads.
    pub fn read() -> Result<Self, ConfigError> {
        flags::refuse_unknown_variables(std::env::vars_os().map(|(name, _)| name))?;
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        // A relative path is not one, says the specification of these folders.
        let absolute = |name| {
            variable(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
        };
        let state_home = absolute("XDG_STATE_HOME")
            .or_else(|| absolute("HOME").map(|home| home.join(".local/state")));
        Ok(Self {
            state_folder: state_home.map(|home| home.join("oncebin")),
            delete_token: variable(DELETE_TOKEN),
        })
    }
}
