//! Time: a key is known for 25 hours, a paste is readable until it expires, and neither depends on the other.
//! Nothing sweeps here: rows that have expired are still in the files.

use crate::harness::{Reply, TestServer, fresh_key, send};
use reqwest::Method;
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);

#[tokio::test(flavor = "multi_thread")]
async fn a_retry_within_25_hours_replays_and_a_later_one_is_a_new_paste() {
    let server = TestServer::start().await;
    let key = fresh_key();
    let first = server.save(&key, "text\n").await;
    server.advance(25 * HOUR - MINUTE).await;
    let retry = server.save(&key, "text\n").await;
    assert_replay(&retry, &first);
    assert_eq!(server.save(&key, "other\n").await.status, 409);
    server.advance(MINUTE).await;
    let late = server.save(&key, "text\n").await;
    assert_eq!(late.header("idempotent-replayed"), "");
    assert_ne!(late.created().id, first.created().id);
    assert_ne!(late.created().delete_token, first.created().delete_token);
    assert_replay(&server.save(&key, "text\n").await, &late);
    assert_eq!(server.rows().await.pastes.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_has_expired_takes_another_text() {
    let server = TestServer::start().await;
    let key = fresh_key();
    let first = server.save(&key, "text\n").await.created();
    server.advance(25 * HOUR).await;
    let second = server.save(&key, "other\n").await.created();
    for (id, text) in [(first.id, "text\n"), (second.id, "other\n")] {
        assert_eq!(server.get(&format!("/{id}/raw")).await.text(), text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replay_extends_neither_the_key_nor_the_paste() {
    let server = TestServer::start().await;
    let key = fresh_key();
    let save = || save_living(&server, &key, "26h");
    let first = save().await;
    for _ in 0..12 {
        server.advance(2 * HOUR).await;
        assert_replay(&save().await, &first);
    }
    server.advance(HOUR).await;
    assert_eq!(save().await.header("idempotent-replayed"), "");
    let raw = format!("/{}/raw", first.created().id);
    assert_eq!(server.get(&raw).await.status, 200);
    server.advance(HOUR).await;
    assert_eq!(server.get(&raw).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_paste_is_gone_everywhere_while_its_save_still_replays() {
    let server = TestServer::start().await;
    let key = fresh_key();
    let save = || save_living(&server, &key, "60");
    let first = save().await;
    let paste = first.created();
    let raw = format!("/{}/raw", paste.id);
    let etag = server.get(&raw).await.header("etag").to_owned();
    server.advance(MINUTE).await;
    let missing = server.get("/2w0000000000000/raw").await;
    for path in ["", "/raw", "/download"] {
        let reply = server.get(&format!("/{}{path}", paste.id)).await;
        assert_eq!((reply.status, &reply.body), (404, &missing.body));
    }
    let metadata = format!("/api/pastes/{}", paste.id);
    assert_eq!(server.get(&metadata).await.code(), "not_found");
    let conditional = server.request(Method::GET, &raw);
    let conditional = send(conditional.header("if-none-match", etag)).await;
    assert_eq!(conditional.status, 404);
    let deleted = server.delete(&paste.id, &paste.delete_token).await;
    assert_eq!(deleted.status, 404);
    assert_replay(&save().await, &first);
    let rows = server.rows().await;
    assert_eq!((rows.pastes.len(), rows.outbox.len()), (1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replay_after_the_delete_is_the_stored_201_and_the_id_stays_dead() {
    let server = TestServer::start().await;
    let key = fresh_key();
    let first = server.save(&key, "text\n").await;
    let paste = first.created();
    let deleted = server.delete(&paste.id, &paste.delete_token).await;
    assert_eq!(deleted.status, 204);
    server.advance(24 * HOUR).await;
    assert_replay(&server.save(&key, "text\n").await, &first);
    assert_eq!(server.get(&format!("/{}/raw", paste.id)).await.status, 404);
    assert!(server.rows().await.pastes.is_empty());
}

/// A save with a life of its own.
async fn save_living(server: &TestServer, key: &str, expires_in: &str) -> Reply {
    let path = format!("/api/pastes?expires_in={expires_in}");
    let save = server.request(Method::POST, &path);
    send(save.header("idempotency-key", key).body("text\n")).await
}

#[track_caller]
fn assert_replay(reply: &Reply, first: &Reply) {
    assert_eq!(reply.status, 201, "{reply:?}");
    assert_eq!(reply.body, first.body);
    assert_eq!(reply.header("idempotent-replayed"), "true");
}
