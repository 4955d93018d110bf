//! The headers that every answer has, whatever it says, and what pages may load.

use crate::harness::{Reply, TestServer, fresh_key, send};
use reqwest::Method;
use std::collections::BTreeSet;

const BASELINE: [(&str, &str); 6] = [
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("x-frame-options", "DENY"),
    ("strict-transport-security", "max-age=31536000"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

fn assert_baseline(reply: &Reply, what: &str) {
    for (name, value) in BASELINE {
        assert_eq!(reply.header(name), value, "{what}: {name}");
    }
    let policy = directives(reply.header("content-security-policy"));
    assert!(policy.contains("default-src 'none'"), "{what}: {policy:?}");
    assert!(
        policy.contains("frame-ancestors 'none'"),
        "{what}: {policy:?}"
    );
    assert_ne!(reply.header("cache-control"), "", "{what}");
    for name in [
        "server",
        "x-powered-by",
        "via",
        "set-cookie",
        "access-control-allow-origin",
    ] {
        assert_eq!(reply.header(name), "", "{what}: {name}");
    }
}

fn directives(policy: &str) -> BTreeSet<&str> {
    policy.split(';').map(str::trim).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_status_has_the_baseline() {
    let server = TestServer::start_with(&["--max-paste-bytes=1000"], |_| {}).await;
    let key = fresh_key();
    let id = server.save(&key, "text").await.created().id;
    let doomed = server.save_new("text").await.created();
    let deleted = server.delete(&doomed.id, &doomed.delete_token).await;
    assert_eq!(deleted.status, 204);
    assert_baseline(&deleted, "204");
    let page = format!("/{id}");
    let raw = format!("/{id}/raw");
    let etag = server.get(&raw).await.header("etag").to_owned();
    for accept in ["text/html", "*/*", "text/plain"] {
        for (method, path, line, body, status) in [
            (Method::GET, "/", ("x", ""), "", 200),
            (Method::GET, "/saved", ("x", ""), "", 200),
            (Method::GET, "/docs", ("x", ""), "", 200),
            (Method::GET, "/api/openapi.json", ("x", ""), "", 200),
            (Method::GET, "/mine", ("x", ""), "", 200),
            (Method::GET, "/robots.txt", ("x", ""), "", 200),
            (Method::GET, "/livez", ("x", ""), "", 200),
            (Method::GET, "/readyz", ("x", ""), "", 200),
            (Method::GET, &page, ("x", ""), "", 200),
            (Method::GET, &raw, ("x", ""), "", 200),
            (Method::GET, &raw, ("if-none-match", &etag), "", 304),
            (Method::GET, &page, ("if-none-match", "*"), "", 304),
            (Method::GET, &raw, ("range", "bytes=0-1"), "", 206),
            (Method::GET, &raw, ("range", "bytes=9-"), "", 416),
            (Method::GET, &raw, ("if-match", "\"other\""), "", 412),
            (Method::GET, "/nothing", ("x", ""), "", 404),
            (Method::GET, "/pkg/nothing.js", ("x", ""), "", 404),
            (Method::GET, "/api/pastes/nothing", ("x", ""), "", 404),
            (Method::PUT, "/", ("x", ""), "", 405),
            (Method::PUT, "/pkg/nothing.js", ("x", ""), "", 405),
            (
                Method::OPTIONS,
                "/api/pastes",
                ("origin", "https://evil.example"),
                "",
                405,
            ),
            (Method::DELETE, "/api/pastes/nothing", ("x", ""), "", 401),
            (Method::POST, "/api/pastes", ("x", ""), "a", 400),
            (
                Method::POST,
                "/api/pastes",
                ("idempotency-key", &key),
                "other",
                409,
            ),
            (
                Method::POST,
                "/api/pastes",
                ("idempotency-key", &key),
                "text",
                201,
            ),
            (
                Method::POST,
                "/api/pastes",
                ("idempotency-key", &fresh_key()),
                "",
                422,
            ),
            (
                Method::POST,
                "/api/pastes",
                ("idempotency-key", &fresh_key()),
                &"x".repeat(1001),
                413,
            ),
            (Method::POST, "/", ("x", ""), "", 415),
            (
                Method::POST,
                "/",
                ("content-type", "application/x-www-form-urlencoded"),
                "content=x",
                400,
            ),
        ] {
            let request = server
                .request(method.clone(), path)
                .header("accept", accept)
                .header(line.0, line.1);
            let reply = send(request.body(body.to_owned())).await;
            assert_eq!(reply.status, status, "{method} {path} {accept} {}", line.0);
            assert_baseline(&reply, &format!("{status} {method} {path} {accept}"));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_limited_and_unavailable_have_the_baseline() {
    let server = TestServer::start_with(&["--create-rate=3"], |settings| {
        settings.deadlines.request_body = std::time::Duration::from_millis(100);
    })
    .await;
    let id = server.save_new("text").await.created().id;
    let limited = server.save_new("text").await;
    assert_eq!(limited.status, 429);
    assert_baseline(&limited, "429");
    std::fs::remove_dir_all(server.data().join("objects")).unwrap();
    let unavailable = server.get(&format!("/{id}")).await;
    assert_eq!(unavailable.status, 503);
    assert_baseline(&unavailable, "503");
    let form = "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\nx";
    let slow = server.connect().await.ask(form).await;
    assert_eq!(slow.status, 408);
    for (name, value) in BASELINE {
        assert_eq!(slow.header(name), value, "408: {name}");
    }
}

/// A body's time that no clock can hold is a bug like any other: an answer and no broken connection.
#[tokio::test(flavor = "multi_thread")]
async fn a_panic_is_500_with_the_baseline() {
    let server = TestServer::start_with(&[], |settings| {
        settings.deadlines.request_body = std::time::Duration::MAX;
    })
    .await;
    let panicked = server.save_new("text").await;
    assert_eq!((panicked.status, &*panicked.code()), (500, "internal"));
    assert_baseline(&panicked, "500");
    let form = server.post_form("/", &[("content", "text")]).await;
    assert_eq!(form.status, 500);
    assert_baseline(&form, "500");
    assert_eq!(server.get("/").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operators_pages_have_the_baseline() {
    let server = TestServer::start().await;
    for (method, path, status) in [
        (Method::GET, "/livez", 200),
        (Method::GET, "/readyz", 200),
        (Method::GET, "/metrics", 200),
        (Method::GET, "/", 404),
        (Method::GET, "/nothing", 404),
        (Method::POST, "/metrics", 405),
    ] {
        let reply = server.admin().ask(method, path, &[]).await;
        assert_eq!(reply.status, status, "{path}");
        assert_baseline(&reply, path);
        assert_eq!(reply.header("cache-control"), "no-store", "{path}");
    }
}

/// What the pages of this site are, with what they show.
async fn pages(server: &TestServer) -> Vec<Reply> {
    let html = [("accept", "text/html")];
    let text = "<script>alert(1)</script><b onclick=x style=y>\u{202e}";
    let key = fresh_key();
    let result = server
        .post_form("/", &[("idempotency_key", &key), ("content", text)])
        .await;
    let url = result.header("location").to_owned();
    let id = url.rsplit('/').next().unwrap();
    let token = server.save(&key, text).await.created().delete_token;
    let mut pages = vec![
        server.get_with("/", &html).await,
        server.get_with("/saved", &html).await,
        server.get_with("/docs", &html).await,
        server.get_with(&format!("/{id}"), &html).await,
        server.get_with("/nothing", &html).await,
        server
            .post_form("/", &[("idempotency_key", "none"), ("content", text)])
            .await,
        result,
    ];
    pages.push(
        server
            .post_form(&format!("/{id}/delete"), &[("delete_token", &token)])
            .await,
    );
    pages.push(server.get_with("/mine", &html).await);
    pages
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_load_this_sites_files_and_nothing_inline() {
    let server = TestServer::start_with(&["--report-contact=abuse@example.org"], |_| {}).await;
    for page in pages(&server).await {
        assert_baseline(&page, "a page");
        let policy = page.header("content-security-policy");
        assert!(
            !policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"),
            "{policy}"
        );
        assert!(
            !policy.contains("http:") && !policy.contains("https:") && !policy.contains('*'),
            "{policy}"
        );
        let directives = directives(policy);
        for directive in [
            "script-src 'self' 'wasm-unsafe-eval'",
            "style-src 'self'",
            "connect-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
        ] {
            assert!(directives.contains(directive), "{directive} in {policy}");
        }
        assert_nothing_inline(&page.text());
    }
}

/// No script without an address, no style, no handler, no foreign address but those we write.
fn assert_nothing_inline(html: &str) {
    for tag in html
        .split('<')
        .skip(1)
        .filter_map(|rest| rest.split('>').next())
    {
        let name = tag.split(' ').next().unwrap();
        assert!(
            name != "style" && name != "base" && name != "iframe",
            "{tag}"
        );
        assert!(name != "script" || tag.contains(" src=\"/pkg/"), "{tag}");
        assert!(!tag.contains(" style=") && !tag.contains(" on"), "{tag}");
        assert!(!tag.contains("javascript:"), "{tag}");
        let loads = ["link", "script", "img"].contains(&name) && tag.contains("//");
        assert!(
            !loads || tag.contains("href=\"data:image/svg+xml,"),
            "{tag}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_form_is_for_search_engines() {
    let server = TestServer::start().await;
    for (number, page) in pages(&server).await.into_iter().enumerate() {
        let noindex = page
            .text()
            .contains("<meta name=\"robots\" content=\"noindex\">");
        let is_form = number == 0 || number == 5;
        assert_eq!(noindex, !is_form, "page {number}");
    }
    let robots = server.get("/robots.txt").await;
    assert_eq!(robots.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(robots.text(), "User-agent: *\nAllow: /$\nDisallow: /\n");
}
