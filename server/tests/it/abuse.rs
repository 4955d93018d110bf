//! HTTP as nobody should write it.

use crate::harness::{TestServer, fresh_key};

fn save(lines: &str, body: &str) -> String {
    let key = fresh_key();
    format!("POST /api/pastes HTTP/1.1\r\nHost: x\r\nIdempotency-Key: {key}\r\n{lines}\r\n{body}")
}

#[tokio::test(flavor = "multi_thread")]
async fn broken_framing_is_400_and_saves_nothing() {
    let server = TestServer::start().await;
    for (lines, body) in [
        ("Transfer-Encoding: chunked\r\n", "zz\r\nhello\r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\n", "5\r\nhelloXX0\r\n\r\n"),
        (
            "Transfer-Encoding: chunked\r\n",
            "fffffffffffffffff\r\nhello\r\n0\r\n\r\n",
        ),
        ("Transfer-Encoding: chunked\r\n", "-1\r\nhello\r\n0\r\n\r\n"),
        ("Transfer-Encoding: xchunked\r\n", "5\r\nhello\r\n0\r\n\r\n"),
        (
            "Transfer-Encoding: chunked, gzip\r\n",
            "5\r\nhello\r\n0\r\n\r\n",
        ),
        ("Content-Length: 5\r\nContent-Length: 6\r\n", "hello"),
        ("Content-Length: +5\r\n", "hello"),
        ("Content-Length: five\r\n", "hello"),
        ("Content-Length: 5, 5\r\n", "hello"),
        ("Content-Length: 99999999999999999999\r\n", "hello"),
        ("Content-Length : 5\r\n", "hello"),
        ("X-Folded: a\r\n b: c\r\nContent-Length: 5\r\n", "hello"),
    ] {
        let answer = server.connect().await.ask(save(lines, body)).await;
        assert_eq!(answer.status, 400, "{lines:?} {body:?} {answer:?}");
    }
}

/// A request with both lengths is what smuggling is made of: chunked counts and the connection ends, or it is 400.
#[tokio::test(flavor = "multi_thread")]
async fn two_kinds_of_length_smuggle_nothing() {
    let server = TestServer::start().await;
    let smuggled = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n";
    let body = format!("5\r\nhello\r\n0\r\n\r\n{smuggled}");
    for lines in [
        format!(
            "Content-Length: {}\r\nTransfer-Encoding: chunked\r\n",
            body.len()
        ),
        format!(
            "Transfer-Encoding: chunked\r\nContent-Length: {}\r\n",
            body.len()
        ),
    ] {
        let mut connection = server.connect().await;
        let answer = connection.ask(save(&lines, &body)).await;
        assert!(matches!(answer.status, 201 | 400), "{answer:?}");
        let rest = String::from_utf8_lossy(&connection.read_to_end().await).into_owned();
        assert!(!rest.contains("ok\n"), "{rest}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_ends_too_early_saves_nothing() {
    let server = TestServer::start().await;
    let key = fresh_key();
    for (lines, body) in [
        ("Content-Length: 10\r\n", "hello"),
        ("Transfer-Encoding: chunked\r\n", "5\r\nhel"),
    ] {
        let mut connection = server.connect().await;
        let head = format!(
            "POST /api/pastes HTTP/1.1\r\nHost: x\r\nIdempotency-Key: {key}\r\n{lines}\r\n{body}"
        );
        connection.write(head).await;
        connection.finish_writing().await;
        let end = String::from_utf8_lossy(&connection.read_to_end().await).into_owned();
        assert!(end.is_empty() || end.starts_with("HTTP/1.1 408"), "{end}");
    }
    let saved = server.save(&key, "hello").await;
    assert_eq!(
        (saved.status, saved.header("idempotent-replayed")),
        (201, "")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn heads_that_are_too_large_are_431_whether_by_lines_or_by_their_target() {
    let server = TestServer::start().await;
    let many = "X-Many: 1\r\n".repeat(100);
    let long = format!("X-Long: {}\r\n", "x".repeat(100_000));
    for lines in [many, long] {
        let answer = server
            .connect()
            .await
            .ask(format!("GET / HTTP/1.1\r\nHost: x\r\n{lines}\r\n"))
            .await;
        assert_eq!(answer.status, 431);
    }
    let target = "x".repeat(100_000);
    let answer = server
        .connect()
        .await
        .ask(format!("GET /{target} HTTP/1.1\r\nHost: x\r\n\r\n"))
        .await;
    assert_eq!(answer.status, 431, "{answer:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_targets_and_methods_are_harmless() {
    let server = TestServer::start().await;
    for (request, statuses) in [
        ("OPTIONS * HTTP/1.1", &[404, 405][..]),
        ("GET * HTTP/1.1", &[400, 404]),
        ("CONNECT example.org:443 HTTP/1.1", &[400, 404, 405]),
        ("TRACE / HTTP/1.1", &[405]),
        ("BREW / HTTP/1.1", &[405]),
        ("GET http://evil.example/livez HTTP/1.1", &[200]),
        ("GET http://evil.example HTTP/1.1", &[200]),
        ("GET //evil.example/ HTTP/1.1", &[404]),
        ("GET /\\evil.example HTTP/1.1", &[400, 404]),
        ("GET /./livez HTTP/1.1", &[404]),
        ("GET /livez/ HTTP/1.1", &[404]),
        ("GET /livez;x HTTP/1.1", &[404]),
        ("GET /%2e%2e/livez HTTP/1.1", &[404]),
        ("GET /pkg/..%2f..%2fetc/passwd HTTP/1.1", &[404]),
        ("GET /pkg/%2e%2e HTTP/1.1", &[404]),
        ("GET /pkg/%ff HTTP/1.1", &[404]),
        ("GET /pkg/ HTTP/1.1", &[404]),
        ("GET /pkg HTTP/1.1", &[404]),
        ("GET /.git/config HTTP/1.1", &[404]),
        ("GET /.env HTTP/1.1", &[404]),
        ("GET /%00 HTTP/1.1", &[404]),
        ("GET /a%0d%0aX-Injected:%201 HTTP/1.1", &[404]),
        ("GET /%c0%ae%c0%ae/ HTTP/1.1", &[404]),
        ("GET /%ff%fe HTTP/1.1", &[404]),
        ("GET /metrics HTTP/1.1", &[404]),
        ("GET /api HTTP/1.1", &[404]),
        ("GET /api/ HTTP/1.1", &[404]),
        ("GET /api/pastes/ HTTP/1.1", &[404]),
        ("GET / HTTP/3.0", &[400, 505]),
        ("nonsense", &[400]),
    ] {
        let answer = server
            .connect()
            .await
            .ask(format!("{request}\r\nHost: x\r\n\r\n"))
            .await;
        assert!(statuses.contains(&answer.status), "{request}: {answer:?}");
        assert!(
            !answer.head.contains("evil.example") && !answer.body.contains("evil.example"),
            "{request}"
        );
        assert!(
            !answer.head.to_lowercase().contains("\nx-injected"),
            "{request}"
        );
        if answer.status == 404 {
            assert_eq!(answer.header("cache-control"), "no-store", "{request}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upgrade_is_not_followed() {
    let server = TestServer::start().await;
    for lines in [
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==\r\n",
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n",
    ] {
        let answer = server
            .connect()
            .await
            .ask(format!("GET /livez HTTP/1.1\r\nHost: x\r\n{lines}\r\n"))
            .await;
        assert_eq!(answer.status, 200);
    }
}
