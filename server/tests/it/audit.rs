//! After saves, deletes, expiries, hang-ups and `kill -9`, and once the workers have drained, objects are exactly those
//! of live rows, and nothing else is left. `check --deep` says so, and the files and tables do.

use crate::harness::{
    FourShards, Host, Process, Rows, Seeded, fresh_key, operate, text_files, try_send,
};
use app::wire::created::Created;
use oncebin::blob::Blob;
use oncebin::clock::{Clock, Stopwatch};
use oncebin::store::Store;
use oncebin::store::outbox::LAST_PURGE_AFTER;
use oncebin::store::postgres::PostgresStore;
use oncebin::store::sqlite::SqliteStore;
use oncebin::workers::{Objects, Reaper, ReaperRules, Sweeper};
use reqwest::Method;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

const CLIENTS: u64 = 8;

/// The server is killed once so many requests were answered.
const ANSWERED: [usize; 3] = [30, 80, 120];

/// Past every idempotency row and pastes that live for a minute, and past the two days that a file keeps either.
const LATER: Duration = Duration::from_secs(80 * 60 * 60);

#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite_nothing_is_left_over() {
    let data = TempDir::new().unwrap();
    mixed_run(data.path(), &["--workers=off"]).await;
    let clock = Clock::system();
    clock.advance(LATER);
    for shard in 0..4 {
        let file = data.path().join(format!("shards/{shard}.sqlite"));
        let store = SqliteStore::open(&file, clock.clone()).await.unwrap();
        let turn = async |span| clock.advance(span);
        drain(data.path(), Arc::new(store), turn).await;
    }
    assert_nothing_left(data.path(), &Rows::of(data.path()).await);
    let printed = operate("check", data.path(), &["--deep"]);
    assert_eq!(
        (printed.code, printed.not_ok()),
        (0, vec![]),
        "{printed:#?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres_nothing_is_left_over() {
    let data = TempDir::new().unwrap();
    let shards = FourShards::shared().await;
    mixed_run(data.path(), &["--workers=off", &shards.flag()]).await;
    shards.advance(LATER).await;
    for database in &shards.databases {
        let store = PostgresStore::new(&database.socket_url()).unwrap();
        let turn = async |span| database.advance(span).await;
        drain(data.path(), Arc::new(store), turn).await;
    }
    assert_nothing_left(data.path(), &shards.rows().await);
    let printed = operate("check", data.path(), &["--deep", &shards.flag()]);
    // The clusters of the tests run without fsync.
    let left = printed.not_ok().into_iter();
    let left: Vec<_> = left
        .filter(|line| !line.contains("a power loss can"))
        .collect();
    assert!(left.is_empty(), "{printed:#?}");
}

/// Rounds of clients that do everything at once, each ended by `kill -9`.
async fn mixed_run(data: &Path, flags: &[&str]) {
    for (round, answered) in (0..).zip(ANSWERED) {
        let server = Process::start(data, flags);
        let (progress, mut answers) = unbounded_channel();
        let mut clients = JoinSet::new();
        for client in 0..CLIENTS {
            let chance = Seeded::new(round * CLIENTS + client);
            clients.spawn(use_until_gone(server.clone(), chance, progress.clone()));
        }
        for _ in 0..answered {
            answers.recv().await.unwrap();
        }
        server.kill();
        clients.join_all().await;
    }
    // A kill in the middle of a PUT is rare; what it leaves looks like this.
    let staged = data.join(format!("objects/042/{}#1", fresh_key()));
    fs::write(staged, "half").unwrap();
}

async fn use_until_gone(host: Host, mut chance: Seeded, progress: UnboundedSender<()>) {
    let mut mine: Vec<Created> = Vec::new();
    loop {
        let bytes = [10, 3_000, 200_000][chance.below(3)];
        let text = chance.text(bytes);
        let answer = match chance.below(5) {
            0 => match mine.pop() {
                None => continue,
                Some(paste) => {
                    let path = format!("/api/pastes/{}", paste.id);
                    let request = host.request(Method::DELETE, &path);
                    try_send(request.bearer_auth(paste.delete_token)).await
                }
            },
            1 => {
                if hang_up(&host, &text, &mut chance).await.is_err() {
                    return;
                }
                continue;
            }
            kind => {
                let life = if kind == 2 { "60" } else { "30d" };
                let request = host.request(Method::POST, &format!("/api/pastes?expires_in={life}"));
                let request = request.header("idempotency-key", fresh_key());
                let answer = try_send(request.body(text)).await;
                if let Ok(reply) = &answer {
                    mine.push(reply.created());
                }
                answer
            }
        };
        if answer.is_err() {
            return;
        }
        progress.send(()).ok();
    }
}

/// Sends a save, or a part of it, and closes.
async fn hang_up(host: &Host, text: &str, chance: &mut Seeded) -> std::io::Result<()> {
    let request = format!(
        "POST /api/pastes HTTP/1.1\r\nHost: a\r\nIdempotency-Key: {}\r\nContent-Length: {}\r\n\r\n{text}",
        fresh_key(),
        text.len()
    );
    let sent = chance.below(request.len() + 1).max(request.len() / 2);
    let mut stream = TcpStream::connect(host.address).await?;
    stream.write_all(&request.as_bytes()[..sent]).await.ok();
    Ok(())
}

/// Lets every worker of a shard pass until it finds nothing more.
async fn drain(data: &Path, store: Arc<dyn Store>, turn: impl AsyncFn(Duration)) {
    let blob = Blob::local(&data.join("objects")).unwrap();
    let sweeper = Sweeper::new(Arc::clone(&store));
    loop {
        let swept = sweeper.pass().await.unwrap();
        if swept.pastes + swept.keys == 0 {
            break;
        }
    }
    let relay = Objects::new(Arc::clone(&store), blob.clone(), false);
    while relay.pass().await.unwrap().done > 0 {}
    turn(LAST_PURGE_AFTER).await;
    while relay.pass().await.unwrap().dropped > 0 {}
    let rules = ReaperRules {
        age_floor: Duration::ZERO,
        sightings_apart: Duration::from_secs(300),
        brake: false,
    };
    let stopwatch = Stopwatch::default();
    let reaper = Reaper::new(0, Arc::clone(&store), blob, rules, stopwatch.clone());
    reaper.pass().await;
    stopwatch.advance(LATER);
    let reaped = reaper.pass().await;
    assert_eq!((reaped.orphans, reaped.slots_in_doubt), (reaped.removed, 0));
    store.close().await;
}

/// The files are those of the rows, and there is nothing else.
fn assert_nothing_left(data: &Path, rows: &Rows) {
    assert!(rows.pastes.len() > 20, "{} pastes", rows.pastes.len());
    assert!(rows.outbox.is_empty() && rows.keys.is_empty());
    let named: BTreeSet<_> = rows
        .pastes
        .iter()
        .map(|paste| paste.object_key.clone())
        .collect();
    let objects = data.join("objects");
    let there: BTreeSet<_> = text_files(&objects)
        .iter()
        .map(|file| file.strip_prefix(&objects).unwrap().display().to_string())
        .collect();
    assert_eq!(there, named);
}
