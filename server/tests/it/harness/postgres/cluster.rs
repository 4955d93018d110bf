//! One cluster: made, followed by a standby, killed, stopped, frozen, and started again.

use super::super::Janitor;
use super::super::free_port;
use super::database::{Database, PASSWORD};
use super::postmaster::{data, log};
use super::programs::Programs;
use super::{postmaster, processes, programs};
use crate::harness::PATIENCE;
use sqlx::postgres::PgConnection;
use sqlx::{Connection, Executor};
use std::fs;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::Child;
use std::sync::Mutex;
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// One cluster. Dropping it ends it and removes its folder.
#[derive(Debug)]
pub(crate) struct Cluster {
    folder: PathBuf,
    port: u16,
    /// `name=value`, after the usual ones.
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
                postmaster: Mutex::new(postmaster::start(&folder, port, &settings)),
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
        *self.postmaster.lock().unwrap() =
            postmaster::start(&self.folder, self.port, &self.settings);
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

    /// Lets every commit hang from now on, as one does whose synchronous standby is away.
    pub(crate) async fn hang_commits(&self) {
        self.set("synchronous_standby_names = 'nosuch'").await;
        let database = self.database_named("postgres");
        let hanging = "pg_stat_activity where wait_event = 'SyncRep' and datname = 'postgres'";
        let hangs = format!("exists (select from {hanging})");
        // The setting reaches all sessions at once, a moment later: until then a commit ends by itself.
        loop {
            let mut commit = pin!(database.run("select pg_logical_emit_message(true, '', '')"));
            tokio::select! {
                () = &mut commit => {}
                () = database.wait_until(&hangs) => {
                    let end = format!("select pg_cancel_backend(pid) from {hanging}");
                    database.run(end).await;
                    return commit.await;
                }
            }
        }
    }

    /// Lets commits that hang, and those that come, go on.
    pub(crate) async fn let_commits_go(&self) {
        self.set("synchronous_standby_names = ''").await;
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
        Ok(mut connection) => connection.execute("select 1").await.is_ok(),
        Err(_) => false,
    }
}
