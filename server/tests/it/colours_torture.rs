//! Texts that highlighters hang on: every view is a page, and nobody else waits.

use crate::harness::{Host, TestServer, fresh_key, until};
use futures_util::future::join_all;
use serde_json::json;
use std::time::Duration;

const HTML: (&str, &str) = ("accept", "text/html");

/// Names of inputs, their syntaxes, and the inputs (peers.md; the last four are the slowest lines found in our grammars).
fn inputs() -> Vec<(&'static str, String)> {
    let minified = "function a(b){return b?a(b-1):[1,'x',/y/]};".repeat(120_000);
    assert!(minified.len() > 5_000_000);
    vec![
        ("json", "[".repeat(100_000)),
        ("json", "[\n".repeat(19_000)),
        ("javascript", minified),
        ("markdown", "> ".repeat(10_000)),
        ("python", "\"'".repeat(10_000)),
        ("python", "\"'\n".repeat(10_000)),
        (
            "bash",
            format!("cat <<{}\n{}", "EOF".repeat(300), "a $b\n".repeat(15_000)),
        ),
        ("ruby", "x = <<~A + <<~B\n".repeat(10_000)),
        ("xml", "a <![CDATA[".repeat(50_000)),
        ("html", "<!--".repeat(50_000)),
        ("markdown", "~".repeat(100_000)),
        ("markdown", "[^\n".repeat(10_000)),
        ("markdown", "`".repeat(1_024)),
        ("ini", format!("{}\n", " ".repeat(1_024)).repeat(10)),
        ("cpp", format!("{}\n", "a::".repeat(340)).repeat(100)),
        ("javascript", "a;".repeat(500_000)),
        ("html", "<".repeat(1_000_000)),
    ]
}

async fn save(host: &Host, syntax: &str, content: &str) -> String {
    let json = json!({"content": content, "syntax": syntax});
    host.save_json(&fresh_key(), &json).await.created().id
}

/// The first thing that is shown of a text, as it stands in HTML.
fn beginning(content: &str) -> String {
    let start: String = content.chars().take_while(|c| *c != '\n').take(8).collect();
    start
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// All of it that the tests wait for: the page is there, and it is the text.
async fn assert_viewed(host: &Host, id: &str, content: &str) {
    let page = host.get_with(&format!("/{id}"), &[HTML]).await;
    assert_eq!(page.status, 200);
    let text = page.text();
    let (_, shown) = text.split_once("aria-label=\"1\"></a>").unwrap();
    let mut bare = shown.to_owned();
    for letter in ('a'..='z').map(|letter| format!("<i class=\"{letter}\">")) {
        bare = bare.replace(&letter, "");
    }
    let bare = bare.replace("</i>", "");
    assert!(
        bare.starts_with(&beginning(content)),
        "{}",
        &bare[..40.min(bare.len())]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn every_text_is_a_page_at_once_and_other_requests_go_on() {
    let server = TestServer::start_with(&[], |settings| {
        settings.highlighting.in_all = Duration::from_millis(100);
    })
    .await;
    let host = &server.hosts()[0];
    let small = host.save_new("small\n").await.created().id;
    for (syntax, content) in inputs() {
        let id = save(host, syntax, &content).await;
        assert_viewed(host, &id, &content).await;
        assert_eq!(host.get(&format!("/{small}/raw")).await.text(), "small\n");
        assert_viewed(host, &id, &content).await;
    }
    // When all that is through, a text of somebody else gets its colours.
    let id = save(host, "rust", "fn main() {}\n").await;
    let path = format!("/{id}");
    let has_colours = async || {
        host.get_with(&path, &[HTML])
            .await
            .text()
            .contains("<i class=\"k\">fn</i>")
    };
    until("colours after all", has_colours).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_such_views_at_once_are_twenty_pages() {
    let server = TestServer::start_with(&[], |settings| {
        settings.highlighting.in_all = Duration::from_millis(50);
    })
    .await;
    let host = &server.hosts()[0];
    let small = host.save_new("small\n").await.created().id;
    let line = "function a(b){return b?a(b-1):[1,'x',/y/]};".repeat(20) + "\n";
    let texts: Vec<_> = (0..20)
        .map(|number| format!("// {number}\n{}", line.repeat(600)))
        .collect();
    let saved = join_all(texts.iter().map(|text| save(host, "javascript", text))).await;
    let views = saved
        .iter()
        .zip(&texts)
        .map(|(id, text)| assert_viewed(host, id, text));
    let path = format!("/{small}/raw");
    let others = (0..50).map(|_| async { assert_eq!(host.get(&path).await.text(), "small\n") });
    tokio::join!(join_all(views), join_all(others));
}

/// More texts than the queue takes: a view that finds no room is a page all the same, and later views have colours.
#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_costs_colours_and_no_page() {
    let server = TestServer::start_with(&[], |settings| {
        settings.highlighting.queue = 1;
        settings.highlighting.at_once = Duration::ZERO;
    })
    .await;
    let host = &server.hosts()[0];
    let texts: Vec<_> = (0..10)
        .map(|number| format!("fn f() -> u8 {{ {number} }}\n"))
        .collect();
    let saved = join_all(texts.iter().map(|text| save(host, "rust", text))).await;
    let views = saved
        .iter()
        .zip(&texts)
        .map(|(id, text)| assert_viewed(host, id, text));
    join_all(views).await;
    for id in &saved {
        let path = format!("/{id}");
        let has_colours = async || {
            host.get_with(&path, &[HTML])
                .await
                .text()
                .contains("<i class=\"k\">fn</i>")
        };
        until("colours", has_colours).await;
    }
}
