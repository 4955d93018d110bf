//! `kill -9` in the middle of a load. What was answered stays; what was not is settled by sending it again.

use crate::harness::{Host, Process, Reply, Rows, Seeded, fresh_key, try_send};
use bytes::Bytes;
use futures_util::stream::{StreamExt, iter};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

const CLIENTS: u64 = 24;

/// In each round the server is killed once so many saves were answered.
const ANSWERED_BEFORE_THE_KILL: [usize; 5] = [1, 40, 100, 170, 250];

/// A save that was sent, and the body of its 201 if that arrived.
struct Sent {
    key: String,
    content: String,
    answer: Option<Bytes>,
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_keeps_what_it_answered_and_a_retry_settles_the_rest() {
    let data = TempDir::new().unwrap();
    let mut ids = BTreeSet::new();
    let mut keys = 0;
    for (round, answered) in (0..).zip(ANSWERED_BEFORE_THE_KILL) {
        let server = Process::start(data.path(), &[]);
        let sent = load_until_killed(server, round, answered).await;
        let rows = Rows::of_killed(data.path()).await;
        rows.assert_paired(data.path());
        let server = Process::start(data.path(), &[]);
        let settled = iter(&sent).map(|save| settle(&server, &rows, save));
        let settled: Vec<_> = settled.buffer_unordered(16).collect().await;
        server.kill();
        ids.extend(settled);
        keys += sent.len();
        let rows = Rows::of_killed(data.path()).await;
        rows.assert_paired(data.path());
        assert_eq!((rows.ids(), rows.keys.len()), (ids.clone(), keys));
    }
    assert_eq!(ids.len(), keys);
}

/// Many clients save as fast as they can until the server is gone; it is killed once enough saves were answered.
async fn load_until_killed(server: Process, round: u64, answered: usize) -> Vec<Sent> {
    let (progress, mut answers) = unbounded_channel();
    let mut clients = JoinSet::new();
    for client in 0..CLIENTS {
        let chance = Seeded::new(round * CLIENTS + client);
        clients.spawn(save_until_gone(server.clone(), chance, progress.clone()));
    }
    for _ in 0..answered {
        answers.recv().await.unwrap();
    }
    server.kill();
    clients.join_all().await.into_iter().flatten().collect()
}

async fn save_until_gone(
    host: Host,
    mut chance: Seeded,
    progress: UnboundedSender<()>,
) -> Vec<Sent> {
    let mut sent = Vec::new();
    loop {
        let key = fresh_key();
        let bytes = [10, 3_000, 70_000, 400_000][chance.below(4)];
        let content = chance.text(bytes);
        let reply = try_send(host.save_request(&key).body(content.clone())).await;
        let is_gone = reply.is_err();
        let answer = reply.ok().map(|reply| {
            reply.created();
            progress.send(()).ok();
            reply.body
        });
        sent.push(Sent {
            key,
            content,
            answer,
        });
        if is_gone {
            return sent;
        }
    }
}

/// Sends a save again and reads its paste; its id.
async fn settle(server: &Host, rows: &Rows, save: &Sent) -> String {
    let reply = server.save(&save.key, save.content.clone()).await;
    let paste = reply.created();
    let was_committed = rows.know(&save.key);
    assert_eq!(is_replay(&reply), was_committed);
    if let Some(answer) = &save.answer {
        assert!(was_committed, "an answered save is lost");
        assert_eq!(*answer, reply.body);
    }
    let raw = server.get(&format!("/{}/raw", paste.id)).await;
    assert_eq!(raw.text(), save.content);
    paste.id
}

fn is_replay(reply: &Reply) -> bool {
    reply.header("idempotent-replayed") == "true"
}

/// The object store writes beside an object's place, `NAME#1`, and renames. A kill in between leaves that file.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_put_leaves_is_never_readable() {
    const HALF: &str = "half of a text that nobody saved";
    let data = TempDir::new().unwrap();
    let server = Process::start(data.path(), &[]);
    let paste = server.save_new("whole\n").await.created();
    server.kill();
    let object_key = Rows::of_killed(data.path()).await.pastes[0]
        .object_key
        .clone();
    let objects = data.path().join("objects");
    let (slot, name) = object_key.split_once('/').unwrap();
    for leftover in [
        format!("{object_key}#1"),
        format!("{slot}/{}#1", fresh_key()),
    ] {
        fs::write(objects.join(leftover), HALF).unwrap();
    }
    let server = Process::start(data.path(), &[]);
    let raw = server.get(&format!("/{}/raw", paste.id)).await;
    assert_eq!(raw.text(), "whole\n");
    let id = &paste.id;
    for path in [
        format!("/{id}%231"),
        format!("/{id}%231/raw"),
        format!("/{id}/raw%231"),
        format!("/{slot}/{name}%231"),
        format!("/objects/{slot}/{name}%231"),
        format!("/pkg/..%2fobjects%2f{slot}%2f{name}%231"),
        format!("/{slot}%2f{name}%231/raw"),
        format!("/api/pastes/{name}%231"),
    ] {
        let reply = server.get(&path).await;
        assert_eq!(reply.status, 404, "{path}");
        assert!(!reply.text().contains(HALF), "{path}");
    }
    assert_names_no_leftover(data.path()).await;
}

async fn assert_names_no_leftover(data: &Path) {
    let rows = Rows::of(data).await;
    assert!(
        rows.pastes
            .iter()
            .all(|paste| !paste.object_key.contains('#'))
    );
}
