//! A deleted paste leaves a real Varnish in every variant, also one that was on its way during the purge.

use crate::harness::{
    Host, HttpFault, HttpProxy, PURGE_TOKEN, RawConnection, Reply, TestServer, Varnish, send, until,
};
use futures_util::future::join_all;
use reqwest::Method;
use std::net::SocketAddr;
use std::time::Duration;
use tempfile::TempDir;

/// Longer than the relay waits before its second purge.
const SECOND_PURGE: Duration = Duration::from_secs(120);

/// One way to ask: method, path and header lines.
type Variant = (Method, String, Vec<(&'static str, String)>);

/// Everything that can be asked of a paste.
fn variants(id: &str) -> Vec<Variant> {
    let etag = "\"anything\", W/\"else\"".to_owned();
    let mut variants = Vec::new();
    for path in [
        format!("/{id}"),
        format!("/{id}?q=1"),
        format!("/{id}/raw"),
        format!("/{id}/raw?q=1&r"),
        format!("/{id}/download"),
        format!("/{id}/download?q"),
        format!("/api/pastes/{id}"),
        format!("/api/pastes/{id}?q"),
    ] {
        for method in [Method::GET, Method::HEAD] {
            for accept in ["text/html", "*/*"] {
                let accept = ("accept", accept.to_owned());
                variants.push((method.clone(), path.clone(), vec![accept.clone()]));
                variants.push((
                    method.clone(),
                    path.clone(),
                    vec![accept.clone(), ("if-none-match", etag.clone())],
                ));
                variants.push((
                    method.clone(),
                    path.clone(),
                    vec![accept, ("range", "bytes=0-1".to_owned())],
                ));
            }
        }
    }
    variants
}

async fn ask_all(host: &Host, id: &str) -> Vec<(String, Reply)> {
    let asked = variants(id).into_iter().map(async |(method, path, lines)| {
        let lines: Vec<_> = lines
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let what = format!("{method} {path} {lines:?}");
        (what, host.ask(method, &path, &lines).await)
    });
    join_all(asked).await
}

async fn assert_served(host: &Host, id: &str) {
    for (what, reply) in ask_all(host, id).await {
        assert!(
            matches!(reply.status, 200 | 206),
            "{what}: {}",
            reply.status
        );
    }
}

async fn assert_gone(host: &Host, id: &str) {
    for (what, reply) in ask_all(host, id).await {
        assert_eq!(
            (reply.status, reply.header("x-cache")),
            (404, "pass"),
            "{what}"
        );
    }
}

async fn purge(varnish: &Host, id: &str) {
    assert_eq!(purge_with(varnish, PURGE_TOKEN, id).await, 200);
}

async fn purge_with(varnish: &Host, token: &str, tags: &str) -> u16 {
    let purge = varnish.request(Method::from_bytes(b"PURGE").unwrap(), "/");
    let purge = purge
        .header("x-purge-token", token)
        .header("surrogate-key", tags);
    send(purge).await.status
}

#[tokio::test(flavor = "multi_thread")]
async fn one_purge_by_tag_takes_every_variant_and_no_other_paste() {
    let server = TestServer::start().await;
    let varnish = Varnish::before(server.address).await;
    let paste = server.save_new("to be deleted\n").await.created();
    let other = server.save_new("to be kept\n").await.created();
    for _ in 0..2 {
        assert_served(&varnish, &paste.id).await;
        assert_served(&varnish, &other.id).await;
    }
    assert_eq!(
        varnish.delete(&paste.id, &paste.delete_token).await.status,
        204
    );
    assert_served(&varnish, &paste.id).await;
    purge(&varnish, &paste.id).await;
    assert_gone(&varnish, &paste.id).await;
    for (what, reply) in ask_all(&varnish, &other.id).await {
        assert_eq!(reply.header("x-cache"), "hit", "{what}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_who_has_the_token_purges_and_only_ids() {
    let server = TestServer::start().await;
    let varnish = Varnish::before(server.address).await;
    let id = server.save_new("text").await.created().id;
    let raw = format!("/{id}/raw");
    varnish.get(&raw).await;
    for (token, tags, status) in [
        ("", id.as_str(), 403),
        ("change-me", &id, 403),
        (PURGE_TOKEN, "", 400),
        (PURGE_TOKEN, ".*", 400),
        (PURGE_TOKEN, "2w0123456789AB && obj.status != 0", 400),
        (PURGE_TOKEN, "2w0123456789AB  2w0123456789AC", 400),
        (PURGE_TOKEN, "2w0123456789AB 2w0123456789AC", 200),
        (
            PURGE_TOKEN,
            &id.to_uppercase(),
            if id == id.to_uppercase() { 400 } else { 200 },
        ),
    ] {
        assert_eq!(purge_with(&varnish, token, tags).await, status, "{tags}");
        assert_eq!(varnish.get(&raw).await.header("x-cache"), "hit", "{tags}");
    }
    assert_eq!(
        purge_with(&varnish, PURGE_TOKEN, &format!("2w0123456789AB {id}")).await,
        200
    );
    assert_eq!(varnish.get(&raw).await.header("x-cache"), "miss");
    // The token goes no further than the cache.
    let mut client = RawConnection::open(varnish.address).await;
    let answer = client
        .ask(format!(
            "PURGE / HTTP/1.1\r\nHost: a\r\nX-Purge-Token: {PURGE_TOKEN}\r\n\r\n"
        ))
        .await;
    assert_eq!(answer.status, 400);
}

/// As an operator has it: the relay purges, by the template that goes with the example.
#[tokio::test(flavor = "multi_thread")]
async fn the_relay_takes_a_deleted_paste_out_of_every_variant() {
    let relayed = Relayed::start().await;
    let paste = relayed.server.save_new("to be deleted\n").await.created();
    let varnish = &relayed.varnish;
    for _ in 0..2 {
        assert_served(varnish, &paste.id).await;
    }
    let deleted = varnish.delete(&paste.id, &paste.delete_token).await;
    assert_eq!(deleted.status, 204);
    until("it is purged", async || {
        let raw = varnish.get(&format!("/{}/raw", paste.id)).await;
        raw.status == 404
    })
    .await;
    assert_gone(varnish, &paste.id).await;
}

/// The answer was on its way while the first purge was done, and is cached after it: what the second purge is for.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_under_way_during_the_purge_is_gone_after_the_second_one() {
    let relayed = Relayed::start().await;
    let (server, varnish) = (&relayed.server, &relayed.varnish);
    let paste = server.save_new("on its way\n").await.created();
    let raw = format!("/{}/raw", paste.id);
    relayed.to_origin.set(HttpFault::HoldAnswer);
    let reader = tokio::spawn({
        let (varnish, raw) = (Host::clone(varnish), raw.clone());
        async move { varnish.get(&raw).await }
    });
    relayed.to_origin.until_it_holds().await;
    let deleted = server.delete(&paste.id, &paste.delete_token).await;
    assert_eq!(deleted.status, 204);
    // Varnish has answered it: one that is merely on its way would find the answer.
    let is_purged = async || server.rows().await.outbox.iter().any(|row| row.is_purged);
    until("the first purge", is_purged).await;
    relayed.to_origin.set(HttpFault::Pass);
    assert_eq!(reader.await.unwrap().text(), "on its way\n");
    let stale = varnish.get(&raw).await;
    assert_eq!(
        (stale.status, stale.header("x-cache")),
        (200, "hit"),
        "the race is there"
    );
    until("the relay is done", async || {
        server.advance(SECOND_PURGE).await;
        server.rows().await.outbox.is_empty()
    })
    .await;
    assert!(relayed.purges().len() >= 2);
    assert_gone(varnish, &paste.id).await;
}

/// A service whose relay purges, and Varnish before it.
struct Relayed {
    server: TestServer,
    varnish: Varnish,
    to_origin: HttpProxy,
    to_varnish: HttpProxy,
    _folder: TempDir,
}

impl Relayed {
    async fn start() -> Self {
        let folder = TempDir::new().unwrap();
        // Service and Varnish ask each other, so each is known to the other by a way that is there first.
        let nowhere = SocketAddr::from(([127, 0, 0, 1], 1));
        let to_varnish = HttpProxy::to(nowhere).await;
        let purge = Varnish::purge_flag(folder.path(), to_varnish.address);
        let server = TestServer::start_with(&[&purge, "--workers=on"], |_| {}).await;
        let to_origin = HttpProxy::to(server.address).await;
        let varnish = Varnish::before(to_origin.address).await;
        to_varnish.lead_to(varnish.address);
        Self {
            server,
            varnish,
            to_origin,
            to_varnish,
            _folder: folder,
        }
    }

    fn purges(&self) -> Vec<String> {
        self.to_varnish.asked()
    }
}
