//! The QR code of a paste's link.

use crate::harness::TestServer;
use oncebin::qr;

#[tokio::test(flavor = "multi_thread")]
async fn it_is_a_picture_of_the_link_that_runs_and_loads_nothing() {
    let server = TestServer::start_with(&["--base-url=https://example.org/paste"], |_| {}).await;
    let request = server
        .request(reqwest::Method::POST, "/paste/api/pastes")
        .header("idempotency-key", crate::harness::fresh_key());
    let created = crate::harness::send(request.body("text")).await.created();
    let reply = server.get(&format!("/paste/{}/qr.svg", created.id)).await;
    assert_eq!(reply.header("content-type"), "image/svg+xml");
    assert_eq!(
        reply.header("content-security-policy"),
        "default-src 'none'; sandbox; frame-ancestors 'none'"
    );
    assert!(created.url.starts_with("https://example.org/paste/"));
    assert_eq!(Some(reply.text()), qr::svg(&created.url));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_loads_it_when_it_is_wanted() {
    let server = TestServer::start().await;
    let id = server.save_new("text").await.created().id;
    let page = server
        .get_with(&format!("/{id}"), &[("accept", "text/html")])
        .await;
    let picture = format!("<img src=\"/{id}/qr.svg\"");
    let html = page.text();
    let (_, rest) = html.split_once(&picture).unwrap();
    assert!(rest.split_once('>').unwrap().0.contains("loading=\"lazy\""));
}
