//! A server that is stopped between the PUT of a text and the commit of its rows, for longer than the age floor and the
//! create's deadline, while another server's reaper takes the object. It must not commit a paste without a text.

use crate::harness::postgres::{Clusters, Database};
use crate::harness::{Host, Process, Reply, TurnedClock, fresh_key, open_shard, until};
use app::wire::id::Slot;
use oncebin::blob::Blob;
use oncebin::clock::{Clock, Stopwatch};
use oncebin::shard::slot_of_key;
use oncebin::store::Store;
use oncebin::store::postgres::PostgresStore;
use oncebin::store::sqlite::SqliteStore;
use oncebin::workers::{Reaped, Reaper, ReaperRules};
use sqlx::{Connection, Executor};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;
use tokio::task::JoinHandle;

/// The slot of the create that is stopped.
const SLOT: u8 = 7;

/// The age floor, and what a create may take.
const DEADLINE: Duration = Duration::from_secs(30);

/// How long the server stands still, by every clock but that of the machine.
const STOPPED: Duration = Duration::from_secs(60 * 60);

/// As many commits at once as the service lets a shard have.
const COMMITS_MAX: usize = 12;

const TEXT: &str = "stopped half-way\n";

/// Its commit waits for the writer's lock, which the test holds until the server is stopped.
#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite_a_create_stopped_after_its_put_never_names_a_lost_object() {
    let data = TempDir::new().unwrap();
    let clock = TurnedClock::true_time();
    let server = Process::start_on(&clock, data.path(), &[]);
    let mut lock = open_shard(&data.path().join("shards"), 0).await;
    lock.execute("begin immediate").await.unwrap();
    let key = key_in(|slot| slot == SLOT);
    let save = begin_save(&server, &key);
    let object = object_written(data.path()).await;
    server.freeze();
    lock.close().await.unwrap();
    let file = data.path().join("shards/0.sqlite");
    let store = SqliteStore::open(&file, Clock::system()).await.unwrap();
    reap(Arc::new(store), data.path(), &object).await;
    clock.set_ahead(STOPPED);
    server.thaw();
    assert_refused_then_fresh(&server, &key, save.await.unwrap()).await;
}

/// All its shard's places for commits are taken by creates of other slots, which wait for what the test holds.
#[tokio::test(flavor = "multi_thread")]
async fn on_postgres_a_create_stopped_after_its_put_never_names_a_lost_object() {
    let data = TempDir::new().unwrap();
    let database = Clusters::first().await.database_with_clock().await;
    let shards = format!("--shards={}", database.socket_url());
    let server = Process::start(data.path(), &[&shards]);
    let mut held = database.connect().await;
    let hold = format!("begin; select 1 from slot where slot <> {SLOT} for update");
    held.execute(sqlx::AssertSqlSafe(hold)).await.unwrap();
    let others = (0..COMMITS_MAX).map(|_| begin_save(&server, &key_in(|slot| slot != SLOT)));
    let others: Vec<_> = others.collect();
    wait_for(
        &database,
        "(select count(*) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock')",
    )
    .await;
    let key = key_in(|slot| slot == SLOT);
    let save = begin_save(&server, &key);
    let object = object_written(data.path()).await;
    server.freeze();
    held.close().await.unwrap();
    wait_for(&database, "(select count(*) from paste)").await;
    let store = PostgresStore::new(&database.socket_url()).unwrap();
    reap(Arc::new(store), data.path(), &object).await;
    database.advance(STOPPED).await;
    server.thaw();
    assert_refused_then_fresh(&server, &key, save.await.unwrap()).await;
    for other in others {
        let paste = other.await.unwrap().created();
        assert_eq!(read(&server, &paste.id).await, TEXT);
    }
}

/// A key whose slot is as wanted.
fn key_in(is_wanted: impl Fn(u8) -> bool) -> String {
    loop {
        let key = fresh_key();
        let bytes = uuid::Uuid::parse_str(&key).unwrap();
        if is_wanted(slot_of_key(bytes.as_bytes()).number()) {
            return key;
        }
    }
}

fn begin_save(host: &Host, key: &str) -> JoinHandle<Reply> {
    let (host, key) = (host.clone(), key.to_owned());
    tokio::spawn(async move { host.save(&key, TEXT).await })
}

async fn wait_for(database: &Database, count: &str) {
    database
        .wait_until(&format!("{count} = {COMMITS_MAX}"))
        .await;
}

fn folder(data: &Path) -> PathBuf {
    data.join(format!("objects/{SLOT:03}"))
}

/// The slot's one object, once it is there.
async fn object_written(data: &Path) -> PathBuf {
    let object = || {
        let mut found = fs::read_dir(folder(data))
            .unwrap()
            .map(|entry| entry.unwrap().path());
        found.find(|path| !path.to_str().unwrap().contains('#'))
    };
    until("the object is written", async || object().is_some()).await;
    object().unwrap()
}

/// Another server's reaper, by whose clocks an hour has gone by. It takes the object, and no other.
async fn reap(store: Arc<dyn Store>, data: &Path, object: &Path) {
    let opened = File::options().write(true).open(object).unwrap();
    opened.set_modified(SystemTime::now() - STOPPED).unwrap();
    let rules = ReaperRules {
        age_floor: DEADLINE,
        sightings_apart: 10 * DEADLINE,
        brake: true,
    };
    let blob = Blob::local(&data.join("objects")).unwrap();
    let stopwatch = Stopwatch::default();
    let reaper = Reaper::new(0, Arc::clone(&store), blob, rules, stopwatch.clone());
    let seen = reaper.pass().await;
    assert_eq!((seen.orphans, seen.removed), (1, 0));
    stopwatch.advance(STOPPED);
    let Reaped {
        orphans, removed, ..
    } = reaper.pass().await;
    assert_eq!((orphans, removed), (1, 1));
    assert!(!object.exists());
    store.close().await;
}

/// The stopped attempt saved nothing. The same request again saves.
async fn assert_refused_then_fresh(server: &Host, key: &str, stopped: Reply) {
    assert_eq!(
        (stopped.status, &*stopped.code()),
        (503, "shard_unavailable")
    );
    let again = server.save(key, TEXT).await;
    assert_eq!(again.header("idempotent-replayed"), "");
    let paste = again.created();
    let id: app::wire::id::PasteId = paste.id.parse().unwrap();
    assert_eq!(id.slot(), Slot::new(SLOT));
    assert_eq!(read(server, &paste.id).await, TEXT);
}

async fn read(server: &Host, id: &str) -> String {
    server.get(&format!("/{id}/raw")).await.text()
}
