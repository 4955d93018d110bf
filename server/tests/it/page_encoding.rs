//! Which answers are compressed, and that a cached page is never more than the row allows.

use crate::harness::{Host, PATIENCE, Reply, TestServer, fresh_key};
use flate2::read::GzDecoder;
use futures_util::future::join_all;
use reqwest::Method;
use std::io::Read;
use tokio::time::timeout;

const HTML: (&str, &str) = ("accept", "text/html");
const GZIP: (&str, &str) = ("accept-encoding", "gzip, deflate, br");

fn gunzip(reply: &Reply) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(&*reply.body)
        .read_to_end(&mut bytes)
        .unwrap();
    bytes
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_compressed_for_whoever_takes_gzip() {
    let server = TestServer::start().await;
    let texts = ["some text\n".to_owned(), "some more text\n".repeat(20_000)];
    for text in texts {
        let path = format!("/{}", server.save_new(text).await.created().id);
        let plain = server.get_with(&path, &[HTML]).await;
        let packed = server.get_with(&path, &[HTML, GZIP]).await;
        assert_eq!(
            (
                plain.header("content-encoding"),
                packed.header("content-encoding")
            ),
            ("", "gzip")
        );
        assert_eq!(gunzip(&packed), plain.body);
        assert!(packed.body.len() * 2 < plain.body.len());
        for name in [
            "etag",
            "vary",
            "cdn-cache-control",
            "content-security-policy",
        ] {
            assert_eq!(plain.header(name), packed.header(name), "{name}");
        }
        assert_eq!(plain.header("vary"), "accept, accept-encoding");
        let refused = server
            .get_with(&path, &[HTML, ("accept-encoding", "gzip;q=0")])
            .await;
        assert_eq!(refused.body, plain.body);
        let head = server.ask(Method::HEAD, &path, &[HTML, GZIP]).await;
        assert_eq!(head.lines(), packed.lines());
    }
}

/// Each of them needs a turn to read the text, for its colours are being worked out, and then one to decompress.
#[tokio::test(flavor = "multi_thread")]
async fn many_readers_of_a_large_text_who_take_no_gzip_all_get_its_page() {
    let server = TestServer::start().await;
    let text = "some text of a long log\n".repeat(100_000);
    let path = format!("/{}", server.save_new(text).await.created().id);
    let asking = join_all((0..24).map(|_| server.get_with(&path, &[HTML])));
    let replies = timeout(PATIENCE, asking)
        .await
        .expect("nobody waits for ever");
    for reply in replies {
        assert_eq!(reply.status, 200);
        assert!(reply.text().contains("some text of a long log"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_markdown_tab_and_the_picture_are_compressed_too() {
    let server = TestServer::start().await;
    let text = "# Title\n\nsome *text*\n".repeat(100);
    let id = server.save_new(text).await.created().id;
    for what in ["markdown", "qr.svg"] {
        let path = format!("/{id}/{what}");
        let plain = server.get(&path).await;
        let packed = server.get_with(&path, &[GZIP]).await;
        assert_eq!(
            (
                plain.header("content-encoding"),
                packed.header("content-encoding")
            ),
            ("", "gzip"),
            "{what}"
        );
        assert_eq!(gunzip(&packed), plain.body, "{what}");
        assert!(packed.body.len() * 2 < plain.body.len(), "{what}");
        assert_eq!(plain.header("etag"), packed.header("etag"), "{what}");
        let known = [GZIP, ("if-none-match", plain.header("etag"))];
        let unchanged = server.get_with(&path, &known).await;
        assert_eq!(unchanged.status, 304, "{what}");
        for reply in [&plain, &packed, &unchanged] {
            assert_eq!(reply.header("vary"), "accept-encoding", "{what}");
        }
        let head = server.ask(Method::HEAD, &path, &[GZIP]).await;
        assert_eq!(head.lines(), packed.lines(), "{what}");
    }
}

/// A secret beside text that somebody else chose, compressed, can be found by its length.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_with_a_secret_and_no_raw_text_is_compressed() {
    let server = TestServer::start().await;
    let created = server.save_new("x".repeat(10_000)).await;
    assert_eq!(created.header("content-encoding"), "");
    let id = created.created().id;
    for path in [
        "/".to_owned(),
        format!("/?from={id}"),
        "/saved".into(),
        format!("/{id}/raw"),
        format!("/{id}/download"),
        format!("/{id}"),
    ] {
        let reply = server.get_with(&path, &[GZIP]).await;
        assert_eq!(
            (reply.status, reply.header("content-encoding")),
            (200, ""),
            "{path}"
        );
    }
    let fields = format!("idempotency_key={}&content=x", fresh_key());
    let post = server
        .request(Method::POST, "/")
        .header("accept-encoding", "gzip");
    let post = post
        .header("content-type", "application/x-www-form-urlencoded")
        .body(fields);
    let result = crate::harness::send(post).await;
    assert_eq!(
        (result.status, result.header("content-encoding")),
        (201, "")
    );
    assert!(result.text().contains("once_"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_kept_is_gone_with_its_paste() {
    let server = TestServer::start().await;
    let created = server.save_new("some text\n").await.created();
    let path = format!("/{}", created.id);
    let tags = async |host: &Host| {
        let page = host.get_with(&path, &[HTML, GZIP]).await;
        assert_eq!(page.status, 200);
        page.header("etag").to_owned()
    };
    let mut seen = Vec::new();
    for host in server.hosts() {
        seen.push(tags(&host).await);
    }
    assert_eq!(
        server
            .delete(&created.id, &created.delete_token)
            .await
            .status,
        204
    );
    for (host, tag) in server.hosts().iter().zip(&seen) {
        for lines in [
            vec![HTML],
            vec![HTML, GZIP],
            vec![HTML, ("if-none-match", tag.as_str())],
        ] {
            let reply = host.get_with(&path, &lines).await;
            assert_eq!(
                (reply.status, reply.header("cache-control")),
                (404, "no-store")
            );
        }
    }
}
