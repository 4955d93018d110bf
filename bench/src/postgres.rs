//! Four PostgreSQL primaries of our own, durable as production's, in a folder that goes with them.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::ports;
use crate::proc::signal;

/// Where Debian puts each version's programs.
const DEBIAN: &str = "/usr/lib/postgresql";

const PRIMARIES: usize = 4;

/// How long a primary may take to answer, and how often it is asked.
const READY_WITHIN: Duration = Duration::from_secs(20);
const READY_POLL: Duration = Duration::from_millis(50);

/// A program of the newest PostgreSQL that is installed.
///
/// # Errors
/// There is none.
pub(crate) fn program(name: &str) -> Result<PathBuf> {
    let versions = fs::read_dir(DEBIAN).context("Debian's package postgresql is missing")?;
    let newest = versions
        .filter_map(|version| version.ok()?.file_name().into_string().ok())
        .filter_map(|version| version.parse::<u32>().ok())
        .filter_map(|version| {
            let program = PathBuf::from(format!("{DEBIAN}/{version}/bin/{name}"));
            program.exists().then_some((version, program))
        })
        .max();
    let (_, program) = newest.with_context(|| format!("no {name} below {DEBIAN}"))?;
    Ok(program)
}

/// Primaries that run. Dropping them stops them and removes their folder.
#[derive(Debug)]
pub(crate) struct Primaries {
    pub(crate) urls: Vec<String>,
    running: Vec<Child>,
    folder: PathBuf,
}

impl Primaries {
    /// Makes and starts them.
    ///
    /// # Errors
    /// PostgreSQL is missing or does not start.
    pub(crate) fn start() -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("oncebin-bench-{}", std::process::id()));
        fs::create_dir(&folder)?;
        let mut primaries = Self {
            urls: Vec::new(),
            running: Vec::new(),
            folder: folder.clone(),
        };
        give_to_postgres(&folder)?;
        for (n, port) in ports::free(PRIMARIES)?.into_iter().enumerate() {
            let cluster = folder.join(n.to_string());
            init(&cluster)?;
            primaries.running.push(start(&cluster, port)?);
            let url = format!("postgres://postgres@127.0.0.1:{port}/postgres");
            primaries.urls.push(url);
        }
        primaries.urls.iter().try_for_each(|url| wait_for(url))?;
        Ok(primaries)
    }
}

impl Drop for Primaries {
    fn drop(&mut self) {
        for primary in &mut self.running {
            // The fast shutdown: whoever is still connected is cut.
            signal("INT", primary.id()).ok();
        }
        for primary in &mut self.running {
            primary.wait().ok();
        }
        fs::remove_dir_all(&self.folder).ok();
    }
}

fn init(cluster: &Path) -> Result<()> {
    let mut initdb = as_postgres(&program("initdb")?)?;
    initdb
        .arg("--pgdata")
        .arg(cluster)
        .args(["--username=postgres", "--auth=trust", "--encoding=UTF8"])
        .args(["--locale=C.UTF-8", "--data-checksums", "--no-sync"]);
    let output = initdb.output().context("initdb cannot be started")?;
    let complained = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "initdb failed: {complained}");
    Ok(())
}

fn start(cluster: &Path, port: u16) -> Result<Child> {
    let mut postgres = as_postgres(&program("postgres")?)?;
    let port = format!("port={port}");
    let sockets = format!("unix_socket_directories={}", cluster.display());
    postgres.arg("-D").arg(cluster);
    for setting in [
        &port,
        &sockets,
        "listen_addresses=127.0.0.1",
        "max_connections=100",
        "shared_buffers=64MB",
        "jit=off",
    ] {
        postgres.args(["-c", setting]);
    }
    postgres.stdout(Stdio::null()).stderr(Stdio::null());
    postgres.spawn().context("postgres cannot be started")
}

fn wait_for(url: &str) -> Result<()> {
    let deadline = Instant::now() + READY_WITHIN;
    let mut asked = Command::new(program("pg_isready")?);
    asked.args(["--quiet", "--dbname", url]);
    while !asked.status()?.success() {
        ensure!(Instant::now() < deadline, "a primary does not start");
        thread::sleep(READY_POLL);
    }
    Ok(())
}

/// PostgreSQL refuses to run as root; root runs it as `postgres`.
fn as_postgres(program: &Path) -> Result<Command> {
    let mut command = if is_root()? {
        let mut setpriv = Command::new("setpriv");
        setpriv.args([
            "--reuid=postgres",
            "--regid=postgres",
            "--init-groups",
            "--",
        ]);
        setpriv.arg(program);
        setpriv
    } else {
        Command::new(program)
    };
    command.current_dir("/").stdin(Stdio::null());
    Ok(command)
}

fn give_to_postgres(folder: &Path) -> Result<()> {
    if is_root()? {
        let mut chown = Command::new("chown");
        let status = chown.arg("postgres:").arg(folder).status()?;
        ensure!(status.success(), "there is no user postgres");
    }
    Ok(())
}

fn is_root() -> Result<bool> {
    Ok(fs::metadata("/proc/self")?.uid() == 0)
}
