//! Back-up and restore by the commands of README.md and docs/postgres.md, while workers remove the texts of what is
//! deleted and of what expires.

use crate::harness::postgres::{Cluster, Clusters, Database};
use crate::harness::{
    FourShards, Host, OperatorsPage, Process, Reply, TestServer, TurnedClock, fresh_key, operate,
    text_files, until,
};
use app::wire::created::Created;
use futures_util::future::join_all;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tempfile::TempDir;
use tokio::task::{JoinSet, spawn_blocking};

/// Pastes of each kind.
const EACH: usize = 12;

/// Clients that save and delete while the commands run.
const CLIENTS: usize = 4;

/// Past pastes that live for a minute; on SQLite also past the two days that their rows stay.
const MINUTE: Duration = Duration::from_secs(61);
const DAYS: Duration = Duration::from_secs(49 * 60 * 60);

#[tokio::test(flavor = "multi_thread")]
async fn a_back_up_of_files_in_use_comes_back_with_the_text_of_every_paste() {
    let (folder, backup) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let data = folder.path().join("oncebin-data");
    let clock = TurnedClock::true_time();
    let server = Process::start_on(&clock, &data, &[]);
    let carry_out = |folder: &Path, mark: &'static str| {
        let (folder, backup) = (folder.to_owned(), backup.path().display().to_string());
        move || OperatorsPage::README.carry_out_in(&folder, mark, &[("BACKUP", &backup)])
    };
    let mut story = Story::begin(&server).await;
    let copy_shards = carry_out(folder.path(), "back up the shards");
    story.use_during(&server, copy_shards).await;
    let turn = async { clock.set_ahead(DAYS) };
    story.go_on(&server, &data.join("objects"), turn).await;
    let copy_objects = carry_out(folder.path(), "back up the objects");
    story.use_during(&server, copy_objects).await;
    server.ask_to_stop();
    server.wait();

    let folder = TempDir::new().unwrap();
    let data = folder.path().join("oncebin-data");
    carry_out(folder.path(), "restore")();
    forget_what_was_deleted(&data, &[]);
    story.judge(&Process::start(&data, &[])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_back_up_of_databases_in_use_comes_back_with_the_text_of_every_paste() {
    let backup = TempDir::new().unwrap();
    let databases = Clusters::shared().await.map(Cluster::database_with_clock);
    let databases = join_all(databases).await;
    let shards = FourShards { databases };
    let flag = shards.flag();
    let server = TestServer::start_with(&[&flag, "--workers=on"], |_| {}).await;
    let carry_out = |shards: &FourShards, objects: &Path, mark: &'static str| {
        let urls = shards.databases.iter().map(Database::socket_url);
        let urls = urls.collect::<Vec<_>>().join(" ");
        let [backup, objects] = [backup.path(), objects].map(|path| path.display().to_string());
        move || {
            let variables = [
                ("SHARDS", &*urls),
                ("BACKUP", &backup),
                ("OBJECTS", &objects),
            ];
            OperatorsPage::POSTGRES.carry_out(mark, &variables);
        }
    };
    let objects = server.data().join("objects");
    let mut story = Story::begin(&server).await;
    let copy_shards = carry_out(&shards, &objects, "back up the shards");
    story.use_during(&server, copy_shards).await;
    story.go_on(&server, &objects, shards.advance(MINUTE)).await;
    let copy_objects = carry_out(&shards, &objects, "back up the objects");
    story.use_during(&server, copy_objects).await;
    server.stop().await;

    let (restored, data) = (FourShards::of_their_own().await, TempDir::new().unwrap());
    let objects = data.path().join("objects");
    fs::create_dir(&objects).unwrap();
    spawn_blocking(carry_out(&restored, &objects, "restore"))
        .await
        .unwrap();
    let flags = [
        restored.flag(),
        format!("--objects=file://{}", objects.display()),
    ];
    let [shards, objects] = flags.each_ref().map(|flag| &**flag);
    forget_what_was_deleted(data.path(), &[shards]);
    let server = TestServer::start_with(&[shards, objects, "--workers=on"], |_| {}).await;
    story.judge(&server).await;
}

/// What is saved, deleted and expires around a back-up.
struct Story {
    key: String,
    first: Reply,
    kept: Vec<Created>,
    deleted: Vec<Created>,
    expiring: Vec<Created>,
    late: Vec<Created>,
    /// Saved while the commands ran; every other one was deleted at once.
    meanwhile: Vec<Created>,
}

impl Story {
    async fn begin(host: &Host) -> Self {
        let key = fresh_key();
        Self {
            first: host.save(&key, "text\n").await,
            key,
            kept: save(host, "").await,
            deleted: save(host, "").await,
            expiring: save(host, "?expires_in=60").await,
            late: Vec::new(),
            meanwhile: Vec::new(),
        }
    }

    /// The service is used while commands run.
    async fn use_during(&mut self, host: &Host, commands: impl FnOnce() + Send + 'static) {
        let stop = Arc::<AtomicBool>::default();
        let mut clients = JoinSet::new();
        for _ in 0..CLIENTS {
            clients.spawn(save_and_delete(host.clone(), Arc::clone(&stop)));
        }
        spawn_blocking(commands).await.unwrap();
        stop.store(true, Ordering::SeqCst);
        let saved = clients.join_all().await;
        self.meanwhile.extend(saved.into_iter().flatten());
    }

    /// Between the two copies, pastes are deleted and expire, and their texts go.
    async fn go_on(&mut self, host: &Host, objects: &Path, turn: impl Future<Output = ()>) {
        for paste in &self.deleted {
            assert_eq!(
                host.delete(&paste.id, &paste.delete_token).await.status,
                204
            );
        }
        turn.await;
        self.late = save(host, "").await;
        let live = 1 + self.kept.len() + self.late.len() + self.meanwhile.len().div_ceil(2);
        until("the texts of others are gone", async || {
            text_files(objects).len() <= live
        })
        .await;
    }

    /// What a service says that goes on with the back-up.
    async fn judge(&self, host: &Host) {
        let again = host.save(&self.key, "text\n").await;
        assert_eq!(again.body, self.first.body);
        for paste in &self.kept {
            assert_eq!(read(host, paste).await, (200, "text\n".into()));
        }
        let gone = [&self.deleted, &self.expiring, &self.late];
        for paste in gone.into_iter().flatten() {
            assert_eq!(read(host, paste).await.0, 404);
        }
        for paste in &self.meanwhile {
            let (status, text) = read(host, paste).await;
            assert!(
                status == 404 || (status, &*text) == (200, "text\n"),
                "{status}"
            );
        }
    }
}

async fn save(host: &Host, query: &str) -> Vec<Created> {
    let mut saved = Vec::new();
    for _ in 0..EACH {
        let reply = host.save_with(&fresh_key(), query, &[], "text\n").await;
        saved.push(reply.created());
    }
    saved
}

async fn save_and_delete(host: Host, stop: Arc<AtomicBool>) -> Vec<Created> {
    let mut saved: Vec<Created> = Vec::new();
    while !stop.load(Ordering::SeqCst) || saved.len() % 2 == 1 {
        let paste = host.save_new("text\n").await.created();
        if saved.len() % 2 == 1 {
            assert_eq!(
                host.delete(&paste.id, &paste.delete_token).await.status,
                204
            );
        }
        saved.push(paste);
    }
    saved
}

async fn read(host: &Host, paste: &Created) -> (u16, String) {
    let reply = host.get(&format!("/{}/raw", paste.id)).await;
    (reply.status, reply.text())
}

/// As the pages say, before the service is started on what was restored.
fn forget_what_was_deleted(data: &Path, flags: &[&str]) {
    let check = [flags, &["--deep"]].concat();
    let textless = || {
        let printed = operate("check", data, &check);
        let counts = printed.out.lines().filter_map(|line| {
            let (_, found) = line.strip_prefix("wrong shard ")?.split_once(": ")?;
            let (count, _) = found.split_once(" without its text")?;
            count.split_once(' ')?.0.parse::<usize>().ok()
        });
        counts.sum::<usize>()
    };
    let take_down = |at_most: usize| {
        let at_most = format!("--without-text={at_most}");
        operate("takedown", data, &[flags, &[&at_most]].concat())
    };
    let found = textless();
    assert!(found >= 2 * EACH, "{found}");
    let refused = take_down(found - 1);
    assert!(
        refused.code == 1 && !refused.out.contains("taken down"),
        "{refused:#?}"
    );
    assert!(
        refused.err.contains("nothing is taken down"),
        "{refused:#?}"
    );
    assert_eq!(textless(), found);
    assert_eq!(take_down(found).code, 0);
    assert_eq!(textless(), 0);
}
