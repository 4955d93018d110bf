//! Answers that are given before the body has been read: they come at once, and what follows them is understood. How
//! real clients take them: [`crate::early_answer_clients`].

use crate::harness::{RawAnswer, TestServer, fresh_key};

const MIB: usize = 1024 * 1024;

/// Requests whose head is enough to refuse them, with status and code. None may have its body read.
fn refused_by_the_head() -> Vec<(String, u16, &'static str)> {
    let key = format!("Idempotency-Key: {}\r\n", fresh_key());
    let post = |target: &str, lines: &str| format!("POST {target} HTTP/1.1\r\nHost: x\r\n{lines}");
    vec![
        (post("/api/pastes", ""), 400, "idempotency_key_missing"),
        (
            post("/api/pastes", "Idempotency-Key: 1\r\n"),
            400,
            "idempotency_key_invalid",
        ),
        (post("/api/pastes?x=y", &key), 400, "malformed_query"),
        (
            post("/api/pastes?expires_in=soon", &key),
            422,
            "invalid_expiry",
        ),
        (
            post(
                "/api/pastes?x=y",
                &format!("{key}Content-Type: application/json\r\n"),
            ),
            400,
            "malformed_body",
        ),
        (
            post("/api/pastes", &format!("{key}Content-Encoding: gzip\r\n")),
            415,
            "unsupported_media_type",
        ),
        (
            post(
                "/api/pastes",
                &format!("{key}Content-Type: multipart/form-data\r\n"),
            ),
            415,
            "unsupported_media_type",
        ),
        (post("/api/other", &key), 404, "not_found"),
        (
            format!("PUT /api/pastes HTTP/1.1\r\nHost: x\r\n{key}"),
            405,
            "method_not_allowed",
        ),
        (
            String::from("DELETE /api/pastes/2w0123456789AB HTTP/1.1\r\nHost: x\r\n"),
            401,
            "delete_token_missing",
        ),
    ]
}

fn assert_refused(answer: &RawAnswer, status: u16, code: &str) {
    assert_eq!(answer.status, status, "{answer:?}");
    assert!(answer.body.contains(&format!("\"{code}\"")), "{answer:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_head_alone_is_refused_while_the_body_is_still_to_come() {
    let server = TestServer::start_with(&["--max-paste-bytes=1MiB"], |_| {}).await;
    for (head, status, code) in refused_by_the_head() {
        let head = format!("{head}Content-Length: 1000\r\n\r\n");
        assert_refused(&server.connect().await.ask(head).await, status, code);
    }
    let key = fresh_key();
    for length in [MIB + 1, 30 * MIB, 4 * 1024 * MIB, 1 << 50] {
        let head = format!(
            "POST /api/pastes HTTP/1.1\r\nHost: x\r\nIdempotency-Key: {key}\r\nContent-Length: {length}\r\n\r\n"
        );
        assert_refused(
            &server.connect().await.ask(head).await,
            413,
            "paste_too_large",
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_for_100_continue_gets_the_refusal_and_no_100() {
    let server = TestServer::start().await;
    for (head, status, code) in refused_by_the_head() {
        let head = format!("{head}Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n");
        assert_refused(&server.connect().await.ask(head).await, status, code);
    }
    let key = fresh_key();
    let head = format!(
        "POST /api/pastes HTTP/1.1\r\nHost: x\r\nIdempotency-Key: {key}\r\nContent-Length: 30000000\r\nExpect: 100-Continue\r\n\r\n"
    );
    assert_refused(
        &server.connect().await.ask(head).await,
        413,
        "paste_too_large",
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_for_100_continue_and_is_welcome_gets_it() {
    let server = TestServer::start().await;
    let key = fresh_key();
    let head = format!(
        "POST /api/pastes HTTP/1.1\r\nHost: x\r\nIdempotency-Key: {key}\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
    );
    for (body, status) in [("hello", 201), ("hello", 201), ("other", 409)] {
        let mut connection = server.connect().await;
        connection.write(&head).await;
        assert!(connection.read_head().await.starts_with("HTTP/1.1 100 "));
        assert_eq!(connection.ask(body).await.status, status);
    }
}

/// The body of a refused request is read on and thrown away, so the next request on the connection is understood.
#[tokio::test(flavor = "multi_thread")]
async fn the_next_request_on_the_connection_is_answered() {
    let server = TestServer::start().await;
    for (head, status, code) in refused_by_the_head() {
        let mut connection = server.connect().await;
        let mut request = format!("{head}Content-Length: {MIB}\r\n\r\n").into_bytes();
        request.resize(request.len() + MIB, b'x');
        request.extend_from_slice(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
        assert_refused(&connection.ask(request).await, status, code);
        assert_eq!(connection.read_answer().await.body, "ok\n", "{code}");
    }
}

/// What follows a body is never taken for more of it, nor the body for a request.
#[tokio::test(flavor = "multi_thread")]
async fn pipelined_requests_do_not_bleed_into_each_other() {
    let server = TestServer::start().await;
    let smuggled = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
    let save = |length: usize, body: &str| {
        let key = fresh_key();
        format!(
            "POST /api/pastes HTTP/1.1\r\nHost: x\r\nIdempotency-Key: {key}\r\nContent-Length: {length}\r\n\r\n{body}"
        )
    };
    let mut connection = server.connect().await;
    connection.write(save(smuggled.len(), smuggled)).await;
    connection
        .write(format!(
            "GET /livez HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{smuggled}",
            smuggled.len()
        ))
        .await;
    connection.write(save(1, "a")).await;
    connection
        .write("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
        .await;
    for status in [201, 200, 201, 200] {
        assert_eq!(connection.read_answer().await.status, status);
    }
}

/// Reading on has an end: a body past the limit and 1 MiB more closes the connection after the answer.
#[tokio::test(flavor = "multi_thread")]
async fn reading_on_is_bounded_in_bytes() {
    let server = TestServer::start_with(&["--max-paste-bytes=1MiB"], |_| {}).await;
    let mut connection = server.connect().await;
    let head = format!(
        "POST /api/pastes HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n",
        1024 * MIB
    );
    assert_eq!(connection.ask(head).await.status, 400);
    connection.write(vec![b'x'; 40 * MIB]).await;
    assert_eq!(connection.read_to_end().await, b"");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chunked_body_is_refused_when_it_crosses_the_limit() {
    let server = TestServer::start_with(&["--max-paste-bytes=1MiB"], |_| {}).await;
    let key = fresh_key();
    let mut connection = server.connect().await;
    connection.write(format!("POST /api/pastes HTTP/1.1\r\nHost: x\r\nIdempotency-Key: {key}\r\nTransfer-Encoding: chunked\r\n\r\n")).await;
    let chunk = [format!("{MIB:x}\r\n").as_bytes(), &vec![b'x'; MIB], b"\r\n"].concat();
    connection.write(&chunk).await;
    let answer = connection.ask("1\r\nx\r\n").await;
    assert_refused(&answer, 413, "paste_too_large");
}

/// Ways to send a body without waiting, with the lines that say so. The last `Expect` counts, and HTTP/1.0 has none.
const IMPATIENT: [(&str, &str); 7] = [
    ("HTTP/1.1", ""),
    ("HTTP/1.1", "Connection: close\r\n"),
    ("HTTP/1.0", ""),
    ("HTTP/1.0", "Connection: keep-alive\r\n"),
    ("HTTP/1.0", "Expect: 100-continue\r\n"),
    ("HTTP/1.1", "Expect: 100-continue\r\n"),
    ("HTTP/1.1", "Expect: x\r\nExpect: 100-continue\r\n"),
];

/// The client sends its whole body, more than any system buffers, before it reads a byte.
#[tokio::test(flavor = "multi_thread")]
async fn who_sends_all_before_reading_gets_the_refusal_and_nothing_before_it() {
    let server = TestServer::start().await;
    for (version, lines) in IMPATIENT {
        for (head, status, code) in refused_by_the_head() {
            let head = head.replace("HTTP/1.1", version);
            let head = format!("{head}{lines}Content-Length: {}\r\n\r\n", 10 * MIB);
            let mut connection = server.connect().await;
            connection.write(head).await;
            connection.write_whole(vec![b'x'; 10 * MIB]).await;
            let answer = connection.read_answer().await;
            assert_refused(&answer, status, code);
        }
    }
}

/// What comes next on the connection could be the body or another request, so there is no next.
#[tokio::test(flavor = "multi_thread")]
async fn who_waited_for_100_continue_is_told_that_the_connection_ends() {
    let server = TestServer::start().await;
    for (head, status, code) in refused_by_the_head() {
        let mut connection = server.connect().await;
        let head = format!("{head}Content-Length: 40\r\nExpect: 100-continue\r\n\r\n");
        let answer = connection.ask(head).await;
        assert_refused(&answer, status, code);
        assert_eq!(answer.header("connection"), "close");
        connection
            .write("GET /livez HTTP/1.1\r\nHost: somewhere\r\n\r\n")
            .await;
        assert_eq!(connection.read_to_end().await, b"");
    }
}
