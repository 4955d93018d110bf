//! Moving slots to a new shard by the commands of docs/postgres.md, while a server that was forgotten still runs with
//! the old map.

use crate::harness::postgres::{Clusters, Database};
use crate::harness::{OperatorsPage, Reply, TestServer};
use oncebin::shard::slot_of_key;
use std::ops::RangeInclusive;
use tempfile::TempDir;
use uuid::Uuid;

/// Moved from the first shard, and from the second.
const MOVED: [RangeInclusive<u8>; 2] = [96..=127, 128..=159];

#[tokio::test(flavor = "multi_thread")]
async fn slots_moved_as_the_operators_page_says_keep_every_paste_and_key() {
    let cluster = Clusters::first().await;
    let (one, two, three) = (
        cluster.database().await,
        cluster.database().await,
        cluster.database().await,
    );
    let objects = TempDir::new().unwrap();
    let objects = format!("--objects=file://{}", objects.path().display());
    let map = format!("--shards={},{}", one.socket_url(), two.socket_url());
    let forgotten = TestServer::start_with(&[&map, &objects], |_| {}).await;
    let keys: Vec<_> = (0..60).map(|_| key_in(64..=191)).collect();
    let mut saved = Vec::new();
    for key in &keys {
        saved.push(forgotten.save(key, "text\n").await);
    }
    let deleted = saved[0].created();
    let reply = forgotten.delete(&deleted.id, &deleted.delete_token).await;
    assert_eq!(reply.status, 204);

    carry_out("make a shard", &one, &three, &(0..=0));
    for (from, slots) in [&one, &two].into_iter().zip(&MOVED) {
        carry_out("move slots", from, &three, slots);
    }
    let map = format!(
        "--shards=0-95={},96-159={},160-255={}",
        one.socket_url(),
        three.socket_url(),
        two.socket_url()
    );
    let server = TestServer::start_with(&[&map, &objects], |_| {}).await;
    for (key, saved) in keys.iter().zip(&saved) {
        let paste = saved.created();
        let raw = format!("/{}/raw", paste.id);
        let expected = if paste.id == deleted.id { 404 } else { 200 };
        assert_eq!(server.save(key, "text\n").await.body, saved.body);
        assert_eq!(server.get(&raw).await.status, expected);
        if is_moved(key) {
            assert_refused(&forgotten.save(key, "text\n").await);
            // What was deleted here is gone, whoever owns its slot now.
            if paste.id == deleted.id {
                assert_eq!(forgotten.get(&raw).await.status, 404);
            } else {
                assert_refused(&forgotten.get(&raw).await);
            }
            assert_refused(&forgotten.delete(&paste.id, &paste.delete_token).await);
        } else {
            assert_eq!(forgotten.get(&raw).await.status, expected);
        }
    }
    assert_a_key_raced_is_one_paste(&forgotten, &server).await;
}

/// Of two servers with different maps at most one makes a paste of a key, and what it answered stands.
async fn assert_a_key_raced_is_one_paste(forgotten: &TestServer, server: &TestServer) {
    for _ in 0..40 {
        let key = key_in(64..=191);
        let (old, new) = tokio::join!(forgotten.save(&key, "text\n"), server.save(&key, "text\n"));
        assert_eq!(new.status, 201);
        if is_moved(&key) {
            assert_refused(&old);
        } else {
            assert_eq!(old.body, new.body);
        }
    }
}

fn is_moved(key: &str) -> bool {
    let key = Uuid::parse_str(key).unwrap();
    let slot = slot_of_key(key.as_bytes()).number();
    MOVED.iter().any(|slots| slots.contains(&slot))
}

fn key_in(slots: RangeInclusive<u8>) -> String {
    loop {
        let key = Uuid::new_v4();
        if slots.contains(&slot_of_key(key.as_bytes()).number()) {
            return key.to_string();
        }
    }
}

#[track_caller]
fn assert_refused(reply: &Reply) {
    assert_eq!(reply.status, 503, "{reply:?}");
    assert_ne!(reply.header("retry-after"), "");
}

fn carry_out(mark: &str, old: &Database, new: &Database, slots: &RangeInclusive<u8>) {
    let (first, last) = (slots.start().to_string(), slots.end().to_string());
    let (old, new) = (old.socket_url(), new.socket_url());
    let variables = [
        ("OLD", &*old),
        ("NEW", &new),
        ("FIRST", &first),
        ("LAST", &last),
    ];
    OperatorsPage::POSTGRES.carry_out(mark, &variables);
}
