//! A create's body as JSON.

use crate::harness::{Reply, TestServer, fresh_key, send};

async fn json_text(server: &TestServer, body: &str) -> Reply {
    let request = server.save_request(&fresh_key());
    let request = request.header("content-type", "application/json");
    send(request.body(body.to_owned())).await
}

#[tokio::test(flavor = "multi_thread")]
async fn json_is_read_by_meaning_and_null_is_absence() {
    let server = TestServer::start().await;
    let key = fresh_key();
    let first = server.save(&key, "a/é").await;
    for body in [
        r#"{"content":"a/é"}"#,
        "  {\n\"content\" :\t\"\\u0061\\/\\u00e9\"\r\n}  ",
        r#"{"title":null,"syntax":null,"expires_in":null,"content":"a/é"}"#,
        r#"{"title":"","content":"a/é"}"#,
    ] {
        let request = server.save_request(&key);
        let request = request.header("content-type", "application/json; charset=utf-8");
        let again = send(request.body(body)).await;
        assert_eq!(again.status, 201, "{body}");
        assert_eq!(again.body, first.body, "{body}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_the_json_of_a_save_is_malformed() {
    let server = TestServer::start().await;
    for body in [
        "",
        "hello",
        "null",
        "42",
        "\"text\"",
        "[]",
        r#"["text",null,null,null]"#,
        "{}",
        r#"{"content":null}"#,
        r#"{"content":1}"#,
        r#"{"content":["a"]}"#,
        r#"{"content":{"a":1}}"#,
        r#"{"content":"a""#,
        r#"{"content":"a"} x"#,
        r#"{"content":"a"}{"content":"a"}"#,
        r#"{"content":"a",}"#,
        r#"{"content":"a","content":"a"}"#,
        r#"{"content":"a","title":null,"title":"t"}"#,
        r#"{"content":"a","language":"rust"}"#,
        r#"{"Content":"a"}"#,
        r#"{"content":"a","title":1}"#,
        r#"{"content":"a","syntax":true}"#,
        r#"{"content":"a","expires_in":true}"#,
        r#"{"content":"a","expires_in":[60]}"#,
        r#"{"content":"a","expires_in":{}}"#,
        r#"{"content":"a","expires_in":1e309}"#,
        r#"{"content":"a","expires_in":NaN}"#,
        r#"{"content":"a","expires_in":060}"#,
        r#"{"content":"\ud800"}"#,
        r#"{"content":"\udc00\ud800"}"#,
        "{\"content\":\"a\nb\"}",
        "\u{feff}{\"content\":\"a\"}",
    ] {
        let reply = json_text(&server, body).await;
        assert_eq!(
            (reply.status, &*reply.code()),
            (400, "malformed_body"),
            "{body}"
        );
    }
    let request = server.save_request(&fresh_key());
    let request = request.header("content-type", "application/json");
    let reply = send(request.body(&b"{\"content\":\"\xff\"}"[..])).await;
    assert_eq!(reply.code(), "malformed_body");
}

/// A short plain name is repeated; what could be a key, a token or anything else is not.
#[tokio::test(flavor = "multi_thread")]
async fn the_member_that_is_wrong_is_named() {
    let server = TestServer::start().await;
    let token = "once_abcdefghijklmnopqrstuvwxyz";
    let (secret, key) = (format!(r#"{{"{token}":1}}"#), fresh_key());
    let keyed = format!(r#"{{"{key}":1}}"#);
    for (body, words) in [
        (
            r#"{"content":"x","a":1}"#,
            "save: a is no member of it, see line 1 column 18.",
        ),
        (r#"{"Content":"x"}"#, "save: Content is no member of it,"),
        (
            r#"{"expires-in":"1h"}"#,
            "save: expires-in is no member of it,",
        ),
        (
            r#"{"content":"a","content":"b"}"#,
            "save: content is there twice,",
        ),
        (
            r#"{"title":null,"content":"a","title":"t"}"#,
            "save: title is there twice,",
        ),
        (
            r#"{"content":"a","syntax":true}"#,
            "save: syntax is of the wrong type,",
        ),
        (
            r#"{"content":"a","expires_in":[60]}"#,
            "save: expires_in is of the wrong type,",
        ),
        (r#"{"":1}"#, "save: it has an unknown member,"),
        (r#"{"<b>":1}"#, "save: it has an unknown member,"),
        (r#"{"line\none":1}"#, "save: it has an unknown member,"),
        (&secret, "save: it has an unknown member,"),
        (&keyed, "save: it has an unknown member,"),
        (r#"{"content":"a""#, "save: see line 1 column "),
        (r#"{"content":"a"} x"#, "save: see line 1 column 17."),
    ] {
        let detail = json_text(&server, body).await.problem().detail;
        assert!(detail.contains(words), "{body}: {detail}");
        let allowed = r#"Send {"content": string}, and if you like title, syntax and expires_in"#;
        assert!(detail.contains(allowed), "{detail}");
        assert!(
            !detail.contains(token) && !detail.contains(&key),
            "{detail}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn deep_json_is_refused_and_harms_nobody() {
    let server = TestServer::start().await;
    for (open, close) in [("[", "]"), ("{\"content\":", "}")] {
        let deep = format!("{}{}", open.repeat(100_000), close.repeat(100_000));
        assert_eq!(json_text(&server, &deep).await.code(), "malformed_body");
    }
    assert_eq!(server.get("/livez").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn options_of_json_stand_in_the_body_only() {
    let server = TestServer::start().await;
    let json = [("content-type", "application/json")];
    let body = r#"{"content":"a"}"#;
    let reply = server
        .save_with(&fresh_key(), "?title=x", &json, body)
        .await;
    assert_eq!(reply.code(), "malformed_body");
    let reply = server.save_with(&fresh_key(), "?", &json, body).await;
    assert_eq!(reply.status, 201);
}

/// The limit counts the content, so a body of nothing but escapes may be six times as long.
#[tokio::test(flavor = "multi_thread")]
async fn a_json_body_may_be_longer_by_its_escapes() {
    let server = TestServer::start_with(&["--max-paste-bytes=100KiB"], |_| {}).await;
    let escapes = "\\u0000".repeat(100 * 1024);
    let reply = json_text(&server, &format!("{{\"content\":\"{escapes}\"}}")).await;
    assert_eq!(reply.created().size, 100 * 1024);
    let reply = json_text(
        &server,
        &format!("{{\"content\":\"a\"{}}}", " ".repeat(700 * 1024)),
    )
    .await;
    assert_eq!(reply.code(), "paste_too_large");
    assert_eq!(reply.problem().limit, Some(100 * 1024));
}
