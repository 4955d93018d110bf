//! The two forms of a create's body, what may stand beside the content, and what each refuses.

use crate::harness::{Reply, TestServer, fresh_key, send};
use reqwest::Method;
use serde_json::{Value, json};

async fn json_text(server: &TestServer, body: &str) -> Reply {
    let request = server.save_request(&fresh_key());
    let request = request.header("content-type", "application/json");
    send(request.body(body.to_owned())).await
}

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
            "?&title=%C3%BCber&syntax=rs&expires_in=3600s",
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

#[tokio::test(flavor = "multi_thread")]
async fn a_query_string_holds_each_option_once_and_nothing_else() {
    let server = TestServer::start().await;
    for query in [
        "?lang=rust",
        "?title=a&title=a",
        "?expires_in=1h&expires_in=1h",
        "?Title=a",
        "?=a",
        "?title=%ff",
        "?syntax=rs&%C3=1",
        "?content=a",
        "?delete_token=a",
    ] {
        let reply = server.save_with(&fresh_key(), query, &[], "a").await;
        assert_eq!(
            (reply.status, &*reply.code()),
            (400, "malformed_query"),
            "{query}"
        );
    }
    let reply = server
        .save_with(&fresh_key(), "?title=a+b%20%26%3D%2Bc", &[], "a")
        .await;
    let path = format!("/api/pastes/{}", reply.created().id);
    let metadata: Value = serde_json::from_slice(&server.get(&path).await.body).unwrap();
    assert_eq!(metadata["title"], "a b &=+c");
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

#[tokio::test(flavor = "multi_thread")]
async fn a_title_is_one_line_of_at_most_200_characters() {
    let server = TestServer::start().await;
    let save = async |title: &str| {
        let json = json!({"content": "a", "title": title});
        server.save_json(&fresh_key(), &json).await
    };
    for title in [
        "t",
        " ",
        &"é".repeat(200),
        "מאמר \u{202e}x",
        "<script>alert(1)</script>",
        "\"; x=y",
    ] {
        let id = save(title).await.created().id;
        let metadata = server.get(&format!("/api/pastes/{id}")).await;
        let metadata: Value = serde_json::from_slice(&metadata.body).unwrap();
        assert_eq!(metadata["title"], title);
    }
    let long = save(&"é".repeat(201)).await;
    assert_eq!((long.status, &*long.code()), (422, "invalid_title"));
    assert_eq!(long.problem().limit, Some(200));
    for title in ["a\nb", "a\rb", "\t", "\0", "\u{7f}", "\u{85}", "\u{1b}[0m"] {
        let reply = save(title).await;
        assert_eq!(
            (reply.status, &*reply.code()),
            (422, "invalid_title"),
            "{title:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_syntax_is_a_known_name_or_extension() {
    let server = TestServer::start().await;
    for syntax in ["rust", "rs", "Rust", "c%2B%2B", "plain", "txt"] {
        let query = format!("?syntax={syntax}");
        assert_eq!(
            server
                .save_with(&fresh_key(), &query, &[], "a")
                .await
                .status,
            201,
            "{syntax}"
        );
    }
    let long = "x".repeat(40_000);
    for syntax in [
        "",
        "klingon",
        ".rs",
        "..%2f..%2fx",
        "%3Cb%3E",
        "rust%0a",
        &long,
    ] {
        let query = format!("?syntax={syntax}");
        let reply = server.save_with(&fresh_key(), &query, &[], "a").await;
        assert_eq!(
            (reply.status, &*reply.code()),
            (422, "invalid_syntax"),
            "{:.20}",
            syntax
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expiry_is_seconds_or_a_number_with_a_unit_within_the_bounds() {
    let server = TestServer::start_with(&["--max-expiry=40d"], |_| {}).await;
    let save = async |expires_in: Value| {
        let json = json!({"content": "a", "expires_in": expires_in});
        server.save_json(&fresh_key(), &json).await
    };
    for (given, seconds) in [
        (json!(60), 60),
        (json!("60"), 60),
        (json!("10m"), 600),
        (json!("1h"), 3600),
        (json!("30d"), 2_592_000),
        (json!(3_456_000), 3_456_000),
        (Value::Null, 2_592_000),
    ] {
        let created = save(given.clone()).await.created();
        let [from, to]: [jiff::Timestamp; 2] =
            [created.created_at, created.expires_at].map(|time| time.parse().unwrap());
        assert_eq!(to.duration_since(from).as_secs(), seconds, "{given}");
        assert!(from.to_string().ends_with('Z'));
    }
    for (given, limit) in [
        (json!(0), 60),
        (json!(59), 60),
        (json!(3_456_001), 3_456_000),
        (json!("41d"), 3_456_000),
    ] {
        let reply = save(given.clone()).await;
        assert_eq!(
            (reply.status, &*reply.code()),
            (422, "invalid_expiry"),
            "{given}"
        );
        assert_eq!(reply.problem().limit, Some(limit), "{given}");
    }
    for given in [
        json!(-1),
        json!(60.5),
        json!(60.0),
        json!(u64::MAX),
        json!(1e300),
        json!(""),
        json!("soon"),
        json!("1h; drop"),
        json!("-60"),
        json!("+60"),
        json!(" 60"),
        json!("1h30m"),
        json!("1w"),
        json!("1.5h"),
        json!("99999999999999999999"),
        json!("999999999999999999d"),
        json!("１h"),
    ] {
        let reply = save(given.clone()).await;
        assert_eq!(
            (reply.status, &*reply.code()),
            (422, "invalid_expiry"),
            "{given}"
        );
    }
    let reply = server
        .save_with(&fresh_key(), "?expires_in=", &[], "a")
        .await;
    assert_eq!(reply.code(), "invalid_expiry");
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
