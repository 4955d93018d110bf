//! A deleted paste leaves a real Varnish in every variant, also one that was on its way during the purge.

use crate::harness::{Host, HttpFault, HttpProxy, PURGE_TOKEN, Reply, TestServer, Varnish, send};
use futures_util::future::join_all;
use reqwest::Method;

/// Everything that can be asked of a paste: method, path and header lines.
fn variants(id: &str) -> Vec<(Method, String, Vec<(&'static str, String)>)> {
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
    let purge = varnish.request(Method::from_bytes(b"PURGE").unwrap(), "/");
    let purge = purge
        .header("x-purge-token", PURGE_TOKEN)
        .header("surrogate-key", id);
    assert_eq!(send(purge).await.status, 200);
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

/// The answer was on its way while the purge was done, and is cached after it. This is why there is a second purge.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_under_way_during_the_purge_is_gone_after_the_second_one() {
    let server = TestServer::start().await;
    let between = HttpProxy::to(server.address).await;
    let varnish = Varnish::before(between.address).await;
    let paste = server.save_new("on its way\n").await.created();
    let raw = format!("/{}/raw", paste.id);
    between.set(HttpFault::HoldAnswer);
    let reader = tokio::spawn({
        let (varnish, raw) = (varnish.clone(), raw.clone());
        async move { varnish.get(&raw).await }
    });
    between.until_it_holds().await;
    assert_eq!(
        server.delete(&paste.id, &paste.delete_token).await.status,
        204
    );
    purge(&varnish, &paste.id).await;
    between.set(HttpFault::Pass);
    assert_eq!(reader.await.unwrap().text(), "on its way\n");
    let stale = varnish.get(&raw).await;
    assert_eq!(
        (stale.status, stale.header("x-cache")),
        (200, "hit"),
        "the race is there"
    );
    purge(&varnish, &paste.id).await;
    assert_gone(&varnish, &paste.id).await;
}
