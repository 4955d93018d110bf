//! Content is kept byte for byte, whatever it is and however it came.

use crate::harness::{Host, TestServer, fresh_key, send};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use reqwest::Method;
use serde_json::json;
use tokio::runtime::Runtime;

/// Texts that careless servers change.
const TEXTS: [&str; 14] = [
    "a\r\nb\rc\n\n",
    "\0\0in the middle\0 and at the end\0",
    "\u{feff}begins with a BOM",
    "  blanks around\t\n ",
    "\n",
    "\u{1f600}\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467} emoji \u{1f1f5}\u{1f1f1}",
    "שלום עולם \u{202e}reversed\u{202c} \u{2066}isolated\u{2069}",
    "e\u{301} is not \u{e9}, \u{212b} is not \u{c5}",
    "\u{2028}\u{2029}\u{85}\u{b}\u{c}",
    "\u{fffd}\u{fffe}\u{ffff}\u{10ffff}",
    "</script><script>alert(1)</script><!--<script>]]>",
    "<svg onload=alert(1)><style>*{}</style></textarea></pre><!DOCTYPE html><html><body onload='x()'>",
    "{\"content\":\"not the content\",\"title\":\"no title\"}",
    "%00%ff&amp;&#13;\\u0000+\\\\ \u{1b}[31mred\u{7f}",
];

async fn raw_of(server: &Host, id: &str) -> Vec<u8> {
    server.get(&format!("/{id}/raw")).await.body.to_vec()
}

#[tokio::test(flavor = "multi_thread")]
async fn hard_texts_come_back_as_they_went_in() {
    let server = TestServer::start().await;
    for text in TEXTS {
        let raw = server.save_new(text).await.created();
        let json = server
            .save_json(&fresh_key(), &json!({"content": text}))
            .await
            .created();
        for id in [raw.id, json.id] {
            assert_eq!(raw_of(&server, &id).await, text.as_bytes(), "{text:?}");
        }
    }
}

/// The page shows every text as text: nothing of it becomes markup.
#[tokio::test(flavor = "multi_thread")]
async fn no_text_or_title_becomes_markup() {
    let server = TestServer::start().await;
    for text in TEXTS {
        let title: String = text.chars().filter(|c| !c.is_control()).collect();
        let json = json!({"content": text, "title": title});
        let id = server.save_json(&fresh_key(), &json).await.created().id;
        let page = server
            .get_with(&format!("/{id}"), &[("accept", "text/html")])
            .await;
        assert_eq!(page.status, 200);
        for markup in [
            "<script>alert",
            "onload=alert(1)>",
            "<style>",
            "<body onload",
            "</textarea>",
        ] {
            assert!(!page.text().contains(markup), "{markup} of {text:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_of_several_pieces_comes_back_whole() {
    let server = TestServer::start().await;
    let text: String = (0..300_000).map(|n| format!("{n}\u{e9}\r\n")).collect();
    assert!(text.len() > 2 * 1024 * 1024);
    let created = server.save_new(text.clone()).await.created();
    assert_eq!(raw_of(&server, &created.id).await, text.as_bytes());
}

#[tokio::test(flavor = "multi_thread")]
async fn chunks_make_up_the_content_wherever_they_are_cut() {
    let server = TestServer::start().await;
    let head = format!(
        "POST /api/pastes HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nIdempotency-Key: {}\r\n\r\n",
        fresh_key()
    );
    let mut request = head.into_bytes();
    for byte in "h\u{e9}\0\r\n\u{1f600}".bytes() {
        request.extend_from_slice(b"1;extension=x\r\n");
        request.push(byte);
        request.extend_from_slice(b"\r\n");
    }
    request.extend_from_slice(b"0\r\nTrailer: ignored\r\n\r\n");
    let answer = server.connect().await.ask(request).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let created: app::wire::created::Created = serde_json::from_str(&answer.body).unwrap();
    assert_eq!(
        raw_of(&server, &created.id).await,
        "h\u{e9}\0\r\n\u{1f600}".as_bytes()
    );
}

/// Any UTF-8, raw and as JSON: the same bytes, the same request.
#[test]
fn any_text_comes_back_and_is_one_request_both_ways() {
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(TestServer::start());
    let config = Config {
        cases: 150,
        failure_persistence: None,
        ..Config::default()
    };
    let text = prop_oneof![
        "\\PC{1,40}",
        "(?s).{1,40}",
        "[\r\n\0\t\u{feff}\"\\\\<&]{1,40}"
    ];
    TestRunner::new(config)
        .run(&text, |text| {
            let (key, json) = (fresh_key(), json!({"content": text}));
            let (first, again, raw) = runtime.block_on(async {
                let first = server.save(&key, text.clone()).await;
                let again = server.save_json(&key, &json).await;
                let raw = raw_of(&server, &first.created().id).await;
                (first, again, raw)
            });
            prop_assert_eq!(raw, text.into_bytes());
            prop_assert_eq!(again.body, first.body);
            Ok(())
        })
        .unwrap();
}

/// Any JSON object with any members: an answer of the contract, never a fault of ours.
#[test]
fn any_bytes_and_headers_get_an_answer_of_the_contract() {
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(TestServer::start());
    let config = Config {
        cases: 300,
        failure_persistence: None,
        ..Config::default()
    };
    let header = "[ -~]{0,40}";
    let body = prop_oneof![
        "\\{\"content\":\"[a-z]{0,3}\"(,\"(title|syntax|expires_in|x)\":(null|1|\"[a-z0-9]{0,4}\")){0,3}\\}".prop_map(String::into_bytes),
        proptest::collection::vec(any::<u8>(), 0..60),
    ];
    let kind = prop_oneof![Just("application/json".to_owned()), header];
    let parts = (header, kind, "[a-z_=&%0-9+]{0,30}", header, body);
    TestRunner::new(config)
        .run(&parts, |(key, kind, query, accept, body)| {
            let valid = key.len() % 2 == 0;
            let key = if valid { fresh_key() } else { key };
            let request = server
                .request(Method::POST, &format!("/api/pastes?{query}"))
                .header("idempotency-key", key)
                .header("content-type", kind)
                .header("accept", accept);
            let status = runtime.block_on(send(request.body(body))).status;
            prop_assert!(matches!(status, 201 | 400 | 415 | 422), "{}", status);
            Ok(())
        })
        .unwrap();
}
