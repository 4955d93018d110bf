//! Which rendering of a paste a client gets, and what it and a CDN may keep of it.

use crate::harness::{TestServer, fresh_key};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

const HTML: (&str, &str) = (
    "accept",
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
);

#[tokio::test(flavor = "multi_thread")]
async fn who_names_html_gets_the_page_and_who_does_not_the_text() {
    let server = TestServer::start().await;
    let path = format!("/{}", server.save_new("some text").await.created().id);
    for (accept, html) in [
        (HTML.1, true),
        ("text/html", true),
        ("TEXT/HTML;level=1", true),
        ("application/xhtml+xml", true),
        ("text/plain;q=0.4, text/html;q=0.5", true),
        ("*/*", false),
        ("text/*", false),
        ("", false),
        ("image/avif,image/webp,*/*", false),
        ("application/json", false),
        ("text/plain, text/html;q=0.9", false),
        ("text/html;q=0", false),
        ("text/html;q=nonsense", false),
    ] {
        let reply = server.get_with(&path, &[("accept", accept)]).await;
        assert_eq!(reply.status, 200);
        let vary = if html {
            "accept, accept-encoding"
        } else {
            "accept"
        };
        assert_eq!(reply.header("vary"), vary, "{accept}");
        assert_eq!(
            reply.header("content-type").starts_with("text/html"),
            html,
            "{accept}"
        );
        assert_eq!(reply.text() == "some text", !html, "{accept}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn metadata_has_these_members() {
    let server = TestServer::start().await;
    let json = json!({"content": "héllo", "title": "T", "syntax": "RS", "expires_in": "1h"});
    let created = server.save_json(&fresh_key(), &json).await.created();
    let reply = server
        .get_with(&format!("/api/pastes/{}", created.id), &[HTML])
        .await;
    assert_eq!(reply.header("content-type"), "application/json");
    let metadata: Value = serde_json::from_slice(&reply.body).unwrap();
    let expected = json!({
        "id": created.id, "url": created.url, "title": "T", "syntax": "RS", "size": 6, "sha256": created.sha256,
        "created_at": created.created_at, "expires_at": created.expires_at,
    });
    assert_eq!(metadata, expected);
    let bare = server.save_new("x").await.created().id;
    let metadata: Value =
        serde_json::from_slice(&server.get(&format!("/api/pastes/{bare}")).await.body).unwrap();
    assert_eq!(
        (&metadata["title"], &metadata["syntax"]),
        (&Value::Null, &Value::Null)
    );
}

/// Every rendering of one paste.
fn renderings(id: &str) -> Vec<(String, Vec<(&'static str, &'static str)>)> {
    vec![
        (format!("/{id}"), vec![HTML]),
        (format!("/{id}"), vec![]),
        (format!("/{id}/raw"), vec![]),
        (format!("/{id}/download"), vec![]),
        (format!("/{id}/markdown"), vec![]),
        (format!("/{id}/qr.svg"), vec![]),
        (format!("/api/pastes/{id}"), vec![]),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn head_has_the_headers_of_get_and_no_body() {
    let server = TestServer::start().await;
    let id = server.save_new("some text").await.created().id;
    let others = [
        "/",
        "/saved",
        "/mine",
        "/robots.txt",
        "/livez",
        "/readyz",
        "/nothing",
        "/2w0123456789AB",
        "/api/pastes/2w0123456789AB",
    ];
    let others = others.into_iter().map(|path| (path.to_owned(), vec![]));
    for (path, lines) in renderings(&id).into_iter().chain(others) {
        let get = server.get_with(&path, &lines).await;
        let head = server.ask(Method::HEAD, &path, &lines).await;
        assert_eq!(
            (head.status, head.lines()),
            (get.status, get.lines()),
            "{path}"
        );
        assert_eq!(
            get.header("content-length"),
            get.body.len().to_string(),
            "{path}"
        );
        assert!(head.body.is_empty() && !get.body.is_empty());
    }
}

/// axum counts an empty body, and hyper writes the count for HEAD: it would say that the whole answer is empty.
#[tokio::test(flavor = "multi_thread")]
async fn a_304_to_head_is_that_to_get_and_says_nothing_of_a_length() {
    let server = TestServer::start().await;
    let id = server.save_new("some text").await.created().id;
    let described = ["/docs", "/api/openapi.json"].map(|path| (path.to_owned(), vec![]));
    for (path, lines) in renderings(&id).into_iter().chain(described) {
        let lines = [&lines[..], &[("if-none-match", "*")]].concat();
        let get = server.get_with(&path, &lines).await;
        let head = server.ask(Method::HEAD, &path, &lines).await;
        assert_eq!((get.status, head.status), (304, 304), "{path}");
        assert_eq!(head.lines(), get.lines(), "{path}");
        assert!(!head.headers.contains_key("content-length"), "{path}");
    }
}

/// A cache gives a kept answer the headers of the 304, so these must be those of the 200, policy included.
#[tokio::test(flavor = "multi_thread")]
async fn a_304_has_the_headers_of_the_200_it_stands_for() {
    let server = TestServer::start().await;
    let id = server.save_new("some text").await.created().id;
    for (path, lines) in renderings(&id) {
        let whole = server.get_with(&path, &lines).await;
        let etag = whole.header("etag").to_owned();
        let strong = whole.header("content-type").starts_with("text/plain");
        assert_eq!(etag.starts_with('"'), strong, "{path} {etag}");
        let condition = [("if-none-match", &*etag)];
        let fresh = server
            .get_with(&path, &[&lines[..], &condition].concat())
            .await;
        assert_eq!((fresh.status, fresh.body.len()), (304, 0), "{path}");
        let of_the_body = [
            "content-type",
            "content-length",
            "content-disposition",
            "accept-ranges",
            "cdn-cache-control",
        ];
        let kept = |lines: Vec<(String, String)>| {
            lines
                .into_iter()
                .filter(|(name, _)| !of_the_body.contains(&&**name))
                .collect::<Vec<_>>()
        };
        assert_eq!(kept(fresh.lines()), kept(whole.lines()), "{path}");
        assert_ne!(fresh.header("cdn-cache-control"), "");
        let other = [("if-none-match", "W/\"other\"")];
        assert_eq!(
            server
                .get_with(&path, &[&lines[..], &other].concat())
                .await
                .status,
            200
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_reader_gets_the_same_page() {
    let server = TestServer::start().await;
    let id = server.save_new("some text").await.created().id;
    for (path, lines) in renderings(&id) {
        let first = server.get_with(&path, &lines).await;
        server.advance(Duration::from_secs(3600)).await;
        let other = [
            ("user-agent", "other"),
            ("accept-language", "pl"),
            ("cookie", "a=b"),
            ("x-forwarded-for", "192.0.2.1"),
        ];
        let second = server
            .get_with(&format!("{path}?x=1"), &[&lines[..], &other].concat())
            .await;
        assert_eq!((first.status, &first.body), (200, &second.body), "{path}");
        assert_eq!(first.header("etag"), second.header("etag"));
        assert_eq!(second.header("set-cookie"), "");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cdn_keeps_a_copy_no_longer_than_the_paste_lives() {
    let server = TestServer::start().await;
    let max_age = |value: &str| {
        value
            .strip_prefix("public, max-age=")
            .unwrap()
            .parse::<u64>()
            .unwrap()
    };
    let json = json!({"content": "short", "expires_in": 90});
    let id = server.save_json(&fresh_key(), &json).await.created().id;
    for (passed, left) in [(0, 90), (80, 10)] {
        server.advance(Duration::from_secs(passed)).await;
        for (path, lines) in renderings(&id) {
            let reply = server.get_with(&path, &lines).await;
            assert_eq!(
                reply.header("cache-control"),
                "public, max-age=0, must-revalidate"
            );
            assert!(max_age(reply.header("cdn-cache-control")) <= left, "{path}");
            assert_eq!(
                (reply.header("surrogate-key"), reply.header("cache-tag")),
                (&*id, &*id)
            );
        }
    }
    let long = server.save_new("long").await.created().id;
    let reply = server.get(&format!("/{long}")).await;
    assert_eq!(max_age(reply.header("cdn-cache-control")), 24 * 60 * 60);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_carries_a_key_or_a_token_is_kept_by_nobody() {
    let server = TestServer::start().await;
    let form = server.get_with("/", &[HTML]).await;
    let result = server
        .post_form("/", &[("idempotency_key", &fresh_key()), ("content", "x")])
        .await;
    let again = server
        .post_form("/", &[("idempotency_key", "none"), ("content", "x")])
        .await;
    let saved = server.get_with("/saved", &[HTML]).await;
    let id = server.save_new("x").await.created().id;
    let filled = server.get_with(&format!("/?from={id}"), &[HTML]).await;
    for reply in [
        filled,
        form,
        result,
        again,
        saved,
        server.save_new("x").await,
    ] {
        assert_eq!(reply.header("cache-control"), "no-store");
        assert_eq!(
            (reply.header("cdn-cache-control"), reply.header("etag")),
            ("", "")
        );
        assert_eq!(reply.header("content-encoding"), "");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_form_is_the_form_whatever_is_accepted() {
    let server = TestServer::start().await;
    for accept in ["*/*", "text/plain", "application/json", "image/png", ""] {
        let reply = server
            .get_with("/?content=prefilled", &[("accept", accept)])
            .await;
        assert_eq!(
            (reply.status, reply.header("content-type")),
            (200, "text/html; charset=utf-8")
        );
        assert!(!reply.text().contains("prefilled"));
    }
}
