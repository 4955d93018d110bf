//! `GET /?from=ID`: the form with what a paste holds.

use crate::harness::{ShownForm, TestServer, fresh_key};
use reqwest::Method;
use serde_json::json;
use std::time::Duration;

const HTML: [(&str, &str); 1] = [("accept", "text/html")];

#[tokio::test(flavor = "multi_thread")]
async fn the_form_has_text_title_and_syntax_and_saves_another_paste() {
    let server = TestServer::start().await;
    let text = "\n  <b>\"é\"</b> & </textarea>\n\n";
    let json = json!({"content": text, "title": "\"T\" <i>", "syntax": "RS", "expires_in": "1h"});
    let id = server.save_json(&fresh_key(), &json).await.created().id;
    let page = server.get_with(&format!("/?from={id}"), &HTML).await;
    let form = ShownForm::of(&page);
    assert_eq!(
        (&*form.content, &*form.title, &*form.syntax),
        (text, "\"T\" <i>", "RS")
    );
    assert_eq!(form.expires_in, "30d", "an expiry of its own");
    let fields = [
        ("idempotency_key", &*form.key),
        ("content", &form.content),
        ("title", &form.title),
        ("syntax", &form.syntax),
    ];
    let other = server.post_multipart(&fields).await.saved_id();
    assert_ne!(other, id);
    assert_eq!(server.raw(&other).await, text);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_form_has_a_key_of_its_own() {
    let server = TestServer::start().await;
    let id = server.save_new("text").await.created().id;
    let path = format!("/?from={id}");
    let first = ShownForm::of(&server.get_with(&path, &HTML).await);
    let second = ShownForm::of(&server.get_with(&path, &HTML).await);
    assert_ne!(first.key, second.key);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paste_that_is_not_there_is_the_one_404() {
    let server = TestServer::start().await;
    let expired = server
        .save_with(&fresh_key(), "?expires_in=60", &[], "expired")
        .await
        .created()
        .id;
    let deleted = server.save_new("deleted").await.created();
    server.delete(&deleted.id, &deleted.delete_token).await;
    server.advance(Duration::from_secs(61)).await;
    let expected = server.get_with("/2w0123456789AB", &HTML).await;
    for from in [
        &*expired,
        &deleted.id,
        "2w0123456789AB",
        "zz0123456789AB",
        "nonsense",
        "",
    ] {
        let reply = server.get_with(&format!("/?from={from}"), &HTML).await;
        assert_eq!(
            (reply.status, reply.lines()),
            (404, expected.lines()),
            "{from}"
        );
        assert_eq!(reply.body, expected.body, "{from}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_text_comes_whole_and_head_has_no_body() {
    let server = TestServer::start().await;
    let text = "<line> & \"more\"\n".repeat(10_000);
    let id = server.save_new(text.clone()).await.created().id;
    let path = format!("/?from={id}");
    let page = server.get_with(&path, &HTML).await;
    assert_eq!(ShownForm::of(&page).content, text);
    let head = server.ask(Method::HEAD, &path, &HTML).await;
    assert_eq!((head.status, head.lines()), (200, page.lines()));
    assert!(head.body.is_empty());
}
