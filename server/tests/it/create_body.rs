//! The body of a create: forms that mean the same, kinds that are not read, and the bounds of content.

use crate::harness::{TestServer, fresh_key};
use reqwest::Method;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn json_raw_and_form_that_mean_the_same_are_one_request() {
    let server = TestServer::start().await;
    let key = fresh_key();
    let json =
        json!({"content": "fn main() {}\n", "title": "über", "syntax": "rs", "expires_in": "1h"});
    let first = server.save_json(&key, &json).await;
    let spellings: [(&str, &[(&str, &str)]); 5] = [
        ("?title=%C3%BCber&syntax=rs&expires_in=3600", &[]),
        (
            "?expires_in=60m&syntax=rs&title=%c3%bcber",
            &[("content-type", "text/plain")],
        ),
        (
            "?title=%C3%BCber&syntax=rs&expires_in=1h",
            &[("content-type", "TEXT/x-rust; Charset=\"UTF-8\"")],
        ),
        (
            "?title=%C3%BCber&syntax=rs&expires_in=1h&",
            &[("content-type", "application/x-www-form-urlencoded")],
        ),
        (
            "?&title=%C3%BCber&syntax=rs&expires_in=3600",
            &[("accept", "text/plain")],
        ),
    ];
    for (query, lines) in spellings {
        let again = server.save_with(&key, query, lines, "fn main() {}\n").await;
        assert_eq!(again.status, 201, "{query}");
        assert_eq!(again.header("idempotent-replayed"), "true", "{query}");
    }
    let fields = [
        ("content", "fn main() {}\r\n"),
        ("title", "über"),
        ("syntax", "rs"),
        ("expires_in", "1h"),
        ("idempotency_key", &key),
    ];
    let page = server.post_form("/", &fields).await;
    assert_eq!(page.status, 201);
    assert_eq!(page.header("idempotent-replayed"), "true");
    assert!(page.text().contains(&first.created().delete_token));
}

#[tokio::test(flavor = "multi_thread")]
async fn other_media_types_charsets_and_encodings_are_refused_with_the_command() {
    let server = TestServer::start().await;
    for line in [
        ("content-type", "multipart/form-data; boundary=x"),
        ("content-type", "Multipart/Form-Data"),
        ("content-type", "text/plain; charset=iso-8859-1"),
        ("content-type", "text/html;charset=utf-7"),
        (
            "content-type",
            "text/plain; format=flowed; charset=\"utf-16\"",
        ),
        ("content-type", "application/json; charset=latin1"),
        ("content-type", "text/plain; charset=utf8"),
        ("content-type", "text/plain; charset="),
        ("content-type", "text/plain; charset=utf-8; charset=latin1"),
        ("content-encoding", "gzip"),
        ("content-encoding", "gzip, gzip"),
        ("content-encoding", "br"),
        ("content-encoding", "identity;q=0"),
        ("content-encoding", ""),
    ] {
        let reply = server.save_with(&fresh_key(), "", &[line], "a").await;
        let problem = reply.problem();
        assert_eq!(
            (reply.status, &*reply.code()),
            (415, "unsupported_media_type"),
            "{line:?}"
        );
        assert!(
            problem
                .detail
                .contains("curl --data-binary @file -H \"Idempotency-Key:"),
            "{problem:?}"
        );
    }
}

/// Which of two types is meant, nobody knows.
#[tokio::test(flavor = "multi_thread")]
async fn two_lines_of_content_type_are_refused() {
    let server = TestServer::start().await;
    for types in [
        ["text/plain", "multipart/form-data; boundary=x"],
        ["application/json", "text/plain"],
        ["text/plain", "text/plain"],
    ] {
        let lines = types.map(|media_type| ("content-type", media_type));
        let reply = server
            .save_with(&fresh_key(), "", &lines, r#"{"content":"a"}"#)
            .await;
        assert_eq!(
            (reply.status, &*reply.code()),
            (415, "unsupported_media_type"),
            "{types:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn content_has_a_byte_at_least_the_limit_at_most_and_is_utf8() {
    let server = TestServer::start_with(&["--max-paste-bytes=100"], |_| {}).await;
    let full = "é".repeat(50);
    assert_eq!(server.save_new(full.clone()).await.created().size, 100);
    assert_eq!(
        server
            .save_json(&fresh_key(), &json!({"content": full}))
            .await
            .created()
            .size,
        100
    );
    for reply in [
        server.save_new(format!("{full}x")).await,
        server
            .save_json(&fresh_key(), &json!({"content": format!("{full}x")}))
            .await,
    ] {
        assert_eq!((reply.status, &*reply.code()), (413, "paste_too_large"));
        assert_eq!(reply.problem().limit, Some(100));
    }
    for reply in [
        server.save_new("").await,
        server
            .save_json(&fresh_key(), &json!({"content": ""}))
            .await,
        server.save_new(&b"\xff\xfe"[..]).await,
        server.save_new(&b"truncated \xe2\x82"[..]).await,
        server.save_new(&b"\xed\xa0\x80"[..]).await,
        server.save_new(&b"\xc0\xaf"[..]).await,
    ] {
        assert_eq!((reply.status, &*reply.code()), (422, "invalid_content"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_save_leaves_its_key_free() {
    let server = TestServer::start().await;
    let key = fresh_key();
    for (query, lines, body) in [
        ("?syntax=klingon", &[][..], "a"),
        ("", &[("content-type", "application/json")], "nonsense"),
        ("", &[("content-encoding", "gzip")], "a"),
        ("?x=y", &[], "a"),
        ("", &[], ""),
    ] {
        let refused = server.save_with(&key, query, lines, body).await;
        assert!((400..500).contains(&refused.status));
    }
    let saved = server.save(&key, "at last").await;
    assert_eq!(
        (saved.status, saved.header("idempotent-replayed")),
        (201, "")
    );
    assert_eq!(
        server
            .ask(Method::GET, &format!("/{}/raw", saved.created().id), &[])
            .await
            .text(),
        "at last"
    );
}
