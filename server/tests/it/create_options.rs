//! Title, syntax and expiry: how they are written and what is refused.

use crate::harness::{TestServer, fresh_key};
use serde_json::{Value, json};

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
    let long = "x".repeat(4_000);
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
            "{syntax:.20}"
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
        json!("3600s"),
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
        assert_eq!(reply.problem().title, "The expiry cannot be used");
    }
    let reply = server
        .save_with(&fresh_key(), "?expires_in=", &[], "a")
        .await;
    assert_eq!(reply.code(), "invalid_expiry");
}
