//! Texts are kept at the origin, and the row still decides every read: nothing dead is ever served from the cache.

use crate::harness::{Host, TestServer, fresh_key, send, text_files};
use futures_util::future::{join, join_all};
use reqwest::Method;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(60 * 60);

/// Every way to a text.
const VARIANTS: [&str; 4] = ["", "/raw", "/download", "/raw?again=1"];

#[tokio::test(flavor = "multi_thread")]
async fn a_text_is_fetched_from_the_store_once() {
    let server = TestServer::pair().await;
    let paste = server.save_new("kept\n").await.created();
    for host in server.hosts() {
        assert_eq!(text_of(&host, &paste.id).await, (200, "kept\n".into()));
    }
    remove_objects(server.data());
    for host in server.hosts() {
        assert_every_variant_is(&host, &paste.id, 200).await;
        let tail = host.request(Method::GET, &format!("/{}/raw", paste.id));
        let tail = send(tail.header("range", "bytes=2-")).await;
        assert_eq!((tail.status, tail.text()), (206, "pt\n".into()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_too_long_to_keep_is_read_from_the_store_each_time() {
    let server = TestServer::start().await;
    let paste = server.save_new(vec![b'x'; 1024 * 1024 + 1]).await.created();
    let raw = format!("/{}/raw", paste.id);
    assert_eq!(server.get(&raw).await.body.len(), 1024 * 1024 + 1);
    remove_objects(server.data());
    assert_eq!(server.get(&raw).await.status, 503);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_paste_is_gone_on_both_servers_that_have_kept_it() {
    let server = TestServer::pair().await;
    let [one, other] = server.hosts().try_into().unwrap();
    for (n, (deleting, reading)) in [(&one, &other), (&other, &one)].into_iter().enumerate() {
        let text = format!("text {n}\n");
        let paste = deleting.save_new(text.clone()).await.created();
        for host in [deleting, reading] {
            assert_eq!(text_of(host, &paste.id).await, (200, text.clone()));
        }
        let deleted = deleting.delete(&paste.id, &paste.delete_token).await;
        assert_eq!(deleted.status, 204);
        for host in [reading, deleting] {
            assert_every_variant_is(host, &paste.id, 404).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_paste_is_gone_though_it_is_kept() {
    let server = TestServer::start().await;
    let save = server.request(Method::POST, "/api/pastes?expires_in=1h");
    let save = save.header("idempotency-key", fresh_key());
    let paste = send(save.body("text\n")).await.created();
    assert_every_variant_is(&server, &paste.id, 200).await;
    server.advance(HOUR).await;
    assert_every_variant_is(&server, &paste.id, 404).await;
}

/// The fills of many readers race a delete; whoever asks after its 204 gets nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_delete_among_readers_wins() {
    let server = TestServer::pair().await;
    for _ in 0..20 {
        let paste = server.save_new("soon gone\n").await.created();
        let is_deleted = AtomicBool::new(false);
        let readers = (0..32).map(|_| async {
            loop {
                let was_deleted = is_deleted.load(Ordering::SeqCst);
                let (status, _) = text_of(&server, &paste.id).await;
                if status == 404 {
                    break;
                }
                assert_eq!((status, was_deleted), (200, false));
            }
        });
        let delete = async {
            let deleted = server.delete(&paste.id, &paste.delete_token).await;
            assert_eq!(deleted.status, 204);
            is_deleted.store(true, Ordering::SeqCst);
        };
        join(join_all(readers), delete).await;
        assert_every_variant_is(&server, &paste.id, 404).await;
    }
}

async fn text_of(host: &Host, id: &str) -> (u16, String) {
    let reply = host.get(&format!("/{id}/raw")).await;
    (reply.status, reply.text())
}

async fn assert_every_variant_is(host: &Host, id: &str, status: u16) {
    for variant in VARIANTS {
        let reply = host.get(&format!("/{id}{variant}")).await;
        assert_eq!(reply.status, status, "{variant}");
    }
}

fn remove_objects(data: &Path) {
    for object in text_files(&data.join("objects")) {
        fs::remove_file(object).unwrap();
    }
}
