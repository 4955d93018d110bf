//! The command line. Every flag has a variable: `ONCEBIN_` and its name in capitals; the flag wins.

use super::client::{ClientCommand, DELETE_TOKEN};
use super::units::{Rate, Switch, address, contact, level, network, paste_bytes, span};
use super::{BaseUrl, ConfigError, ObjectsUrl, OperatorCommand, Shards};
use crate::pastes::{CREATE_DEADLINE, Policy, create_deadline};
use app::wire::limits::EXPIRY_SECONDS_MIN;
use clap::{Args, CommandFactory, Parser, Subcommand};
use ipnet::IpNet;
use std::ffi::{OsStr, OsString};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use tracing::Level;

/// The longest `--max-expiry`: a hundred years, so that every time has a date.
const MAX_EXPIRY_CEILING: Duration = Duration::from_secs(36_500 * 24 * 60 * 60);

/// How values are written.
pub(super) const UNITS: &str = "\
Values:
  ADDRESS   an IP address and a port, such as 127.0.0.1:3000 or [::]:3000; port 0 takes a free one
  SPAN      seconds, or a whole number with s, m, h or d, such as 40s or 30d
  SIZE      bytes, or a whole number with KiB or MiB, such as 10MiB
  RATE      a whole number from 1, or off
  SWITCH    on or off
  NETWORKS  networks or addresses, separated by commas, such as 10.0.0.0/8,::1";

/// oncebin: a pastebin where one save is one paste.
#[derive(Debug, Parser)]
#[command(name = "oncebin", version, args_conflicts_with_subcommands = true, after_help = UNITS)]
pub struct Cli {
    /// What to do; nothing is `serve`.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The flags of `serve`.
    #[command(flatten)]
    pub serve: ServeFlags,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the service (also what plain `oncebin` does)
    #[command(after_help = UNITS)]
    Serve(Box<ServeFlags>),
    /// Print the settings in force, secrets masked
    #[command(after_help = UNITS)]
    Config(Box<ServeFlags>),
    /// `put`, `get`, `rm` and what explains the program
    #[command(flatten)]
    Client(ClientCommand),
    /// `check` and `takedown`
    #[command(flatten)]
    Operator(OperatorCommand),
}

/// The flags of `serve`.
#[derive(Clone, Debug, Args)]
pub struct ServeFlags {
    /// Public address
    #[arg(
        long,
        env = "ONCEBIN_LISTEN",
        value_name = "ADDRESS",
        default_value = "127.0.0.1:3000",
        value_parser = address
    )]
    pub listen: SocketAddr,

    /// Address of the operator's pages: /metrics, and /livez and /readyz with detail
    #[arg(
        long,
        env = "ONCEBIN_ADMIN_LISTEN",
        value_name = "ADDRESS",
        default_value = "127.0.0.1:3001",
        value_parser = address
    )]
    pub admin_listen: SocketAddr,

    /// How links are written, such as `https://example.org/paste`; a path makes oncebin serve under it [default: http:// and the listen address]
    #[arg(long, env = "ONCEBIN_BASE_URL", value_name = "URL")]
    pub base_url: Option<BaseUrl>,

    /// Folder of the embedded default: shards/ and objects/
    #[arg(
        long,
        env = "ONCEBIN_DATA",
        value_name = "FOLDER",
        default_value = "oncebin-data"
    )]
    pub data: PathBuf,

    /// The slot map: database URLs separated by commas, slots divided evenly in order, or `0-99=URL,100-255=URL` [default: four SQLite files in the data folder]
    #[arg(
        long,
        env = "ONCEBIN_SHARDS",
        value_name = "URLS",
        hide_env_values = true
    )]
    pub shards: Option<String>,

    /// Where the text is: `file:///folder`, or `s3://bucket/prefix` with the usual `AWS_` variables for endpoint, region and credentials [default: objects/ in the data folder]
    #[arg(long, env = "ONCEBIN_OBJECTS", value_name = "URL")]
    pub objects: Option<ObjectsUrl>,

    /// Most bytes of a paste, 1 to 64MiB
    #[arg(long, env = "ONCEBIN_MAX_PASTE_BYTES", value_name = "SIZE", default_value = "10MiB", value_parser = paste_bytes)]
    pub max_paste_bytes: u64,

    /// How long a paste lives when its client does not say, from 60s to --max-expiry
    #[arg(long, env = "ONCEBIN_DEFAULT_EXPIRY", value_name = "SPAN", default_value = "30d", value_parser = span)]
    pub default_expiry: Duration,

    /// The longest life a client may ask for, from --default-expiry to 36500d
    #[arg(long, env = "ONCEBIN_MAX_EXPIRY", value_name = "SPAN", default_value = "365d", value_parser = span)]
    pub max_expiry: Duration,

    /// File with the template of CDN purges, the same for every server [default: there is no CDN]
    #[arg(long, env = "ONCEBIN_CDN_PURGE", value_name = "FILE")]
    pub cdn_purge: Option<PathBuf>,

    /// Age below which the reaper takes no object, from ten times what a save may take: 30s and 1s for each MiB of --max-paste-bytes [default: 1d]
    #[arg(long, env = "ONCEBIN_AGE_FLOOR", value_name = "SPAN", value_parser = span)]
    pub age_floor: Option<Duration>,

    /// Whether the reaper keeps everything when too many objects have no row: on or off
    #[arg(
        long,
        env = "ONCEBIN_REAPER_BRAKE",
        value_name = "SWITCH",
        default_value = "on"
    )]
    pub reaper_brake: Switch,

    /// How long a stop waits for what is under way; it can cut a save if it is shorter than one may take: 30s and 1s for each MiB
    #[arg(long, env = "ONCEBIN_DRAIN", value_name = "SPAN", default_value = "40s", value_parser = span)]
    pub drain: Duration,

    /// Networks or addresses whose Forwarded and X-Forwarded-For are believed, for rate limits only [default: none]
    #[arg(
        long,
        env = "ONCEBIN_TRUSTED_PROXIES",
        value_name = "NETWORKS",
        value_delimiter = ',',
        value_parser = network
    )]
    pub trusted_proxies: Vec<IpNet>,

    /// Saves that are no replay, refused ones too, a minute and address, from 1, with bursts of a third of it, or off
    #[arg(
        long,
        env = "ONCEBIN_CREATE_RATE",
        value_name = "RATE",
        default_value = "60"
    )]
    pub create_rate: Rate,

    /// Unknown ids and wrong delete tokens a minute and address, from 1, with bursts of a third of it, or off; past it the address reads and deletes no paste for a while
    #[arg(
        long,
        env = "ONCEBIN_MISS_RATE",
        value_name = "RATE",
        default_value = "300"
    )]
    pub miss_rate: Rate,

    /// Whether relay, sweeper and reaper run here: on or off
    #[arg(
        long,
        env = "ONCEBIN_WORKERS",
        value_name = "SWITCH",
        default_value = "on"
    )]
    pub workers: Switch,

    /// Address to report abuse to, shown on every paste: a mail address or a URL [default: none]
    #[arg(long, env = "ONCEBIN_REPORT_CONTACT", value_name = "CONTACT", value_parser = contact)]
    pub report_contact: Option<String>,

    /// What is logged: error, warn, info, debug or trace; JSON unless on a terminal
    #[arg(
        long,
        env = "ONCEBIN_LOG",
        value_name = "LEVEL",
        default_value = "info",
        value_parser = level
    )]
    pub log: Level,
}

impl ServeFlags {
    pub(super) fn policy(&self) -> Result<Policy, ConfigError> {
        let min = Duration::from_secs(EXPIRY_SECONDS_MIN);
        if self.default_expiry < min {
            return Err(ConfigError("--default-expiry must be at least 60s".into()));
        }
        if self.max_expiry > MAX_EXPIRY_CEILING {
            return Err(ConfigError("--max-expiry must be at most 36500d".into()));
        }
        if self.default_expiry > self.max_expiry {
            return Err(ConfigError(
                "--default-expiry must not be longer than --max-expiry".into(),
            ));
        }
        Ok(Policy {
            paste_bytes_max: self.max_paste_bytes,
            default_expiry: self.default_expiry,
            max_expiry: self.max_expiry,
            create_deadline: CREATE_DEADLINE,
        })
    }

    pub(super) fn shards(&self) -> Result<Shards, ConfigError> {
        match &self.shards {
            None => Ok(Shards::embedded(&self.data.join("shards"))),
            Some(text) => text.parse(),
        }
    }

    pub(super) fn objects(&self) -> ObjectsUrl {
        self.objects
            .clone()
            .unwrap_or_else(|| ObjectsUrl::Local(self.data.join("objects")))
    }

    /// At least ten create deadlines, so that no create can still commit an object that old.
    pub(super) fn age_floor(&self) -> Result<Duration, ConfigError> {
        let floor = self.age_floor.unwrap_or(Duration::from_secs(24 * 60 * 60));
        let least = 10 * create_deadline(self.max_paste_bytes);
        if floor < least {
            return Err(ConfigError(format!(
                "--age-floor must be at least {}s with this --max-paste-bytes",
                least.as_secs()
            )));
        }
        Ok(floor)
    }
}

/// Refuses a variable with our prefix that no flag reads: a misspelt setting must not be silently ignored.
pub(super) fn refuse_unknown_variables(
    names: impl Iterator<Item = OsString>,
) -> Result<(), ConfigError> {
    let command = Cli::command();
    let commands = std::iter::once(&command).chain(command.get_subcommands());
    let known: Vec<_> = commands
        .flat_map(clap::Command::get_arguments)
        .filter_map(clap::Arg::get_env)
        .chain([OsStr::new(DELETE_TOKEN)])
        .collect();
    for name in names {
        let ours = name.to_string_lossy().starts_with("ONCEBIN_");
        if ours && !known.contains(&name.as_os_str()) {
            return Err(ConfigError(format!(
                "the variable {} is not a setting of oncebin; see oncebin serve --help",
                name.to_string_lossy()
            )));
        }
    }
    Ok(())
}
