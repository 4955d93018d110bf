//! Colours of texts: at once, later, or as far as the budget goes.

use crate::harness::{Host, Reply, TestServer, fresh_key, until};
use serde_json::json;
use std::time::Duration;

const HTML: (&str, &str) = ("accept", "text/html");

const RUST: &str = "/// Adds.\nfn add(a: u8) -> u8 {\n    a + 1\n}\n";

/// The words of a page whose colours are still to come.
const PENDING: &str = "Colours follow on the next view.";

async fn save(server: &Host, content: &str, syntax: Option<&str>, title: Option<&str>) -> String {
    let json = json!({"content": content, "syntax": syntax, "title": title});
    server.save_json(&fresh_key(), &json).await.created().id
}

async fn view(host: &Host, id: &str) -> Reply {
    host.get_with(&format!("/{id}"), &[HTML]).await
}

/// Views a paste until its colours are there.
async fn finished(host: &Host, id: &str) -> Reply {
    until("colours", async || !is_pending(&view(host, id).await)).await;
    view(host, id).await
}

fn is_pending(page: &Reply) -> bool {
    assert_eq!(page.status, 200);
    let text = page.text();
    let is_pending = text.contains(PENDING);
    assert!(!is_pending || !text.contains("<i class"));
    let is_brief = page.header("cdn-cache-control") == "public, max-age=10";
    assert_eq!(is_pending, is_brief, "{}", page.header("cdn-cache-control"));
    is_pending
}

/// More text than is coloured while a reader waits.
fn long_rust() -> String {
    RUST.repeat(1_000)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_has_colours_in_the_syntax_it_was_given() {
    let server = TestServer::start().await;
    let host = &server.hosts()[0];
    let id = save(host, RUST, Some("rs"), None).await;
    let page = finished(host, &id).await.text();
    for element in [
        "<i class=\"c\">/// Adds.</i>\n",
        "<i class=\"k\">fn</i> <i class=\"f\">add</i>(",
        "<i class=\"n\">1</i>\n",
    ] {
        assert!(page.contains(element), "{element} in {page}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_syntax_the_title_or_the_text_tells() {
    let server = TestServer::start().await;
    let host = &server.hosts()[0];
    for (content, syntax, title, coloured) in [
        ("let x = 1;\n", None, Some("src/x.rs"), true),
        ("#!/bin/sh\necho 1\n", None, None, true),
        ("{\"a\": 2}\n", None, None, true),
        ("{\"a\": 3}\n", Some("plain"), Some("x.json"), false),
        ("{\"a\": 4}\n", None, Some("notes.txt"), false),
        ("some words, 5\n", None, Some("A title"), false),
    ] {
        let id = save(host, content, syntax, title).await;
        let page = finished(host, &id).await.text();
        assert_eq!(page.contains("<i class"), coloured, "{content}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_text_is_plain_at_first_and_then_never_again() {
    let server = TestServer::start_with(&[], |settings| {
        settings.highlighting.in_all = Duration::from_secs(60);
    })
    .await;
    let host = &server.hosts()[0];
    let id = save(host, &long_rust(), Some("rust"), None).await;
    let first = view(host, &id).await;
    assert!(is_pending(&first));
    let last = finished(host, &id).await;
    assert!(last.text().contains("<i class=\"k\">fn</i>"));
    assert_eq!(last.header("cdn-cache-control"), "public, max-age=86400");
    assert_ne!(first.header("etag"), last.header("etag"));
    let path = format!("/{id}");
    for (tag, status) in [(&first, 200), (&last, 304)] {
        let condition = ("if-none-match", tag.header("etag"));
        let reply = host.get_with(&path, &[HTML, condition]).await;
        assert_eq!(reply.status, status);
    }
    for _ in 0..20 {
        assert_eq!(view(host, &id).await.body, last.body);
    }
}

/// What one server has coloured another need not: its readers have the page already.
#[tokio::test(flavor = "multi_thread")]
async fn a_reader_with_the_finished_page_is_told_so_by_a_server_that_never_made_it() {
    let server = TestServer::pair().await;
    let [first, second] = &server.hosts()[..] else {
        panic!("two services");
    };
    let id = save(first, &long_rust(), Some("rust"), None).await;
    let page = finished(first, &id).await;
    let condition = [HTML, ("if-none-match", page.header("etag"))];
    let reply = second.get_with(&format!("/{id}"), &condition).await;
    assert_eq!(reply.status, 304);
    assert_eq!(reply.header("etag"), page.header("etag"));
    assert_eq!(
        reply.header("cdn-cache-control"),
        page.header("cdn-cache-control")
    );
    assert!(is_pending(&view(second, &id).await), "it had no colours");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_text_is_coloured_once() {
    let server = TestServer::start().await;
    let host = &server.hosts()[0];
    let first = save(host, &long_rust(), Some("rust"), Some("first")).await;
    let second = save(host, &long_rust(), Some("rust"), Some("second")).await;
    finished(host, &first).await;
    assert!(!is_pending(&view(host, &second).await));
}

#[tokio::test(flavor = "multi_thread")]
async fn past_the_budget_the_rest_of_a_text_is_plain_and_the_page_says_where() {
    let server = TestServer::start_with(&[], |settings| {
        settings.highlighting.in_all = Duration::from_millis(20);
    })
    .await;
    let host = &server.hosts()[0];
    let text = long_rust().repeat(4);
    let id = save(host, &text, Some("rust"), None).await;
    let ends = async || {
        view(host, &id)
            .await
            .text()
            .contains("Colours end at line ")
    };
    until("an end", ends).await;
    let page = view(host, &id).await;
    let (coloured, plain) = page
        .text()
        .rsplit_once("</i>")
        .map_or((0, 0), |(before, after)| {
            (
                before.matches("id=\"L").count(),
                after.matches("id=\"L").count(),
            )
        });
    assert!(coloured > 0 && plain > 1_000, "{coloured} {plain}");
    assert_eq!(page.header("cdn-cache-control"), "public, max-age=10");
    let condition = [HTML, ("if-none-match", page.header("etag"))];
    assert_eq!(
        host.get_with(&format!("/{id}"), &condition).await.status,
        304
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_short_text_does_not_wait_for_a_long_one() {
    let server = TestServer::start_with(&[], |settings| {
        settings.highlighting.in_all = Duration::from_secs(600);
    })
    .await;
    let host = &server.hosts()[0];
    let long = save(host, &long_rust().repeat(20), Some("rust"), None).await;
    assert!(is_pending(&view(host, &long).await));
    let short = save(host, RUST, Some("rust"), None).await;
    assert!(finished(host, &short).await.text().contains("<i class"));
    assert!(is_pending(&view(host, &long).await), "the long one first");
}
