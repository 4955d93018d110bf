//! Two services over four PostgreSQL shards and a bucket: a paste's whole life.

use crate::harness::{Host, TestBucket, TestServer, fresh_key, send};
use app::wire::created::Created;
use futures_util::future::join_all;
use reqwest::Method;

const TEXT: &str = "first line\nsecond <line> \u{1f600}\n";

/// Longer than the origin cache takes, and read in pieces.
const LONG_BYTES: usize = 3 * 1024 * 1024 + 5;

/// Every way to the text.
const WAYS: [&str; 4] = ["", "/raw", "/download", "/raw?again"];

#[tokio::test(flavor = "multi_thread")]
async fn a_paste_lives_and_dies_on_both_servers() {
    let bucket = TestBucket::fresh().await;
    let server = TestServer::pair_on(Some(bucket.clone()), |_| {}).await;
    let key = fresh_key();
    let first = server.save(&key, TEXT).await;
    let paste = first.created();
    let again = server.save(&key, TEXT).await;
    assert_eq!(again.header("idempotent-replayed"), "true");
    assert_eq!(again.body, first.body);
    let rows = server.rows().await;
    let [row] = rows.pastes.as_slice() else {
        panic!("one paste");
    };
    let object = bucket.object(&row.object_key).await.unwrap();
    assert_eq!(object, TEXT.as_bytes());
    for host in server.hosts() {
        assert_is_read(&host, &paste).await;
    }
    assert_eq!(
        server.delete(&paste.id, &paste.delete_token).await.status,
        204
    );
    for host in server.hosts() {
        for way in WAYS {
            assert_eq!(host.get(&format!("/{}{way}", paste.id)).await.status, 404);
        }
        assert_eq!(
            host.get(&format!("/api/pastes/{}", paste.id)).await.status,
            404
        );
    }
}

async fn assert_is_read(host: &Host, paste: &Created) {
    for way in WAYS {
        let reply = host.get(&format!("/{}{way}", paste.id)).await;
        assert_eq!(
            (reply.status, reply.text()),
            (200, TEXT.to_owned()),
            "{way}"
        );
    }
    let page = host
        .get_with(&format!("/{}", paste.id), &[("accept", "text/html")])
        .await;
    assert!(page.text().contains("second &lt;line&gt; \u{1f600}"));
    let metadata = host.get(&format!("/api/pastes/{}", paste.id)).await;
    assert!(metadata.text().contains(&paste.sha256));
    let raw = format!("/{}/raw", paste.id);
    let part = host.get_with(&raw, &[("range", "bytes=6-9")]).await;
    assert_eq!((part.status, part.text()), (206, "line".to_owned()));
    let etag = format!("\"{}\"", paste.sha256);
    let fresh = host.get_with(&raw, &[("if-none-match", &etag)]).await;
    assert_eq!(fresh.status, 304);
    let head = host.ask(Method::HEAD, &raw, &[]).await;
    assert_eq!(head.header("content-length"), TEXT.len().to_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_text_is_kept_byte_for_byte_and_read_in_any_part() {
    let bucket = TestBucket::fresh().await;
    let server = TestServer::pair_on(Some(bucket), |_| {}).await;
    let text: Vec<u8> = (b'a'..=b'z').cycle().take(LONG_BYTES).collect();
    let paste = server.save_new(text.clone()).await.created();
    let raw = format!("/{}/raw", paste.id);
    for host in server.hosts() {
        assert!(host.get(&raw).await.body == text);
        for (asked, start, end) in [
            ("bytes=0-0", 0, 1),
            ("bytes=131071-131072", 131_071, 131_073),
            ("bytes=-7", LONG_BYTES - 7, LONG_BYTES),
        ] {
            let part = host.get_with(&raw, &[("range", asked)]).await;
            assert_eq!(part.status, 206);
            assert_eq!(part.body, text[start..end], "{asked}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_32_saves_at_once_with_one_key_one_paste_comes() {
    let bucket = TestBucket::fresh().await;
    let server = TestServer::pair_on(Some(bucket), |_| {}).await;
    let key = fresh_key();
    let saves = (0..32).map(|_| send(server.save_request(&key).body(TEXT)));
    let replies = join_all(saves).await;
    for reply in &replies {
        assert_eq!((reply.status, &reply.body), (201, &replies[0].body));
    }
    let rows = server.rows().await;
    assert_eq!((rows.pastes.len(), rows.keys.len()), (1, 1));
    assert_eq!(
        server
            .get(&format!("/{}/raw", replies[0].created().id))
            .await
            .text(),
        TEXT
    );
}
