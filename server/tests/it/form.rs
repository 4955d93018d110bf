//! The form without JavaScript: the key travels in it, and a reload replays.

use crate::harness::{ShownForm, TestServer, fresh_key, send};
use reqwest::Method;
use reqwest::multipart::{Form, Part};

#[tokio::test(flavor = "multi_thread")]
async fn each_form_has_a_key_of_its_own() {
    let server = TestServer::start().await;
    let (one, other) = (server.empty_form().await, server.empty_form().await);
    assert_ne!(one.key, other.key);
    assert!(oncebin::pastes::IdempotencyKey::parse(one.key.as_bytes()).is_ok());
    assert_eq!(
        (&*one.content, &*one.title, &*one.syntax, &*one.expires_in),
        ("", "", "", "30d")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_save_is_201_with_the_page_itself_and_a_reload_replays_it() {
    let server = TestServer::start().await;
    let key = server.empty_form().await.key;
    let fields = [
        ("idempotency_key", &*key),
        ("content", "hello"),
        ("title", "T"),
        ("syntax", "rs"),
        ("expires_in", "1h"),
    ];
    let first = server.post_multipart(&fields).await;
    assert_eq!(
        (first.status, first.header("content-type")),
        (201, "text/html; charset=utf-8")
    );
    assert_eq!(first.header("idempotent-replayed"), "");
    let created = server
        .save_with(&key, "?title=T&syntax=rs&expires_in=1h", &[], "hello")
        .await
        .created();
    assert_eq!(first.header("location"), created.url);
    assert!(first.text().contains(&created.url) && first.text().contains(&created.delete_token));
    for reload in [
        server.post_multipart(&fields).await,
        server.post_form("/", &fields).await,
    ] {
        assert_eq!((reload.status, &reload.body), (201, &first.body));
        assert_eq!(reload.header("idempotent-replayed"), "true");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_used_key_with_other_text_gives_the_text_back_under_a_key_that_saves() {
    let server = TestServer::start().await;
    let key = server.empty_form().await.key;
    let first = server
        .post_multipart(&[("idempotency_key", &key), ("content", "first")])
        .await;
    let edited = "\n\r\nedited </textarea><b>&amp; \"quoted\"\r\n";
    let fields = [
        ("idempotency_key", &*key),
        ("content", edited),
        ("title", "a \"title\""),
        ("syntax", "rust"),
        ("expires_in", "7d"),
    ];
    let page = server.post_multipart(&fields).await;
    assert_eq!(page.status, 409);
    assert!(
        !page.text().contains(&first.saved_id()),
        "nothing of the first paste"
    );
    let shown = ShownForm::of(&page);
    assert_ne!(shown.key, key);
    assert_eq!(shown.content, edited.replace("\r\n", "\n"));
    assert_eq!(
        (&*shown.title, &*shown.syntax, &*shown.expires_in),
        ("a \"title\"", "rust", "7d")
    );
    let again = [
        ("idempotency_key", &*shown.key),
        ("content", &shown.content),
        ("title", &shown.title),
        ("syntax", &shown.syntax),
        ("expires_in", &shown.expires_in),
    ];
    let second = server.post_multipart(&again).await.saved_id();
    assert_ne!(second, first.saved_id());
    assert_eq!(server.raw(&second).await, edited.replace("\r\n", "\n"));
    assert_eq!(server.raw(&first.saved_id()).await, "first");
}

#[tokio::test(flavor = "multi_thread")]
async fn line_ends_are_lf_again_and_everything_else_stays() {
    let server = TestServer::start().await;
    for (typed, saved) in [
        ("a\r\nb\r\n\r\nc", "a\nb\n\nc"),
        ("a\nb\rc\r\r\nd", "a\nb\rc\r\nd"),
        ("\r\n", "\n"),
        (
            "  a\t \u{feff}\u{1f600}\u{202e}שלום\u{fffd}",
            "  a\t \u{feff}\u{1f600}\u{202e}שלום\u{fffd}",
        ),
        ("100%+1&b=c;d%41", "100%+1&b=c;d%41"),
        (
            "--x\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nno title",
            "--x\nContent-Disposition: form-data; name=\"title\"\n\nno title",
        ),
    ] {
        let fields = |key| [("idempotency_key", key), ("content", typed)];
        let (one, other) = (fresh_key(), fresh_key());
        for page in [
            server.post_multipart(&fields(&*one)).await,
            server.post_form("/", &fields(&other)).await,
        ] {
            assert_eq!(server.raw(&page.saved_id()).await, saved, "{typed:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_field_is_an_absent_one() {
    let server = TestServer::start().await;
    let key = fresh_key();
    let fields = [
        ("title", ""),
        ("syntax", ""),
        ("expires_in", ""),
        ("content", "text"),
        ("idempotency_key", &key),
    ];
    let page = server.post_multipart(&fields).await;
    let raw = server.save(&key, "text").await;
    assert_eq!(
        (raw.status, raw.header("idempotent-replayed")),
        (201, "true")
    );
    assert_eq!(raw.created().id, page.saved_id());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_of_a_file_is_a_field() {
    let server = TestServer::start().await;
    let file = Part::bytes(&b"from a file\r\n"[..])
        .file_name("a.txt")
        .mime_str("text/plain")
        .unwrap();
    let form = Form::new()
        .text("idempotency_key", fresh_key())
        .part("content", file)
        .text("unknown", "ignored");
    let page = send(server.request(Method::POST, "/").multipart(form)).await;
    assert_eq!(server.raw(&page.saved_id()).await, "from a file\n");
}
