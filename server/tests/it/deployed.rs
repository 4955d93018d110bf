//! Behind the proxies of `docs/deploy/`, and started anew without anybody noticing.

use crate::harness::{Host, Process, Proxy, Reply, Rows, TestServer, fresh_key, send};
use app::wire::problem::Code;
use bytes::Bytes;
use reqwest::Method;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tempfile::TempDir;

const MIB: usize = 1024 * 1024;

/// Two people on this machine.
const ONE: [u8; 4] = [127, 0, 0, 1];
const OTHER: [u8; 4] = [127, 0, 0, 2];

/// Clients that save while the service is started anew, and how often that is.
const CLIENTS: usize = 8;
const RESTARTS: usize = 3;
const ANSWERED_BETWEEN: usize = 50;

#[tokio::test(flavor = "multi_thread")]
async fn nginx_passes_everything_on() {
    let server = TestServer::start_with(&["--base-url=https://paste.example.org"], |_| {}).await;
    let proxy = Proxy::nginx(server.address).await;
    everything_works(&proxy.asked_from("https", ONE), "").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nginx_passes_everything_on_under_a_path() {
    let server = TestServer::start_with(&["--base-url=https://example.org/paste"], |_| {}).await;
    let proxy = Proxy::nginx_path(server.address).await;
    let host = proxy.asked_from("http", ONE);
    everything_works(&host, "/paste").await;
    // The client has followed to the path with its slash.
    assert!(host.get("/paste").await.text().contains("<form"));
    assert_eq!(host.get("/pastes").await.status, 418);
}

#[tokio::test(flavor = "multi_thread")]
async fn caddy_passes_everything_on() {
    let server = TestServer::start_with(&["--base-url=https://paste.example.org"], |_| {}).await;
    let proxy = Proxy::caddy(server.address).await;
    everything_works(&proxy.asked_from("http", ONE), "").await;
}

/// What a client pretends to have been forwarded for is replaced; two clients behind one proxy count apart.
#[tokio::test(flavor = "multi_thread")]
async fn behind_a_proxy_each_client_has_its_own_limit() {
    let flags = ["--create-rate=3", "--trusted-proxies=127.0.0.1,::1"];
    for kind in ["nginx", "caddy"] {
        let server = TestServer::start_with(&flags, |_| {}).await;
        let (proxy, scheme) = match kind {
            "nginx" => (Proxy::nginx(server.address).await, "https"),
            _ => (Proxy::caddy(server.address).await, "http"),
        };
        let save = async |client, pretended: &str| {
            let host = proxy.asked_from(scheme, client);
            let save = host.save_request(&fresh_key());
            send(save.header("x-forwarded-for", pretended).body("text")).await
        };
        assert_eq!(save(ONE, "192.0.2.1").await.status, 201, "{kind}");
        let limited = save(ONE, "192.0.2.2").await;
        assert_eq!(limited.problem().code, Code::RateLimited, "{kind}");
        assert_eq!(save(OTHER, "192.0.2.1").await.status, 201, "{kind}");
    }
}

/// The listener outlives the service, as systemd's sockets do, and nginx is in between: no client sees anything.
#[tokio::test(flavor = "multi_thread")]
async fn a_restart_under_load_is_noticed_by_nobody() {
    let data = TempDir::new().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut server = Process::start_inheriting(&listener, data.path());
    let proxy = Proxy::nginx(listener.local_addr().unwrap()).await;
    let host = proxy.asked_from("https", ONE);
    let load = Arc::new(Load::default());
    let clients: Vec<_> = (0..CLIENTS)
        .map(|_| tokio::spawn(save_until_over(host.clone(), Arc::clone(&load))))
        .collect();
    for _ in 0..RESTARTS {
        load.until_more_are_answered().await;
        server.ask_to_stop();
        assert_eq!(server.wait().status.code(), Some(0));
        server = Process::start_inheriting(&listener, data.path());
    }
    load.until_more_are_answered().await;
    load.is_over.store(true, Ordering::SeqCst);
    for client in clients {
        for (key, answer) in client.await.unwrap() {
            assert_eq!(server.save(&key, "text\n").await.body, answer);
        }
    }
    drop(server);
    Rows::of(data.path()).await.assert_paired(data.path());
}

#[derive(Default)]
struct Load {
    answered: AtomicUsize,
    is_over: AtomicBool,
}

impl Load {
    async fn until_more_are_answered(&self) {
        let enough = self.answered.load(Ordering::SeqCst) + ANSWERED_BETWEEN;
        let has_enough = async || self.answered.load(Ordering::SeqCst) >= enough;
        crate::harness::until("saves are answered", has_enough).await;
    }
}

async fn save_until_over(host: Host, load: Arc<Load>) -> Vec<(String, Bytes)> {
    let mut answers = Vec::new();
    while !load.is_over.load(Ordering::SeqCst) {
        let key = fresh_key();
        let reply = host.save(&key, "text\n").await;
        reply.created();
        load.answered.fetch_add(1, Ordering::SeqCst);
        answers.push((key, reply.body));
    }
    answers
}

/// Saves, retries, reads and deletes, small and large, and the early refusals.
async fn everything_works(host: &Host, base: &str) {
    let api = format!("{base}/api/pastes");
    let save = async |key: &str, content: Vec<u8>| -> Reply {
        let save = host.request(Method::POST, &api);
        send(save.header("idempotency-key", key).body(content)).await
    };
    for content in ["text\r\n".into(), vec![b'x'; 10 * MIB]] {
        let key = fresh_key();
        let first = save(&key, content.clone()).await;
        let paste = first.created();
        assert!(paste.url.starts_with("https://") && first.header("location") == paste.url);
        assert_eq!(save(&key, content.clone()).await.body, first.body);
        let raw = format!("{base}/{}/raw", paste.id);
        let read = host.get(&raw).await;
        assert_eq!(read.body, content);
        assert_eq!(read.header("etag"), format!("\"{}\"", paste.sha256));
        assert_eq!(read.header("content-encoding"), "");
        let page = host.request(Method::GET, &format!("{base}/{}", paste.id));
        let page = send(page.header("accept", "text/html")).await;
        assert!(page.status == 200 && page.text().contains(&paste.id));
        let delete = host.request(Method::DELETE, &format!("{api}/{}", paste.id));
        let delete = send(delete.bearer_auth(&paste.delete_token)).await;
        assert_eq!(delete.status, 204);
        assert_eq!(host.get(&raw).await.status, 404);
    }
    let too_large = save(&fresh_key(), vec![b'x'; 10 * MIB + 1]).await;
    assert_eq!(too_large.problem().code, Code::PasteTooLarge);
    let no_key = host.request(Method::POST, &api).body(vec![b'x'; MIB]);
    assert_eq!(
        send(no_key).await.problem().code,
        Code::IdempotencyKeyMissing
    );
}
