//! Clients that take too long. The deadlines are the design's, shortened; nothing here waits but for what they cause.

use crate::harness::{TestServer, fresh_key};
use oncebin::config::Deadlines;
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_millis(300);

/// The design's deadlines with one of them shortened.
async fn server(shorten: impl FnOnce(&mut Deadlines)) -> TestServer {
    TestServer::start_with(&[], |settings| shorten(&mut settings.deadlines)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_body_is_408_and_its_key_stays_free() {
    let server = server(|deadlines| deadlines.request_body = SOON).await;
    let key = fresh_key();
    let mut connection = server.connect().await;
    let answer = connection
        .ask(format!("POST /api/pastes HTTP/1.1\r\nHost: x\r\nIdempotency-Key: {key}\r\nContent-Length: 10\r\n\r\nhello"))
        .await;
    assert_eq!(answer.status, 408, "{answer:?}");
    assert!(
        answer.body.contains("\"body_too_slow\"") && answer.body.contains("\"retryable\":true")
    );
    let saved = server.save(&key, "hello").await;
    assert_eq!(
        (saved.status, saved.header("idempotent-replayed")),
        (201, "")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_form_is_408_with_a_page() {
    let server = server(|deadlines| deadlines.request_body = SOON).await;
    for path in ["/", "/2w0123456789AB/delete"] {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 10\r\n\r\nx="
        );
        let answer = server.connect().await.ask(head).await;
        assert_eq!(answer.status, 408, "{path}");
        assert!(answer.header("content-type").starts_with("text/html"));
    }
}

/// Each 64 KiB that have arrived give more time: the whole of a long body need not come within the first deadline.
#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_keeps_coming_is_given_more_time() {
    let server = server(|deadlines| {
        deadlines.request_body = Duration::from_millis(1000);
        deadlines.request_body_each_64_kib = Duration::from_secs(3600);
    })
    .await;
    let mut slow = server.connect().await;
    let key = fresh_key();
    let length = 70_000;
    slow.write(format!("POST /api/pastes HTTP/1.1\r\nHost: x\r\nIdempotency-Key: {key}\r\nContent-Length: {length}\r\n\r\n")).await;
    slow.write(vec![b'x'; length - 1]).await;
    // A second client, which sends too little to be given more, tells when the first deadline has passed.
    let mut idle = server.connect().await;
    let head = format!(
        "POST /api/pastes HTTP/1.1\r\nHost: x\r\nIdempotency-Key: {}\r\nContent-Length: 10\r\n\r\nx",
        fresh_key()
    );
    assert_eq!(idle.ask(head).await.status, 408);
    assert_eq!(slow.ask("x").await.status, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_head_and_an_idle_connection_are_closed() {
    let server = server(|deadlines| deadlines.request_header = SOON).await;
    for beginning in [
        "",
        "GET /livez HT",
        "GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow:",
    ] {
        let mut connection = server.connect().await;
        connection.write(beginning).await;
        let end = connection.read_to_end().await;
        assert!(
            end.is_empty() || end.starts_with(b"HTTP/1.1 408"),
            "{beginning}"
        );
    }
    let mut idle = server.connect().await;
    assert_eq!(
        idle.ask("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
            .await
            .status,
        200
    );
    assert_eq!(idle.read_to_end().await, b"");
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_on_after_an_early_answer_ends_in_time() {
    let server = server(|deadlines| deadlines.discard = SOON).await;
    let mut connection = server.connect().await;
    let head = "POST /api/pastes HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx";
    assert_eq!(connection.ask(head).await.status, 400);
    assert_eq!(connection.read_to_end().await, b"");
}

/// A stop waits for the answers that are being written, so its end tells that the slow reader was cut.
#[tokio::test(flavor = "multi_thread")]
async fn a_slow_reader_is_cut() {
    let server = server(|deadlines| deadlines.response = SOON).await;
    let length = 10 * 1024 * 1024;
    let id = server.save_new(vec![b'x'; length]).await.created().id;
    let mut reader = server.connect().await;
    reader
        .write(format!("GET /{id}/raw HTTP/1.1\r\nHost: x\r\n\r\n"))
        .await;
    let head = reader.read_head().await;
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let began = Instant::now();
    server.stop().await;
    assert!(
        began.elapsed() < Duration::from_secs(30),
        "cut before the drain is over"
    );
    assert!(
        reader.read_to_end().await.len() < length,
        "not all of it was written"
    );
}

/// The time of an answer ends with its last byte: the next one on the connection has its own.
#[tokio::test(flavor = "multi_thread")]
async fn a_connection_outlives_the_time_of_one_answer() {
    let server = server(|deadlines| {
        deadlines.response = SOON;
        deadlines.request_header = Duration::from_millis(1200);
    })
    .await;
    let mut connection = server.connect().await;
    let get = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n";
    assert_eq!(connection.ask(get).await.status, 200);
    // Closed by the later deadline, that of the next head, and not by the earlier one.
    let began = Instant::now();
    assert_eq!(connection.read_to_end().await, b"");
    assert!(began.elapsed() > Duration::from_millis(800));
}
