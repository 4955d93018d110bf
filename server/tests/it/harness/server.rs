//! A service in this process, on its own folder, ports and shards.
//!
//! With `TEST_DATABASE=postgres` in the environment it is two services, asked in turn, over four PostgreSQL shards and
//! one object folder: so the whole suite runs a second time. With `TEST_OBJECTS=s3` the objects are in a bucket.

use super::{FourShards, Host, Rows, TestBucket, open_shard};
use clap::Parser;
use oncebin::clock::Clock;
use oncebin::config::{Cli, Settings};
use oncebin::service::{self, Running};
use sqlx::{AssertSqlSafe, Connection, Executor};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

/// A running service, asked as its [`Host`]. Dropping it leaves nothing behind but what its test keeps.
#[derive(Debug)]
pub(crate) struct TestServer {
    services: Vec<Running>,
    host: Host,
    /// The clock of shards that are files.
    clock: Clock,
    kept: Kept,
}

/// What a service keeps: a later one can go on with it.
#[derive(Debug)]
pub(crate) struct Kept {
    folder: TempDir,
    /// None for the embedded default, and for shards that the test chose by a flag.
    shards: Option<FourShards>,
    /// None for objects in the folder.
    bucket: Option<TestBucket>,
}

impl TestServer {
    /// The usual shards without a limit on creates.
    pub(crate) async fn start() -> Self {
        Self::start_with(&[], |_| {}).await
    }

    /// The usual shards with more flags, and settings no flag has.
    pub(crate) async fn start_with(flags: &[&str], change: impl FnOnce(&mut Settings)) -> Self {
        let are_chosen = flags.iter().any(|flag| flag.starts_with("--shards"));
        let shards = if on_postgres() && !are_chosen {
            Some(FourShards::shared().await)
        } else {
            None
        };
        let bucket = if in_bucket() {
            Some(TestBucket::fresh().await)
        } else {
            None
        };
        let kept = Kept {
            folder: fast_folder(),
            shards,
            bucket,
        };
        Self::start_again(kept, flags, change).await
    }

    /// Two services over PostgreSQL, whatever the environment says.
    pub(crate) async fn pair() -> Self {
        Self::pair_on(None, |_| {}).await
    }

    /// Two services over PostgreSQL and a bucket.
    pub(crate) async fn pair_on(
        bucket: Option<TestBucket>,
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        let shards = Some(FourShards::shared().await);
        let kept = Kept {
            folder: fast_folder(),
            shards,
            bucket,
        };
        Self::start_again(kept, &[], change).await
    }

    /// Goes on with what an earlier service has kept.
    pub(crate) async fn start_again(
        kept: Kept,
        flags: &[&str],
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        let clock = Clock::system();
        let shards = kept.shards.as_ref().map(FourShards::flag);
        let objects = kept.bucket.as_ref().map(TestBucket::flag);
        let more = shards.as_deref().into_iter().chain(objects.as_deref());
        let flags: Vec<_> = flags.iter().copied().chain(more).collect();
        let variables = kept.bucket.as_ref().map(TestBucket::variables);
        let settings = settings(
            kept.folder.path(),
            &flags,
            &variables.unwrap_or_default(),
            change,
        );
        let mut services = vec![start(&settings, &clock).await];
        let address = services[0].address;
        // A limit is each service's own.
        if kept.shards.is_some() && settings.create_rate.is_none() && settings.miss_rate.is_none() {
            services.push(start(&with_links_to(settings, &services[0]), &clock).await);
        }
        let other = services.get(1).map(|service| service.address);
        Self {
            host: Host::in_turn(address, other),
            services,
            clock,
            kept,
        }
    }

    /// Each service alone.
    pub(crate) fn hosts(&self) -> Vec<Host> {
        let addresses = self.services.iter().map(|service| service.address);
        addresses.map(Host::new).collect()
    }

    /// The operator's pages of the first service.
    pub(crate) fn admin(&self) -> Host {
        Host::new(self.services[0].admin_address)
    }

    /// Stops as SIGTERM does.
    pub(crate) async fn stop(self) -> Kept {
        for service in self.services {
            service.stop().await;
        }
        self.kept
    }

    /// Turns the shards' clocks forward.
    pub(crate) async fn advance(&self, span: Duration) {
        match &self.kept.shards {
            Some(shards) => shards.advance(span).await,
            None => self.clock.advance(span),
        }
    }

    /// Turns the services' own clock forward, whatever the shards' clocks are.
    pub(crate) fn advance_own_clock(&self, span: Duration) {
        self.clock.advance(span);
    }

    /// Turns the services' own clock back.
    pub(crate) fn turn_own_clock_back(&self, span: Duration) {
        self.clock.turn_back(span);
    }

    /// What the shards hold.
    pub(crate) async fn rows(&self) -> Rows {
        match &self.kept.shards {
            Some(shards) => shards.rows().await,
            None => Rows::of(self.data()).await,
        }
    }

    /// Runs a statement that both kinds of shards understand, past the service.
    pub(crate) async fn run_on_shard(&self, shard: usize, statement: &'static str) {
        if let Some(shards) = &self.kept.shards {
            return shards.databases[shard].run(statement).await;
        }
        let mut file = open_shard(&self.data().join("shards"), shard).await;
        file.execute(AssertSqlSafe(statement)).await.unwrap();
        file.close().await.unwrap();
    }

    /// The data folder.
    pub(crate) fn data(&self) -> &Path {
        self.kept.folder.path()
    }
}

impl Deref for TestServer {
    type Target = Host;

    fn deref(&self) -> &Host {
        &self.host
    }
}

/// Whether the shards that a test does not choose are on PostgreSQL.
fn on_postgres() -> bool {
    std::env::var_os("TEST_DATABASE").is_some_and(|database| database == "postgres")
}

/// Whether the texts are in a bucket.
fn in_bucket() -> bool {
    std::env::var_os("TEST_OBJECTS").is_some_and(|objects| objects == "s3")
}

async fn start(settings: &Settings, clock: &Clock) -> Running {
    let started = service::start(settings.clone(), clock.clone()).await;
    started.unwrap()
}

/// The same settings, for a second service that writes links as the first does.
fn with_links_to(mut settings: Settings, first: &Running) -> Settings {
    let own = format!("http://{}", first.address).parse().unwrap();
    settings.base_url.get_or_insert(own);
    settings
}

/// A folder in memory where the system has such a place: nothing here loses power, so an fsync would only take time.
fn fast_folder() -> TempDir {
    TempDir::new_in("/dev/shm").unwrap_or_else(|_| TempDir::new().unwrap())
}

/// Settings of a service in a folder, on ports the system chooses.
fn settings(
    data: &Path,
    flags: &[&str],
    variables: &BTreeMap<String, String>,
    change: impl FnOnce(&mut Settings),
) -> Settings {
    let mut arguments = vec![
        "oncebin",
        "--listen=127.0.0.1:0",
        "--admin-listen=127.0.0.1:0",
        "--data",
        data.to_str().unwrap(),
    ];
    arguments.extend_from_slice(flags);
    // Unless a test is about them: many tests look at rows that workers would take away.
    for unset in ["--create-rate=off", "--miss-rate=off", "--workers=off"] {
        let (name, _) = unset.split_once('=').unwrap();
        if !flags.iter().any(|flag| flag.starts_with(name)) {
            arguments.push(unset);
        }
    }
    let cli = Cli::try_parse_from(arguments).unwrap();
    let mut settings = Settings::from_known_flags(&cli.serve, variables).unwrap();
    change(&mut settings);
    settings
}
