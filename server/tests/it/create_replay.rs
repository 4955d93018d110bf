//! The retry: the stored 201, byte for byte, and what it tells somebody who sends another text.

use crate::harness::{Reply, TestServer, fresh_key, send};
use futures_util::stream;
use reqwest::Method;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_retry_gets_the_same_201_and_says_that_it_is_one() {
    let server = TestServer::start().await;
    let key = fresh_key();
    let first = server.save(&key, "once\n").await;
    let second = server.save(&key, "once\n").await;
    assert_eq!(first.created(), second.created());
    assert_eq!(first.body, second.body);
    assert_eq!(first.header("location"), second.header("location"));
    assert_eq!(first.header("idempotent-replayed"), "");
    assert_eq!(second.header("idempotent-replayed"), "true");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_201_has_these_members_and_headers() {
    let server = TestServer::start().await;
    let reply = server.save_new("hello").await;
    let created = reply.created();
    let json: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
    let names: Vec<_> = json
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let mut expected = [
        "id",
        "url",
        "created_at",
        "expires_at",
        "size",
        "sha256",
        "delete_token",
    ];
    expected.sort_unstable();
    assert_eq!(names, expected);
    assert_eq!(reply.header("content-type"), "application/json");
    assert_eq!(reply.header("cache-control"), "no-store");
    assert_eq!(reply.header("location"), created.url);
    assert_eq!(reply.header("content-encoding"), "");
    assert_eq!(created.url, server.url(&format!("/{}", created.id)));
    assert_eq!(created.size, 5);
    assert_eq!(
        created.sha256,
        "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    );
    assert!(
        created
            .delete_token
            .parse::<app::wire::token::DeleteToken>()
            .is_ok()
    );
    assert!(created.created_at.ends_with('Z') && created.expires_at.ends_with('Z'));
}

#[tokio::test(flavor = "multi_thread")]
async fn both_renderings_come_from_the_same_stored_201() {
    let server = TestServer::start().await;
    let key = fresh_key();
    let plain = [("accept", "text/plain")];
    let first = server.save_with(&key, "", &plain, "hello").await;
    assert_eq!(first.status, 201);
    let created = server.save(&key, "hello").await.created();
    let again = server.save_with(&key, "", &plain, "hello").await;
    for reply in [&first, &again] {
        assert_eq!(reply.text(), format!("{}\n", created.url));
        assert_eq!(reply.header("delete-token"), created.delete_token);
        assert_eq!(reply.header("content-type"), "text/plain; charset=utf-8");
        assert_eq!(reply.header("location"), created.url);
        assert_eq!(reply.header("vary"), "accept");
        assert_eq!(reply.header("cache-control"), "no-store");
    }
    assert_eq!(again.header("idempotent-replayed"), "true");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_accept_that_names_neither_rendering_gets_json() {
    let server = TestServer::start().await;
    for accept in [
        "*/*",
        "",
        "image/png",
        "text/html",
        "text/*",
        "text/plain;q=0",
        "text/plain;q=0.5, application/json",
        ",;q=;",
    ] {
        let reply = server
            .save_with(&fresh_key(), "", &[("accept", accept)], "hello")
            .await;
        assert_eq!(reply.header("content-type"), "application/json", "{accept}");
        assert_eq!(reply.header("delete-token"), "", "{accept}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_request_with_the_key_is_409_and_learns_nothing() {
    let server = TestServer::start().await;
    let key = fresh_key();
    let created = server
        .save_with(
            &key,
            "?title=first&syntax=rust&expires_in=1h",
            &[],
            "first\n",
        )
        .await
        .created();
    let mut bodies = Vec::new();
    for (query, content) in [
        ("?title=first&syntax=rust&expires_in=1h", "first"),
        ("?title=first&syntax=rust&expires_in=1h", "first\r\n"),
        ("?title=First&syntax=rust&expires_in=1h", "first\n"),
        ("?title=&syntax=rust&expires_in=1h", "first\n"),
        ("?syntax=rust&expires_in=1h", "first\n"),
        ("?title=first&syntax=rs&expires_in=1h", "first\n"),
        ("?title=first&expires_in=1h", "first\n"),
        ("?title=first&syntax=rust&expires_in=3601", "first\n"),
        ("?title=first&syntax=rust", "first\n"),
        ("", "first\n"),
        ("", "x"),
    ] {
        let reply = server.save_with(&key, query, &[], content).await;
        assert_eq!(
            (reply.status, &*reply.code()),
            (409, "idempotency_key_reused"),
            "{query}"
        );
        assert!(!reply.problem().retryable);
        let headers = format!("{:?}", reply.headers);
        for secret in [
            &created.id,
            &created.delete_token,
            &created.sha256,
            &created.created_at,
            &key,
        ] {
            assert!(!reply.text().contains(secret) && !headers.contains(secret));
        }
        bodies.push(reply.body);
    }
    assert!(bodies.windows(2).all(|pair| pair[0] == pair[1]), "one 409");
    assert_eq!(
        server.get(&format!("/{}/raw", created.id)).await.text(),
        "first\n"
    );
}

/// Absent is absent: the default, spelled out, is another request.
#[tokio::test(flavor = "multi_thread")]
async fn a_default_that_is_spelled_out_is_another_request() {
    let server = TestServer::start().await;
    let key = fresh_key();
    server.save(&key, "text").await.created();
    for query in ["?expires_in=30d", "?syntax=plain"] {
        assert_eq!(
            server.save_with(&key, query, &[], "text").await.status,
            409,
            "{query}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stored_201_outlives_the_paste() {
    let server = TestServer::start().await;
    let key = fresh_key();
    let first = server.save(&key, "gone").await;
    let created = first.created();
    assert_eq!(
        server
            .delete(&created.id, &created.delete_token)
            .await
            .status,
        204
    );
    let again = server.save(&key, "gone").await;
    assert_eq!((again.status, &again.body), (201, &first.body));
    assert_eq!(server.get(&format!("/{}", created.id)).await.status, 404);
}

/// Sends one text in every way there is, with a key for each way.
async fn save_every_way(server: &TestServer, keys: &[String; 5], text: &str) -> [Reply; 5] {
    let [raw, json, form, multipart, chunked] = keys;
    let fields = |key| {
        [
            ("idempotency_key", key),
            ("content", text),
            ("expires_in", "300d"),
        ]
    };
    let body = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(fields(chunked))
        .finish();
    let pieces = body.as_bytes().chunks(10_000).map(<[u8]>::to_vec);
    let pieces: Vec<_> = pieces.map(Ok::<_, std::io::Error>).collect();
    let chunked = server
        .request(Method::POST, "/")
        .header("content-type", "application/x-www-form-urlencoded")
        .body(reqwest::Body::wrap_stream(stream::iter(pieces)));
    [
        server
            .save_with(raw, "?expires_in=300d", &[], text.to_owned())
            .await,
        server
            .save_json(json, &json!({"content": text, "expires_in": "300d"}))
            .await,
        server.post_form("/", &fields(form)).await,
        server.post_multipart(&fields(multipart)).await,
        send(chunked).await,
    ]
}

/// Limits and defaults may change between two attempts: they judge new saves only. The text is longer than any body
/// that today's limit allows.
#[tokio::test(flavor = "multi_thread")]
async fn smaller_limits_judge_new_saves_and_no_replay() {
    let server = TestServer::start().await;
    let keys = std::array::from_fn(|_| fresh_key());
    let large = "x".repeat(200_000);
    let first = save_every_way(&server, &keys, &large).await;
    let kept = server.stop().await;
    let flags = [
        "--max-paste-bytes=100",
        "--default-expiry=1d",
        "--max-expiry=2d",
        "--base-url=https://moved.example",
    ];
    let server = TestServer::start_again(kept, &flags, |_| {}).await;
    let again = save_every_way(&server, &keys, &large).await;
    for (way, (first, again)) in first.iter().zip(&again).enumerate() {
        assert_eq!(
            (again.status, again.header("idempotent-replayed")),
            (201, "true"),
            "{way}"
        );
        assert_eq!(first.header("location"), again.header("location"));
    }
    assert_eq!(first[0].body, again[0].body);
    assert_eq!(first[1].body, again[1].body);
    for reply in save_every_way(&server, &keys, &"y".repeat(200_000)).await {
        assert_eq!(reply.status, 409);
    }
    let fresh = std::array::from_fn(|_| fresh_key());
    for reply in save_every_way(&server, &fresh, &large).await {
        assert_eq!(reply.status, 413);
    }
    let reply = server
        .save_with(&fresh_key(), "?expires_in=300d", &[], "small")
        .await;
    assert_eq!((reply.status, &*reply.code()), (422, "invalid_expiry"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_of_the_api_is_a_key_of_the_form_and_the_other_way() {
    let server = TestServer::start().await;
    let key = fresh_key();
    let page = server
        .post_form("/", &[("idempotency_key", &key), ("content", "both")])
        .await;
    let created = send(server.save_request(&key).body("both")).await.created();
    assert!(page.text().contains(&created.url));
    assert_eq!(
        server
            .post_form("/", &[("idempotency_key", &key), ("content", "other")])
            .await
            .status,
        409
    );
}
