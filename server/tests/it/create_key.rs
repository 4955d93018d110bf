//! The `Idempotency-Key` header: which spellings are one key, what is none, and that it is judged before the body.

use crate::harness::{Host, RawAnswer, TestServer, fresh_key};
use reqwest::Method;
use std::process::Command;

const KEY: &str = "0190a5e4-7b1c-7abc-8def-0123456789ab";

/// Sends the head of a save and nothing of the body it declares, so that an answer was made without the body.
async fn head_only(server: &Host, lines: &[u8]) -> RawAnswer {
    let mut head = b"POST /api/pastes HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n".to_vec();
    head.extend_from_slice(lines);
    head.extend_from_slice(b"\r\n");
    server.connect().await.ask(head).await
}

fn key_line(value: &[u8]) -> Vec<u8> {
    [b"Idempotency-Key:", value, b"\r\n"].concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_spelling_of_a_uuid_is_one_key() {
    let server = TestServer::start().await;
    let first = server.save(KEY, "hello").await;
    assert!(first.created().id.starts_with("2w"), "slot 182");
    let upper = KEY.to_uppercase();
    for spelling in [
        KEY.to_owned(),
        upper.clone(),
        "0190a5E4-7b1c-7aBc-8dEf-0123456789aB".to_owned(),
        format!("\"{KEY}\""),
        format!(" \t{KEY}\t  "),
        format!("  \"{upper}\" "),
    ] {
        let head = format!(
            "POST /api/pastes HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nIdempotency-Key:{spelling}\r\n\r\nhello"
        );
        let again = server.connect().await.ask(head).await;
        assert_eq!(again.status, 201, "{spelling:?}");
        assert_eq!(again.body, first.text(), "{spelling:?}");
        assert_eq!(again.header("idempotent-replayed"), "true", "{spelling:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn version_4_and_7_are_keys_of_their_own() {
    let server = TestServer::start().await;
    let four = server
        .save("0190a5e4-7b1c-4abc-8def-0123456789ab", "hello")
        .await;
    let seven = server.save(KEY, "hello").await;
    assert_ne!(four.created().id, seven.created().id);
}

#[tokio::test(flavor = "multi_thread")]
async fn anything_else_is_refused_before_the_body_is_read() {
    let server = TestServer::start().await;
    let long = "0123456789abcdef-".repeat(512);
    let values: &[&[u8]] = &[
        b"",
        b"  \t ",
        b"\"\"",
        b"hello",
        b"0190a5e47b1c7abc8def0123456789ab",
        b"{0190a5e4-7b1c-7abc-8def-0123456789ab}",
        b"urn:uuid:0190a5e4-7b1c-7abc-8def-0123456789ab",
        b"00000000-0000-0000-0000-000000000000",
        b"ffffffff-ffff-ffff-ffff-ffffffffffff",
        b"0190a5e4-7b1c-1abc-8def-0123456789ab",
        b"0190a5e4-7b1c-3abc-8def-0123456789ab",
        b"0190a5e4-7b1c-5abc-8def-0123456789ab",
        b"0190a5e4-7b1c-6abc-8def-0123456789ab",
        b"0190a5e4-7b1c-8abc-8def-0123456789ab",
        b"0190a5e4-7b1c-7abc-cdef-0123456789ab",
        b"0190a5e4-7b1c-7abc-8def-0123456789ab;p=1",
        b"0190a5e4-7b1c-7abc-8def-0123456789ab, 0190a5e4-7b1c-7abc-8def-0123456789ab",
        b"\"0190a5e4-7b1c-7abc-8def-0123456789ab",
        b"0190a5e4-7b1c-7abc-8def-0123456789\xe9\xff",
        b"0190a5e4-7b1c-7abc-8def-0123456789a\xc3\xa9",
        long.as_bytes(),
    ];
    for value in values {
        let answer = head_only(&server, &key_line(value)).await;
        let shown = String::from_utf8_lossy(value);
        assert_eq!(answer.status, 400, "{shown}");
        assert!(
            answer.body.contains("\"idempotency_key_invalid\""),
            "{shown}"
        );
        assert!(!answer.body.contains("0190a5e4"), "no echo of a key");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_lines_are_no_key_even_when_they_agree() {
    let server = TestServer::start().await;
    for second in [KEY, "0190a5e4-7b1c-7abc-8def-0123456789ac", ""] {
        let lines = [key_line(KEY.as_bytes()), key_line(second.as_bytes())].concat();
        let answer = head_only(&server, &lines).await;
        assert_eq!(answer.status, 400, "{second}");
        assert!(answer.body.contains("\"idempotency_key_invalid\""));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_not_in_the_header_is_missing() {
    let server = TestServer::start().await;
    let target = format!("/api/pastes?idempotency_key={KEY}");
    let cookie = ("cookie", &*format!("idempotency-key={KEY}"));
    let reply = server.ask(Method::POST, &target, &[cookie]).await;
    assert_eq!(reply.code(), "idempotency_key_missing");
    let answer = head_only(&server, b"").await;
    assert_eq!(answer.status, 400);
    assert!(answer.body.contains("\"idempotency_key_missing\""));
}

/// What the message tells a person to run is run, but for `uuidgen`, which not every machine has.
#[tokio::test(flavor = "multi_thread")]
async fn the_command_in_the_message_saves() {
    let server = TestServer::start().await;
    let message = server.ask(Method::POST, "/api/pastes", &[]).await;
    let detail = message.problem().detail;
    let command = &detail[detail.find("KEY=").expect("a command")..];
    let command = command.replace("$(uuidgen)", KEY);
    let folder = tempfile::TempDir::new().unwrap();
    std::fs::write(folder.path().join("file"), "from curl\r\n\0").unwrap();
    let output = tokio::task::spawn_blocking(move || {
        Command::new("sh")
            .args(["-c", &format!("{command} --silent --noproxy '*'")])
            .current_dir(folder.path())
            .output()
            .unwrap()
    })
    .await
    .unwrap();
    let created: app::wire::created::Created = serde_json::from_slice(&output.stdout).unwrap();
    let raw = server.get(&format!("/{}/raw", created.id)).await;
    assert_eq!(raw.text(), "from curl\r\n\0");
}

#[tokio::test(flavor = "multi_thread")]
async fn get_and_delete_ignore_the_header() {
    let server = TestServer::start().await;
    let key = fresh_key();
    let created = server.save(&key, "hello").await.created();
    let path = format!("/api/pastes/{}", created.id);
    for value in ["nonsense", &key] {
        let reply = server.get_with(&path, &[("idempotency-key", value)]).await;
        assert_eq!(reply.status, 200);
    }
    let bearer = format!("Bearer {}", created.delete_token);
    let lines = [("idempotency-key", "nonsense"), ("authorization", &bearer)];
    assert_eq!(server.ask(Method::DELETE, &path, &lines).await.status, 204);
}
