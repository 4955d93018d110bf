//! The limit on creates: before the body is read, by address, and never for a replay.

use crate::harness::{Process, Reply, TestServer, fresh_key};
use app::wire::problem::Code;
use tempfile::TempDir;

fn assert_limited(reply: &Reply) {
    assert_eq!(reply.problem().code, Code::RateLimited);
    assert_eq!(reply.problem().limit, Some(3));
    assert!(reply.problem().retryable);
    assert_retry_after(reply.header("retry-after"));
}

/// 3 a minute: the next is allowed in 20 s.
fn assert_retry_after(seconds: &str) {
    assert!(
        (1..=20).contains(&seconds.parse::<u32>().unwrap()),
        "{seconds}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_create_past_the_limit_is_refused_before_its_body_and_a_replay_never() {
    let server = TestServer::start_with(&["--create-rate=3"], |_| {}).await;
    let key = fresh_key();
    let first = server.save(&key, "first").await;
    assert_eq!(first.status, 201);
    let limited = fresh_key();
    for _ in 0..3 {
        assert_limited(&server.save(&limited, "second").await);
        let again = server.save(&key, "first").await;
        assert_eq!((again.status, &again.body), (201, &first.body));
        assert_eq!(server.save(&key, "other").await.status, 409);
    }
    let head = format!(
        "POST /api/pastes HTTP/1.1\r\nHost: x\r\nIdempotency-Key: {limited}\r\nContent-Length: 5\r\n"
    );
    for expect in ["", "Expect: 100-continue\r\n"] {
        let answer = server
            .connect()
            .await
            .ask(format!("{head}{expect}\r\n"))
            .await;
        assert_eq!(answer.status, 429, "{answer:?}");
        assert_retry_after(answer.header("retry-after"));
    }
    assert_eq!(
        server.get(&format!("/{}", first.created().id)).await.status,
        200,
        "reads are not limited"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_form_is_limited_too_and_comes_back_with_its_key() {
    let server = TestServer::start_with(&["--create-rate=3"], |_| {}).await;
    let (first, second) = (fresh_key(), fresh_key());
    let fields = |key| [("idempotency_key", key), ("content", "kept text")];
    assert_eq!(server.post_form("/", &fields(&first)).await.status, 201);
    let page = server.post_form("/", &fields(&second)).await;
    assert_eq!(page.status, 429);
    assert_retry_after(page.header("retry-after"));
    assert!(page.text().contains("kept text") && page.text().contains(&second));
    let again = server.post_form("/", &fields(&first)).await;
    assert_eq!(
        (again.status, again.header("idempotent-replayed")),
        (201, "true")
    );
}

/// A refused request costs nothing but a create: refusals for other reasons come first.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_by_its_head_is_not_charged() {
    let server = TestServer::start_with(&["--create-rate=3"], |_| {}).await;
    for _ in 0..3 {
        assert_eq!(server.save("no key", "text").await.status, 400);
        assert_eq!(
            server
                .save_with(&fresh_key(), "?x=y", &[], "text")
                .await
                .status,
            400
        );
    }
    assert_eq!(server.save_new("text").await.status, 201);
}

/// It is charged before its body is read, so a refused one is not free: the words must not count pastes.
#[tokio::test(flavor = "multi_thread")]
async fn a_save_that_is_refused_for_its_text_counts_and_the_429_says_so() {
    let server = TestServer::start_with(&["--create-rate=3"], |_| {}).await;
    assert_eq!(server.save_new("").await.status, 422);
    let limited = server.save_new("text").await;
    assert_limited(&limited);
    let detail = limited.problem().detail;
    assert!(detail.starts_with("At most 3 saves a minute"), "{detail}");
    assert!(detail.contains("refused ones count"), "{detail}");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_trusted_proxy_says_for_whom_it_asks() {
    let save = async |server: &TestServer, line: (&str, &str)| {
        server
            .save_with(&fresh_key(), "", &[line], "text")
            .await
            .status
    };
    let server = TestServer::start_with(&["--create-rate=3"], |_| {}).await;
    assert_eq!(save(&server, ("x-forwarded-for", "192.0.2.1")).await, 201);
    assert_eq!(save(&server, ("x-forwarded-for", "192.0.2.2")).await, 429);
    assert_eq!(save(&server, ("forwarded", "for=192.0.2.3")).await, 429);

    let flags = [
        "--create-rate=3",
        "--trusted-proxies=127.0.0.0/8,198.51.100.0/24",
    ];
    let server = TestServer::start_with(&flags, |_| {}).await;
    for (line, status) in [
        (("x-forwarded-for", "192.0.2.1"), 201),
        (("x-forwarded-for", "192.0.2.1"), 429),
        (("x-forwarded-for", "203.0.113.9, 192.0.2.1"), 429),
        (("x-forwarded-for", "192.0.2.1, 198.51.100.7"), 429),
        (("x-forwarded-for", "192.0.2.2"), 201),
        (("forwarded", "for=192.0.2.1"), 429),
        (("forwarded", "for=192.0.2.3;proto=https"), 201),
        (("x-forwarded-for", "2001:db8::1"), 201),
        (("x-forwarded-for", "2001:db8::2"), 429),
        (("x-forwarded-for", "2001:db8:0:1::1"), 201),
    ] {
        assert_eq!(save(&server, line).await, status, "{line:?}");
    }
}

/// Both kinds of header come through where a proxy writes the one and knows nothing of the other.
#[tokio::test(flavor = "multi_thread")]
async fn a_header_that_the_proxy_did_not_write_evades_no_limit() {
    let flags = ["--create-rate=3", "--trusted-proxies=127.0.0.0/8"];
    for (written, invented) in [
        ("x-forwarded-for", "forwarded"),
        ("forwarded", "x-forwarded-for"),
    ] {
        let server = TestServer::start_with(&flags, |_| {}).await;
        let value = |name: &str, address: &str| match name {
            "forwarded" => format!("for={address}"),
            _ => address.to_owned(),
        };
        for (number, status) in [(1, 201), (2, 429), (3, 429)] {
            let told = value(written, "192.0.2.1");
            let lie = value(invented, &format!("198.51.100.{number}"));
            let lines = [(written, &*told), (invented, &*lie)];
            let reply = server.save_with(&fresh_key(), "", &lines, "text").await;
            assert_eq!(reply.status, status, "{written} {number}");
        }
    }
}

/// The warnings of a service that was asked with this header, three times.
async fn warnings(flag: &str, forwarded: &str) -> usize {
    let data = TempDir::new().unwrap();
    let flags = ["--create-rate=60", flag];
    let flags = if flag.is_empty() {
        &flags[..1]
    } else {
        &flags[..]
    };
    let server = Process::start(data.path(), flags);
    for _ in 0..3 {
        let line = [("x-forwarded-for", forwarded)];
        let saved = server.save_with(&fresh_key(), "", &line, "text").await;
        assert_eq!(saved.status, 201);
    }
    server.ask_to_stop();
    let log = server.wait().log;
    log.matches("--trusted-proxies does not name").count()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_is_warned_once_of_a_proxy_that_nobody_trusts() {
    assert_eq!(warnings("", "192.0.2.1").await, 1);
    let trusting = "--trusted-proxies=127.0.0.0/8";
    assert_eq!(warnings(trusting, "192.0.2.1").await, 0);
    let beyond = warnings(trusting, "203.0.113.9, 192.0.2.1").await;
    assert_eq!(beyond, 0, "the peer is trusted, whatever came to it");
}
