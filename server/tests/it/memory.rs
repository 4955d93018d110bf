//! What the server holds when many large texts come and go at once.

use crate::harness::{Host, Process, RawConnection, Reply, fresh_key, send};
use app::wire::problem::Code;
use bytes::Bytes;
use futures_util::future::join_all;
use futures_util::stream::iter;
use reqwest::{Body, Method};
use std::convert::Infallible;
use std::fs;
use tempfile::TempDir;

const AT_ONCE: usize = 50;
const PASTE_BYTES: usize = 10 * 1024 * 1024;
const BURSTS: usize = 6;
const RESIDENT_KIB_MAX: u64 = 400 * 1024;

/// How a text is sent.
#[derive(Clone, Copy)]
enum Form {
    Raw,
    Json,
    /// The form without JavaScript, whose fields are decoded: the text is there several times.
    Page,
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_raw_uploads_of_10_mib_at_once_stay_below_400_mib() {
    assert_uploads_are_bounded(AT_ONCE, Form::Raw).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_json_uploads_of_10_mib_at_once_stay_below_400_mib() {
    assert_uploads_are_bounded(AT_ONCE, Form::Json).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_form_posts_of_10_mib_at_once_stay_below_400_mib() {
    assert_uploads_are_bounded(20, Form::Page).await;
}

/// What one burst took is there for the next one.
#[tokio::test(flavor = "multi_thread")]
async fn burst_after_burst_of_large_uploads_takes_no_more_than_the_first() {
    let data = TempDir::new().unwrap();
    let server = Process::start(data.path(), &[]);
    let bodies = [Form::Raw, Form::Json].map(|form| (form, body(form)));
    for (form, body) in bodies.iter().cycle().take(BURSTS) {
        let keys: Vec<_> = (0..AT_ONCE).map(|_| fresh_key()).collect();
        let uploads = keys.iter().map(|key| upload(&server, *form, key, body));
        join_all(uploads).await;
    }
    assert_resident_bounded(&server);
}

async fn assert_uploads_are_bounded(at_once: usize, form: Form) {
    let data = TempDir::new().unwrap();
    let server = Process::start(data.path(), &[]);
    let body = body(form);
    let keys: Vec<_> = (0..at_once).map(|_| fresh_key()).collect();
    let uploads = keys.iter().map(|key| upload(&server, form, key, &body));
    let replies = join_all(uploads).await;
    assert_resident_bounded(&server);
    for reply in &replies {
        assert!(matches!(reply.status, 201 | 503), "{reply:?}");
        if reply.status == 503 {
            assert_ne!(reply.header("retry-after"), "");
            assert!(is_overloaded(reply), "{reply:?}");
        }
    }
    assert!(replies.iter().any(|reply| reply.status == 201));
    for (key, first) in keys.iter().zip(&replies) {
        let again = upload(&server, form, key, &body).await;
        assert_eq!(again.status, 201, "{again:?}");
        assert!(first.status == 503 || first.body == again.body);
    }
    assert_resident_bounded(&server);
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_slow_readers_of_10_mib_stay_below_400_mib() {
    let data = TempDir::new().unwrap();
    let server = Process::start(data.path(), &[]);
    let text = body(Form::Raw);
    let paste = server.save_new(text.clone()).await.created();
    let request = format!(
        "GET /{}/raw HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        paste.id
    );
    let mut readers = join_all((0..AT_ONCE).map(|_| begin_reading(&server, &request))).await;
    // All of them have an answer begun and none reads on; the server still has room to save and to answer.
    server.save_new("meanwhile\n").await.created();
    assert_resident_bounded(&server);
    for reader in &mut readers {
        assert!(reader.read_to_end().await == text);
    }
    assert_resident_bounded(&server);
}

/// A form whose text was read, and found no room at its shard, comes back with the words for people; all else names the
/// code.
fn is_overloaded(reply: &Reply) -> bool {
    let code = Code::Overloaded;
    [code.as_str(), code.title()]
        .iter()
        .any(|name| reply.text().contains(name))
}

async fn begin_reading(host: &Host, request: &str) -> RawConnection {
    let mut reader = RawConnection::open(host.address).await;
    reader.write(request).await;
    assert!(reader.read_head().await.starts_with("HTTP/1.1 200 "));
    reader
}

fn body(form: Form) -> Bytes {
    let text = "0123456789abcde\n".repeat(PASTE_BYTES / 16);
    match form {
        Form::Raw => text.into(),
        Form::Json => serde_json::json!({ "content": text }).to_string().into(),
        Form::Page => format!("content={text}").into(),
    }
}

/// A form's key stands in its body; the text behind it is the same for all of them.
async fn upload(host: &Host, form: Form, key: &str, body: &Bytes) -> Reply {
    let (media_type, path) = match form {
        Form::Raw => ("text/plain", "/api/pastes"),
        Form::Json => ("application/json", "/api/pastes"),
        Form::Page => ("application/x-www-form-urlencoded", "/"),
    };
    let save = host.request(Method::POST, path);
    let save = save.header("content-type", media_type);
    let save = match form {
        Form::Raw | Form::Json => save.header("idempotency-key", key).body(body.clone()),
        Form::Page => {
            let parts = [Bytes::from(format!("idempotency_key={key}&")), body.clone()];
            save.body(Body::wrap_stream(iter(parts.map(Ok::<_, Infallible>))))
        }
    };
    send(save).await
}

/// The most the process ever had resident, as the kernel counted it.
fn assert_resident_bounded(server: &Process) {
    let status = fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kib = line.unwrap().split_whitespace().nth(1).unwrap();
    let kib: u64 = kib.parse().unwrap();
    assert!(kib < RESIDENT_KIB_MAX, "{kib} KiB were resident");
}
