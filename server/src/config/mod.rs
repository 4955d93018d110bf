//! Settings: one small struct per concern, from flags and environment. The only reader of the environment.

mod base_url;
mod cdn_purge;
mod client;
mod deadlines;
mod flags;
mod inherited;
mod objects;
mod operator;
mod print;
mod shards;
mod units;

pub use base_url::BaseUrl;
pub use client::{ClientCommand, ClientEnvironment, DEFAULT_SERVER, GetFlags, PutFlags, RmFlags};
pub use deadlines::Deadlines;
pub use flags::{Cli, Command, ServeFlags};
pub use inherited::Inherited;
pub use objects::{ObjectsLocation, ObjectsUrl};
pub use operator::{CheckFlags, OperatorCommand, TakedownFlags};
pub use shards::{ShardUrl, Shards};

use crate::blob::BlobDeadlines;
use crate::cdn::Template;
use crate::pastes::Policy;
use crate::render::Budgets;
use ipnet::IpNet;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::time::Duration;
use tracing::Level;

/// Everything `oncebin serve` needs to know.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the service listens.
    pub listen: SocketAddr,
    /// Where the operator's pages listen.
    pub admin_listen: SocketAddr,
    /// Listeners that are used instead, where there are any. Not a setting: whoever starts us passes them.
    pub inherited: Inherited,
    /// How links are written; none means `http://` and the address listened on.
    pub base_url: Option<BaseUrl>,
    /// The slot map.
    pub shards: Shards,
    /// Where the text is.
    pub objects: ObjectsLocation,
    /// Limits and defaults of pastes.
    pub policy: Policy,
    /// How a CDN is purged; none means that there is no CDN.
    pub cdn_purge: Option<Template>,
    /// How long a stop waits for what is under way.
    pub drain: Duration,
    /// The reaper's age floor.
    pub age_floor: Duration,
    /// Whether the reaper removes nothing when too many objects have no row.
    pub reaper_brake: bool,
    /// Who is believed about a client's address.
    pub trusted_proxies: Vec<IpNet>,
    /// Saves that are no replay, a minute and address; none is no limit.
    pub create_rate: Option<NonZeroU32>,
    /// Unknown ids and wrong delete tokens a minute and address; none is no limit.
    pub miss_rate: Option<NonZeroU32>,
    /// Whether the workers run here.
    pub workers: bool,
    /// Shown on every paste.
    pub report_contact: Option<String>,
    /// What of our own events is logged.
    pub log: Level,
    /// Deadlines that no flag sets; tests shorten them.
    pub deadlines: Deadlines,
    /// What highlighting may cost; no flag sets it either.
    pub highlighting: Budgets,
    /// Those of the object store.
    pub blob_deadlines: BlobDeadlines,
}

/// A setting is wrong. One clear line for the operator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub String);

impl Settings {
    /// Checks flags against each other and reads their text.
    ///
    /// # Errors
    /// [`ConfigError`] naming the flag and what it takes.
    pub fn from_flags(flags: &ServeFlags) -> Result<Self, ConfigError> {
        flags::refuse_unknown_variables(std::env::vars_os().map(|(name, _)| name))?;
        // One that is no text names nothing that is read here.
        let variables = std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        Self::from_known_flags(flags, &variables.collect())
    }

    /// [`Settings::from_flags`] with the `AWS_` variables given, and without a look at the environment.
    ///
    /// # Errors
    /// As there.
    pub fn from_known_flags(
        flags: &ServeFlags,
        variables: &BTreeMap<String, String>,
    ) -> Result<Self, ConfigError> {
        let policy = flags.policy()?;
        if flags.listen == flags.admin_listen && flags.listen.port() != 0 {
            return Err(ConfigError(
                "--listen and --admin-listen are the same address".into(),
            ));
        }
        Ok(Self {
            listen: flags.listen,
            admin_listen: flags.admin_listen,
            inherited: Inherited::default(),
            base_url: flags.base_url.clone(),
            shards: flags.shards()?,
            objects: flags.objects().locate(variables)?,
            policy,
            cdn_purge: flags
                .cdn_purge
                .as_deref()
                .map(cdn_purge::read)
                .transpose()?,
            drain: flags.drain,
            age_floor: flags.age_floor()?,
            reaper_brake: flags.reaper_brake.0,
            trusted_proxies: flags.trusted_proxies.clone(),
            create_rate: flags.create_rate.0,
            miss_rate: flags.miss_rate.0,
            workers: flags.workers.0,
            report_contact: flags.report_contact.clone(),
            log: flags.log,
            deadlines: Deadlines::default(),
            highlighting: Budgets::default(),
            blob_deadlines: BlobDeadlines::default(),
        })
    }
}
