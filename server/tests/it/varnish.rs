//! The operator's example on a real Varnish: what is cached, as how many copies, and what never is.

use crate::harness::{Reply, TestServer, Varnish, fresh_key};
use reqwest::Method;
use std::collections::BTreeMap;

const BROWSERS: [&str; 4] = [
    "text/html",
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
    "application/xhtml+xml, text/html",
    "text/plain, TEXT/HTML",
];

/// Whoever names no HTML.
const OTHERS: [&str; 4] = ["*/*", "text/plain", "image/png, text/*", "application/json"];

fn cache_of(reply: &Reply) -> &str {
    reply.header("x-cache")
}

/// The headers that are the origin's, whatever lies between.
fn origins_headers(reply: &Reply) -> BTreeMap<String, String> {
    let between = [
        "age",
        "via",
        "x-varnish",
        "x-cache",
        "date",
        "accept-ranges",
        "connection",
        "transfer-encoding",
    ];
    let lines = reply.lines().into_iter();
    lines
        .filter(|(name, _)| !between.contains(&name.as_str()))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_variant_is_cached_and_is_what_oncebin_answers() {
    let server = TestServer::start().await;
    let varnish = Varnish::before(server.address).await;
    let id = server
        .save_new("text of <many> variants\n")
        .await
        .created()
        .id;
    for (path, accept) in [
        (format!("/{id}"), "text/html"),
        (format!("/{id}"), "*/*"),
        (format!("/{id}?x=1"), "text/html"),
        (format!("/{id}/raw"), "*/*"),
        (format!("/{id}/raw?x=1&y"), "*/*"),
        (format!("/{id}/download"), "*/*"),
        (format!("/api/pastes/{id}"), "application/json"),
    ] {
        let lines = [("accept", accept)];
        let origin = server.get_with(&path, &lines).await;
        let missed = varnish.get_with(&path, &lines).await;
        let hit = varnish.get_with(&path, &lines).await;
        assert_eq!(
            (cache_of(&missed), cache_of(&hit)),
            ("miss", "hit"),
            "{path}"
        );
        for reply in [missed, hit] {
            assert_eq!((reply.status, &reply.body), (200, &origin.body), "{path}");
            let mut expected = origins_headers(&origin);
            let mut got = origins_headers(&reply);
            // It counts down at the origin, and Age up in the cache.
            for headers in [&mut expected, &mut got] {
                assert!(headers.remove("cdn-cache-control").is_some());
            }
            if got["content-type"].starts_with("text/html") {
                forget_compression(&mut expected);
                forget_compression(&mut got);
            }
            assert_eq!(got, expected, "{path}");
        }
    }
}

/// Takes away what differs in the headers of a page that is kept compressed.
fn forget_compression(headers: &mut BTreeMap<String, String>) {
    let vary = headers.get_mut("vary").unwrap();
    *vary = vary.replace(", Accept-Encoding", "");
    headers.remove("content-length");
}

#[tokio::test(flavor = "multi_thread")]
async fn all_browsers_share_one_copy_and_so_do_all_others() {
    let server = TestServer::start().await;
    let varnish = Varnish::before(server.address).await;
    let path = format!("/{}", server.save_new("shared\n").await.created().id);
    for (kind, is_page) in [(BROWSERS, true), (OTHERS, false)] {
        for (n, accept) in kind.into_iter().enumerate() {
            let reply = varnish.get_with(&path, &[("accept", accept)]).await;
            assert_eq!(
                cache_of(&reply),
                if n == 0 { "miss" } else { "hit" },
                "{accept}"
            );
            assert_eq!(
                reply.header("content-type").starts_with("text/html"),
                is_page
            );
        }
    }
    // Where HTML is weighed against text, oncebin decides.
    for (accept, is_page) in [
        ("text/html;q=0.4, text/plain;q=0.5", false),
        ("text/html;q=0", false),
        ("text/html;level=1", true),
    ] {
        let reply = varnish.get_with(&path, &[("accept", accept)]).await;
        assert_eq!(
            reply.header("content-type").starts_with("text/html"),
            is_page,
            "{accept}"
        );
    }
    let encoded = [("accept", "text/html"), ("accept-encoding", "gzip, br")];
    let page = varnish.get_with(&path, &encoded).await;
    assert_eq!(
        (cache_of(&page), page.header("content-encoding")),
        ("hit", "gzip")
    );
    let raw = varnish
        .get_with(&path, &[("accept-encoding", "gzip, br")])
        .await;
    assert_eq!(
        (cache_of(&raw), raw.header("content-encoding")),
        ("hit", "")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn parts_heads_and_conditions_are_answered_from_the_copy() {
    let server = TestServer::start().await;
    let varnish = Varnish::before(server.address).await;
    let raw = format!("/{}/raw", server.save_new("0123456789").await.created().id);
    let whole = varnish.get(&raw).await;
    let etag = whole.header("etag").to_owned();
    let part = varnish.get_with(&raw, &[("range", "bytes=2-4")]).await;
    assert_eq!(
        (part.status, part.text(), cache_of(&part)),
        (206, "234".to_owned(), "hit")
    );
    let fresh = varnish.get_with(&raw, &[("if-none-match", &etag)]).await;
    assert_eq!((fresh.status, cache_of(&fresh)), (304, "hit"));
    assert_eq!(fresh.header("etag"), etag);
    for no_range in ["bytes=0-1,3-4", "bytes=x", "lines=0-1"] {
        let all = varnish.get_with(&raw, &[("range", no_range)]).await;
        assert_eq!(
            (all.status, all.text()),
            (200, "0123456789".to_owned()),
            "{no_range}"
        );
    }
    let none = varnish.get_with(&raw, &[("range", "bytes=10-")]).await;
    assert_eq!(
        (none.status, none.header("content-range")),
        (416, "bytes */10")
    );
    let head = varnish.ask(Method::HEAD, &raw, &[]).await;
    assert_eq!(
        (head.status, cache_of(&head), head.header("content-length")),
        (200, "hit", "10")
    );
    let lone = varnish
        .get_with(&format!("{raw}?x"), &[("range", "bytes=-1")])
        .await;
    assert_eq!(
        (lone.status, lone.text(), cache_of(&lone)),
        (206, "9".to_owned(), "miss")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_paste_is_never_kept() {
    let server = TestServer::start().await;
    let varnish = Varnish::before(server.address).await;
    for path in [
        "/2w0123456789AB",
        "/2w0123456789AB/raw",
        "/api/pastes/2w0123456789AB",
        "/nothing",
        "/",
        "/livez",
    ] {
        for accept in ["text/html", "*/*"] {
            let reply = varnish.get_with(path, &[("accept", accept)]).await;
            assert_eq!(cache_of(&reply), "pass", "{path}");
            assert_eq!(
                reply.status,
                server.get_with(path, &[("accept", accept)]).await.status
            );
        }
    }
    let forms = [varnish.get("/").await.text(), varnish.get("/").await.text()];
    assert_ne!(forms[0], forms[1], "each form has a key of its own");
}

#[tokio::test(flavor = "multi_thread")]
async fn saves_and_deletes_go_through() {
    let server = TestServer::start().await;
    let varnish = Varnish::before(server.address).await;
    let (key, text) = (fresh_key(), "x".repeat(5 * 1024 * 1024));
    let saved = varnish.save(&key, text.clone()).await;
    let again = varnish.save(&key, text.clone()).await;
    assert_eq!(
        (saved.status, cache_of(&saved), &again.body),
        (201, "pass", &saved.body)
    );
    assert_eq!(again.header("idempotent-replayed"), "true");
    let paste = saved.created();
    assert!(varnish.raw(&paste.id).await == text);
    assert_eq!(
        varnish
            .delete(&paste.id, "once_abcdefghijklmnopqrstuvwxyz")
            .await
            .status,
        404
    );
    assert_eq!(
        varnish.delete(&paste.id, &paste.delete_token).await.status,
        204
    );
    let form = varnish.empty_form().await;
    let page = varnish
        .post_form(
            "/",
            &[("idempotency_key", &form.key), ("content", "by form\n")],
        )
        .await;
    assert_eq!(varnish.raw(&page.saved_id()).await, "by form\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_origin_that_is_down_is_503_and_is_not_kept() {
    let server = TestServer::start().await;
    let varnish = Varnish::before(server.address).await;
    let path = format!("/{}/raw", server.save_new("text").await.created().id);
    let copied = varnish.get(&format!("{path}?copied")).await;
    let kept = server.stop().await;
    let copy = varnish.get(&format!("{path}?copied")).await;
    assert_eq!((copy.status, copy.body), (200, copied.body));
    let reply = varnish.get(&path).await;
    assert_eq!((reply.status, reply.header("retry-after")), (503, "1"));
    assert_eq!(reply.header("cache-control"), "no-store");
    assert!(reply.text().starts_with("unavailable: "));
    let save = varnish.save_new("text").await;
    assert_eq!((save.status, save.header("retry-after")), (503, "1"));
    drop(kept);
}
