//! A service in this process, on its own folder, port and clock.

use super::Host;
use clap::Parser;
use oncebin::clock::Clock;
use oncebin::config::{Cli, Settings};
use oncebin::service::{self, Running};
use std::ops::Deref;
use std::path::Path;
use tempfile::TempDir;

/// A running service, asked as its [`Host`]. Dropping it leaves nothing behind but what its test keeps.
#[derive(Debug)]
pub(crate) struct TestServer {
    pub(crate) running: Running,
    /// The shards' clock; turn it with `advance`.
    pub(crate) clock: Clock,
    host: Host,
    folder: TempDir,
}

impl TestServer {
    /// The embedded default without a limit on creates.
    pub(crate) async fn start() -> Self {
        Self::start_with(&[], |_| {}).await
    }

    /// The embedded default with more flags, and settings no flag has.
    pub(crate) async fn start_with(flags: &[&str], change: impl FnOnce(&mut Settings)) -> Self {
        Self::start_in(fast_folder(), flags, change).await
    }

    /// A service on a folder that an earlier one may have used.
    pub(crate) async fn start_in(
        folder: TempDir,
        flags: &[&str],
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        let clock = Clock::system();
        let settings = settings(folder.path(), flags, change);
        let running = service::start(settings, clock.clone()).await.unwrap();
        Self {
            host: Host::new(running.address),
            running,
            clock,
            folder,
        }
    }

    /// Stops as SIGTERM does, and gives the folder for a next one.
    pub(crate) async fn stop(self) -> TempDir {
        self.running.stop().await;
        self.folder
    }

    /// The data folder.
    pub(crate) fn data(&self) -> &Path {
        self.folder.path()
    }
}

impl Deref for TestServer {
    type Target = Host;

    fn deref(&self) -> &Host {
        &self.host
    }
}

/// A folder in memory where the system has such a place: nothing here loses power, so an fsync would only take time.
fn fast_folder() -> TempDir {
    TempDir::new_in("/dev/shm").unwrap_or_else(|_| TempDir::new().unwrap())
}

/// Settings of a service in a folder, on ports the system chooses.
pub(crate) fn settings(
    data: &Path,
    flags: &[&str],
    change: impl FnOnce(&mut Settings),
) -> Settings {
    let mut arguments = vec![
        "oncebin",
        "--listen=127.0.0.1:0",
        "--admin-listen=127.0.0.1:0",
        "--create-rate=off",
        "--data",
        data.to_str().unwrap(),
    ];
    arguments.extend_from_slice(flags);
    let cli = Cli::parse_from(arguments);
    let mut settings = Settings::from_known_flags(&cli.serve).unwrap();
    change(&mut settings);
    settings
}
