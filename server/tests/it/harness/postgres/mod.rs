//! Real PostgreSQL clusters, each on a free TCP port and a Unix socket in a short folder of its own.
//!
//! [`Clusters::shared`] are for tests that only fill a database of their own; a test that kills, stops or freezes one
//! starts its own. All end with the test process, whatever ends it, and leave nothing behind.

mod database;
mod janitor;
mod processes;
mod programs;

pub(crate) use database::{Database, PASSWORD};

use janitor::Janitor;
use programs::Programs;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection, Executor};
use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::time::Duration;
use tokio::sync::OnceCell;
use tokio::time::{sleep, timeout};

/// What every cluster runs with. `fsync` is for the tests about power loss; the others lose only processes.
const SETTINGS: [&str; 12] = [
    "listen_addresses=127.0.0.1",
    "fsync=off",
    "full_page_writes=off",
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

/// The longest anything here takes: far past what it should, so that only a fault meets it.
const PATIENCE: Duration = Duration::from_secs(30);

/// The four clusters that tests share.
#[derive(Debug)]
pub(crate) struct Clusters;

impl Clusters {
    /// All four, started by whoever asks first.
    pub(crate) async fn shared() -> [&'static Cluster; 4] {
        let (a, b, c, d) = tokio::join!(shared(0), shared(1), shared(2), shared(3));
        [a, b, c, d]
    }

    /// One of them, for a test that needs no more.
    pub(crate) async fn first() -> &'static Cluster {
        shared(0).await
    }
}

async fn shared(number: usize) -> &'static Cluster {
    static SHARED: [OnceCell<Cluster>; 4] = [const { OnceCell::const_new() }; 4];
    SHARED[number].get_or_init(|| Cluster::start(&[])).await
}

/// One cluster. Dropping it ends it and removes its folder.
#[derive(Debug)]
pub(crate) struct Cluster {
    folder: PathBuf,
    port: u16,
    /// `name=value`, after [`SETTINGS`].
    settings: Vec<String>,
    postmaster: Mutex<Child>,
    _janitor: Janitor,
}

impl Cluster {
    /// Makes a cluster with more settings than the usual ones (`name=value`) and returns once it answers.
    pub(crate) async fn start(settings: &[&str]) -> Self {
        let settings = settings.iter().map(ToString::to_string).collect();
        Self::start_on(settings, |data| {
            let password = data.with_file_name("password");
            fs::write(&password, PASSWORD).unwrap();
            programs::own(&password);
            let mut initdb = Programs::found().command("initdb");
            initdb
                .args(["--username=postgres", "--encoding=UTF8", "--no-locale"])
                .args(["--auth-local=trust", "--auth-host=scram-sha-256"])
                .args(["--data-checksums", "--no-sync"])
                .arg(format!("--pwfile={}", password.display()))
                .arg("-D")
                .arg(data);
            programs::run(initdb);
        })
        .await
    }

    /// A standby that follows this cluster, under a name for `synchronous_standby_names`.
    pub(crate) async fn standby(&self, name: &str) -> Self {
        let mut settings = self.settings.clone();
        settings.push(format!("cluster_name={name}"));
        let (socket, port) = (self.folder.clone(), self.port.to_string());
        let slot = format!("--slot={name}");
        Self::start_on(settings, move |data| {
            let mut copy = Programs::found().command("pg_basebackup");
            copy.args(["--username=postgres", "--port", &port, "--host"])
                .arg(socket)
                .args(["--write-recovery-conf", "--create-slot", &slot])
                .args([
                    "--wal-method=stream",
                    "--checkpoint=fast",
                    "--no-sync",
                    "-D",
                ])
                .arg(data);
            programs::run(copy);
        })
        .await
    }

    async fn start_on(settings: Vec<String>, fill: impl FnOnce(&Path) + Send + 'static) -> Self {
        let starting = tokio::task::spawn_blocking(move || {
            let folder = programs::folder();
            let janitor = Janitor::of(&folder);
            fill(&data(&folder));
            let port = free_port();
            Self {
                postmaster: Mutex::new(postmaster(&folder, port, &settings)),
                folder,
                port,
                settings,
                _janitor: janitor,
            }
        });
        let cluster = starting.await.unwrap();
        cluster.wait_until_ready().await;
        cluster
    }

    /// `kill -9` of every process of it at once, as when the machine goes.
    pub(crate) fn kill9(&self) {
        processes::end(&data(&self.folder));
        self.postmaster.lock().unwrap().wait().unwrap();
    }

    /// An orderly stop that ends the sessions (SIGINT).
    pub(crate) fn stop(&self) {
        let mut postmaster = self.postmaster.lock().unwrap();
        processes::signal("INT", &[postmaster.id()]);
        postmaster.wait().unwrap();
    }

    /// A stop that takes no new session and waits for those there are (SIGTERM).
    pub(crate) fn begin_to_stop(&self) {
        processes::signal("TERM", &[self.postmaster.lock().unwrap().id()]);
    }

    /// Starts it again after [`Self::kill9`] or [`Self::stop`], on the same port.
    pub(crate) async fn restart(&self) {
        *self.postmaster.lock().unwrap() = postmaster(&self.folder, self.port, &self.settings);
        self.wait_until_ready().await;
    }

    /// Stops every process of it in its tracks: connections are taken by the system, and nothing answers.
    pub(crate) fn freeze(&self) {
        let mut frozen = Vec::new();
        loop {
            let mut running = processes::of(&data(&self.folder));
            running.retain(|process| !frozen.contains(process));
            if running.is_empty() {
                return;
            }
            processes::signal("STOP", &running);
            frozen.extend(running);
        }
    }

    /// Lets it go on after [`Self::freeze`].
    pub(crate) fn thaw(&self) {
        processes::signal("CONT", &processes::of(&data(&self.folder)));
    }

    /// Makes a standby the primary.
    pub(crate) async fn promote(&self) {
        self.run("select pg_promote(true, 30)").await;
    }

    /// A new, empty database.
    pub(crate) async fn database(&self) -> Database {
        let name = format!("t{}", uuid::Uuid::new_v4().simple());
        self.run(&format!("create database {name}")).await;
        self.database_named(&name)
    }

    /// A new database whose clock [`Database::advance`] turns. Connections that are open by then keep the true one.
    pub(crate) async fn database_with_clock(&self) -> Database {
        let database = self.database().await;
        database.install_clock().await;
        database
    }

    /// A database that is there already, such as the one a standby copied.
    pub(crate) fn database_named(&self, name: &str) -> Database {
        Database::new(name, self.port, &self.folder)
    }

    /// Changes settings (`name = value`) while it runs.
    pub(crate) async fn set(&self, setting: &str) {
        self.run(&format!("alter system set {setting}")).await;
        self.run("select pg_reload_conf()").await;
    }

    /// Runs one statement as the superuser, in no database of a test.
    pub(crate) async fn run(&self, statement: &str) {
        self.database_named("postgres").run(statement).await;
    }

    /// Everything the server has logged.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(log(&self.folder)).unwrap()
    }

    async fn wait_until_ready(&self) {
        let database = self.database_named("postgres");
        let ready = timeout(PATIENCE, async {
            while !answers(&database).await {
                sleep(Duration::from_millis(10)).await;
            }
        });
        assert!(ready.await.is_ok(), "{}", self.log());
    }
}

async fn answers(database: &Database) -> bool {
    match PgConnection::connect_with(&database.options()).await {
        Ok(mut connection) => connection.execute(AssertSqlSafe("select 1")).await.is_ok(),
        Err(_) => false,
    }
}

fn postmaster(folder: &Path, port: u16, settings: &[String]) -> Child {
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

fn data(folder: &Path) -> PathBuf {
    folder.join("data")
}

fn log(folder: &Path) -> PathBuf {
    folder.join("log")
}

/// A port below those that the system gives to whoever asks for any: it is still free after a restart.
fn free_port() -> u16 {
    loop {
        let port = 10_000 + u16::try_from(uuid::Uuid::new_v4().as_u128() % 20_000).unwrap();
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
