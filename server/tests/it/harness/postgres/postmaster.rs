//! The server process of a cluster, and where it keeps what.

use super::programs::Programs;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

/// What every cluster runs with. `fsync` is for the tests about power loss; the others lose only processes.
const SETTINGS: [&str; 11] = [
    "listen_addresses=127.0.0.1",
    "fsync=off",
    "max_connections=200",
    "shared_buffers=32MB",
    "wal_level=replica",
    "max_wal_senders=4",
    "wal_log_hints=on",
    "wal_retrieve_retry_interval=200ms",
    "jit=off",
    "timezone=UTC",
    "log_line_prefix=%m [%p] %d %e ",
];

/// Starts the server with more settings than the usual ones. It answers some time later.
pub(super) fn start(folder: &Path, port: u16, settings: &[String]) -> Child {
    let log = File::options().create(true).append(true).open(log(folder));
    let log = log.unwrap();
    let mut postgres = Programs::found().command("postgres");
    postgres.arg("-D").arg(data(folder));
    for setting in SETTINGS
        .iter()
        .copied()
        .chain(settings.iter().map(String::as_str))
    {
        postgres.args(["-c", setting]);
    }
    postgres
        .args(["-c", &format!("port={port}")])
        .args([
            "-c",
            &format!("unix_socket_directories={}", folder.display()),
        ])
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap()
}

pub(super) fn data(folder: &Path) -> PathBuf {
    folder.join("data")
}

pub(super) fn log(folder: &Path) -> PathBuf {
    folder.join("log")
}
