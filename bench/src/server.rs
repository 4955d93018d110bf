//! The oncebin that is measured, as a process of its own.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tokio::runtime::Runtime;

use crate::load::Connection;
use crate::proc::{Memory, cpu_seconds, memory, signal};

/// What the log says before the address.
const LISTENING: &str = "listening on http://";

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
    /// It ends, or is not ready; the log in the folder says why.
    pub(crate) fn start(&self, runtime: &Runtime) -> Result<Server> {
        let mut command = Command::new(&self.binary);
        command
            .args([
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--admin-listen",
                "127.0.0.1:0",
            ])
            .args(["--create-rate", "off", "--data"])
            .arg(self.folder.join("data"))
            .args(self.shards.iter().flat_map(|urls| ["--shards", urls]))
            .stderr(Stdio::piped());
        let started = Instant::now();
        let child = command.spawn();
        let mut child = child.with_context(|| format!("{}", self.binary.display()))?;
        let log = child.stderr.take().context("no log")?;
        let address = follow(log, &self.folder.join("oncebin.log"))?;
        runtime.block_on(ready(address))?;
        Ok(Server {
            address,
            started_within: started.elapsed(),
            child,
        })
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

/// Reads the log up to the address, and keeps reading it to a file on a thread.
fn follow(log: ChildStderr, file: &Path) -> Result<SocketAddr> {
    let mut file = File::create(file)?;
    let mut log = BufReader::new(log);
    let mut line = String::new();
    while log.read_line(&mut line)? > 0 {
        file.write_all(line.as_bytes())?;
        if let Some((_, rest)) = line.split_once(LISTENING) {
            let address = rest.split(['"', ' ', '\n']).next().unwrap_or_default();
            let address = address.parse().context("no address in the log")?;
            thread::spawn(move || std::io::copy(&mut log, &mut file).ok());
            return Ok(address);
        }
        line.clear();
    }
    anyhow::bail!("oncebin ended before it listened; see oncebin.log")
}

/// Asks once: what listens is ready, or the start has failed.
async fn ready(address: SocketAddr) -> Result<()> {
    let mut connection = Connection::open(address).await?;
    let asked = b"GET /readyz HTTP/1.1\r\nHost: oncebin\r\n\r\n";
    let status = connection.exchange(asked).await?.status;
    ensure!(status == 200, "oncebin listens but /readyz says {status}");
    Ok(())
}
