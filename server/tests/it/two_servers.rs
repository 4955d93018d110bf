//! Two servers over the same four PostgreSQL primaries and one object folder: which of them is asked makes no
//! difference, and neither does the end of one.

use crate::harness::{FourShards, Host, Process, Reply, Seeded, TestServer, fresh_key, try_send};
use bytes::Bytes;
use futures_util::future::join_all;
use futures_util::stream::{StreamExt, iter};
use std::collections::BTreeSet;
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

const AT_ONCE: usize = 64;

/// Clients of each server in the load that a kill ends.
const CLIENTS: u64 = 8;

/// In each round a server is killed once so many saves were answered.
const ANSWERED_BEFORE_THE_KILL: [usize; 3] = [1, 40, 100];

/// A save that was sent, and the body of its 201 if that arrived.
struct Sent {
    key: String,
    content: String,
    answer: Option<Bytes>,
}

#[tokio::test(flavor = "multi_thread")]
async fn one_key_64_times_at_once_on_two_servers_is_one_paste() {
    let server = TestServer::pair().await;
    for round in 0..4 {
        let key = fresh_key();
        let saves = (0..AT_ONCE).map(|_| server.save(&key, "the same\n"));
        let replies = join_all(saves).await;
        let bodies: BTreeSet<_> = replies.iter().map(|reply| &reply.body).collect();
        assert_eq!(bodies.len(), 1);
        let firsts = replies.iter().filter(|reply| !is_replay(reply));
        assert_eq!(firsts.count(), 1);
        assert!(replies.iter().all(|reply| reply.status == 201));
        assert_eq!(server.rows().await.pastes.len(), round + 1);
    }
    server.rows().await.assert_paired(server.data());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_server_did_the_other_sees_at_once() {
    let server = TestServer::pair().await;
    let [one, other] = server.hosts().try_into().unwrap();
    let (one, other) = (&one, &other);
    let pastes = (0..32).map(|n| async move {
        let (one, other) = if n % 2 == 0 {
            (one, other)
        } else {
            (other, one)
        };
        let text = format!("text {n}\n");
        let key = fresh_key();
        let first = one.save(&key, text.clone()).await;
        let paste = first.created();
        let raw = format!("/{}/raw", paste.id);
        assert_eq!(other.get(&raw).await.text(), text);
        let replay = other.save(&key, text.clone()).await;
        assert_eq!((is_replay(&replay), &replay.body), (true, &first.body));
        assert_eq!(other.save(&key, "other\n").await.status, 409);
        assert_eq!(
            other.delete(&paste.id, &paste.delete_token).await.status,
            204
        );
        assert_eq!(one.get(&raw).await.status, 404);
        assert_eq!(one.save(&key, text).await.body, first.body);
        assert_eq!(one.get(&raw).await.status, 404);
    });
    join_all(pastes).await;
    let rows = server.rows().await;
    assert_eq!((rows.pastes.len(), rows.outbox.len()), (0, 32));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_64_deletes_at_once_on_two_servers_one_is_answered_204() {
    let server = TestServer::pair().await;
    let paste = server.save_new("to be deleted\n").await.created();
    let deletes = (0..AT_ONCE).map(|_| server.delete(&paste.id, &paste.delete_token));
    let replies = join_all(deletes).await;
    let of = |status| replies.iter().filter(move |reply| reply.status == status);
    assert_eq!((of(204).count(), of(404).count()), (1, AT_ONCE - 1));
    let rows = server.rows().await;
    assert_eq!((rows.pastes.len(), rows.outbox.len()), (0, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn saves_under_way_on_a_killed_server_are_settled_by_the_other() {
    let data = TempDir::new().unwrap();
    let shards = FourShards::shared().await;
    let flags = [&*shards.flag()];
    let mut ids = BTreeSet::new();
    let mut keys = 0;
    let other = Process::start(data.path(), &flags);
    for (round, answered) in (0..).zip(ANSWERED_BEFORE_THE_KILL) {
        let killed = Process::start(data.path(), &flags);
        let sent = load_until_killed(killed, &other, round, answered).await;
        shards.rows().await.assert_paired(data.path());
        let settled = iter(&sent).map(|save| settle(&other, save));
        let settled: Vec<_> = settled.buffer_unordered(16).collect().await;
        ids.extend(settled);
        keys += sent.len();
        let rows = shards.rows().await;
        rows.assert_paired(data.path());
        assert_eq!((rows.ids(), rows.keys.len()), (ids.clone(), keys));
    }
    assert_eq!(ids.len(), keys);
}

/// Clients save on both servers as fast as they can until one is gone; it is killed once enough saves were answered.
async fn load_until_killed(
    killed: Process,
    other: &Host,
    round: u64,
    answered: usize,
) -> Vec<Sent> {
    let (progress, mut answers) = unbounded_channel();
    let mut clients = JoinSet::new();
    for client in 0..CLIENTS {
        let chance = Seeded::new(round * CLIENTS + client);
        let save = save_on_both(killed.clone(), other.clone(), chance, progress.clone());
        clients.spawn(save);
    }
    drop(progress);
    for _ in 0..answered {
        answers.recv().await.expect("clients that go on");
    }
    killed.kill();
    clients.join_all().await.into_iter().flatten().collect()
}

/// Sends each save to both servers at once, so that one is killed while the other holds the same key.
async fn save_on_both(
    killed: Host,
    other: Host,
    mut chance: Seeded,
    progress: UnboundedSender<()>,
) -> Vec<Sent> {
    let mut sent = Vec::new();
    loop {
        let key = fresh_key();
        let bytes = [10, 3_000, 70_000][chance.below(3)];
        let content = chance.text(bytes);
        let on = |host: &Host| try_send(host.save_request(&key).body(content.clone()));
        let (on_killed, on_other) = tokio::join!(on(&killed), on(&other));
        let is_gone = on_killed.is_err();
        let on_other = on_other.unwrap();
        on_other.created();
        if let Ok(reply) = on_killed {
            assert_eq!(reply.body, on_other.body);
            progress.send(()).ok();
        }
        // Half of the saves are known to the killed server alone.
        let alone = fresh_key();
        let reply = try_send(killed.save_request(&alone).body(content.clone())).await;
        let answer = reply.ok().map(|reply| {
            reply.created();
            reply.body
        });
        let (both, alone) = (
            Sent {
                key,
                content: content.clone(),
                answer: Some(on_other.body),
            },
            Sent {
                key: alone,
                content,
                answer,
            },
        );
        sent.extend([both, alone]);
        if is_gone {
            return sent;
        }
    }
}

/// Sends a save again, to the server that lives, and reads its paste; its id.
async fn settle(server: &Host, save: &Sent) -> String {
    let reply = server.save(&save.key, save.content.clone()).await;
    let paste = reply.created();
    if let Some(answer) = &save.answer {
        assert!(is_replay(&reply), "an answered save is lost");
        assert_eq!(*answer, reply.body);
    }
    let raw = server.get(&format!("/{}/raw", paste.id)).await;
    assert_eq!(raw.text(), save.content);
    paste.id
}

fn is_replay(reply: &Reply) -> bool {
    reply.header("idempotent-replayed") == "true"
}
