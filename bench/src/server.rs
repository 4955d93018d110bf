//! The oncebin that is measured, as a process of its own.

use std::fs::{self, File};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tokio::runtime::Runtime;

use crate::load::Connection;
use crate::ports;
use crate::proc::{Memory, cpu_seconds, memory, signal};

/// How long a start may take, and how often the server is asked meanwhile.
const START_WITHIN: Duration = Duration::from_secs(20);
const START_POLL: Duration = Duration::from_micros(250);

/// How long a stop may take.
const STOP_WITHIN: Duration = Duration::from_secs(20);

/// How often a stop is looked for.
const STOP_POLL: Duration = Duration::from_millis(5);

/// Where the server is and how it is started.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) binary: PathBuf,
    /// The folder of its data and its log.
    pub(crate) folder: PathBuf,
    /// The value of `--shards`; none is the embedded default.
    pub(crate) shards: Option<String>,
}

/// A server that runs. Dropping it kills it.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    /// From the start of the process to the first 200 of `/readyz`.
    pub(crate) started_within: Duration,
    child: Child,
}

impl Program {
    /// Starts it and waits until it is ready.
    ///
    /// # Errors
    /// It ends, or is not ready in time; the log in the folder says why.
    pub(crate) fn start(&self, runtime: &Runtime) -> Result<Server> {
        self.start_with(&[], runtime)
    }

    /// [`Program::start`] with more flags.
    ///
    /// # Errors
    /// As there.
    pub(crate) fn start_with(&self, flags: &[&str], runtime: &Runtime) -> Result<Server> {
        let address = SocketAddr::from(([127, 0, 0, 1], ports::free(1)?[0]));
        let mut command = Command::new(&self.binary);
        command
            .args(["serve", "--listen", &address.to_string()])
            .args(["--admin-listen", "127.0.0.1:0", "--create-rate", "off"])
            .args(["--miss-rate", "off"])
            .arg("--data")
            .arg(self.folder.join("data"))
            .args(self.shards.iter().flat_map(|urls| ["--shards", urls]))
            .args(flags)
            .stderr(File::create(self.folder.join("oncebin.log"))?);
        let started = Instant::now();
        let child = command.spawn();
        let mut server = Server {
            address,
            child: child.with_context(|| format!("{}", self.binary.display()))?,
            started_within: Duration::ZERO,
        };
        while !runtime.block_on(is_ready(address)) {
            ensure!(
                server.child.try_wait()?.is_none() && started.elapsed() < START_WITHIN,
                "oncebin does not start; see oncebin.log"
            );
            thread::sleep(START_POLL);
        }
        server.started_within = started.elapsed();
        Ok(server)
    }

    /// Bytes of the binary.
    pub(crate) fn bytes(&self) -> Result<u64> {
        Ok(fs::metadata(&self.binary)?.len())
    }
}

impl Server {
    pub(crate) fn cpu_seconds(&self) -> Result<f64> {
        cpu_seconds(&self.child.id().to_string())
    }

    pub(crate) fn memory(&self) -> Result<Memory> {
        memory(&self.child.id().to_string())
    }

    /// Stops it as an operator would.
    ///
    /// # Errors
    /// It does not end well, or not in time.
    pub(crate) fn stop(mut self) -> Result<()> {
        signal("TERM", self.child.id())?;
        let deadline = Instant::now() + STOP_WITHIN;
        loop {
            if let Some(status) = self.child.try_wait()? {
                ensure!(status.success(), "oncebin ended with {status}");
                return Ok(());
            }
            ensure!(Instant::now() < deadline, "oncebin does not stop");
            thread::sleep(STOP_POLL);
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Whether `/readyz` says so.
async fn is_ready(address: SocketAddr) -> bool {
    let asked = b"GET /readyz HTTP/1.1\r\nHost: oncebin\r\n\r\n";
    let Ok(mut connection) = Connection::open(address).await else {
        return false;
    };
    let answer = connection.exchange(asked).await;
    answer.is_ok_and(|answer| answer.status == 200)
}
