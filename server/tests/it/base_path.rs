//! The public address: links are written with it, a path in it is served, and no request changes it.

use crate::harness::{Reply, TestServer, fresh_key, send};
use reqwest::Method;

const HTML: (&str, &str) = ("accept", "text/html");
const BASE: &str = "https://example.org/paste";

async fn server() -> TestServer {
    TestServer::start_with(&["--base-url=https://example.org/paste/"], |_| {}).await
}

async fn save(server: &TestServer, key: &str) -> Reply {
    let request = server
        .request(Method::POST, "/paste/api/pastes")
        .header("idempotency-key", key);
    send(request.body("text")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_is_served_under_the_path_and_linked_there() {
    let server = server().await;
    let reply = save(&server, &fresh_key()).await;
    let created = reply.created();
    let id = &created.id;
    assert_eq!(created.url, format!("{BASE}/{id}"));
    assert_eq!(reply.header("location"), created.url);
    for path in [
        "",
        "/",
        "/saved",
        "/mine",
        "/robots.txt",
        "/livez",
        "/readyz",
        &format!("/{id}"),
        &format!("/{id}/raw"),
        &format!("/{id}/download?x=1"),
        &format!("/{id}/markdown"),
        &format!("/{id}/qr.svg"),
        &format!("/?from={id}"),
        &format!("/api/pastes/{id}"),
    ] {
        let path = format!("/paste{path}");
        let get = server.get_with(&path, &[HTML]).await;
        assert_eq!(get.status, 200, "{path}");
        let head = server.ask(Method::HEAD, &path, &[HTML]).await;
        assert_eq!((head.status, head.lines()), (200, get.lines()), "{path}");
        for address in addresses(&get.text()) {
            assert!(
                address.starts_with("/paste/")
                    || address.starts_with(BASE)
                    || address.starts_with("data:")
                    || address.starts_with('#'),
                "{path}: {address}"
            );
        }
    }
    let style = addresses(&server.get("/paste/").await.text())
        .into_iter()
        .find(|address| address.contains(".css"))
        .unwrap();
    assert_eq!(server.get(&style).await.status, 200);
    let delete = server
        .request(Method::DELETE, &format!("/paste/api/pastes/{id}"))
        .bearer_auth(created.delete_token);
    assert_eq!(send(delete).await.status, 204);
}

/// The values of every `href`, `src` and `action`.
fn addresses(html: &str) -> Vec<String> {
    let values = [" href=\"", " src=\"", " action=\""];
    let found = values.iter().flat_map(|name| html.split(name).skip(1));
    found
        .map(|rest| rest.split('"').next().unwrap().to_owned())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn elsewhere_is_404_but_for_the_probes() {
    let server = server().await;
    let id = save(&server, &fresh_key()).await.created().id;
    for path in [
        "/",
        "/saved",
        "/mine",
        "/robots.txt",
        "/pastes",
        "/pastelivez",
        "/Paste",
        "/paste%2F",
        "//paste",
        "/x/paste",
        &format!("/{id}"),
        &format!("/{id}/raw"),
        &format!("/api/pastes/{id}"),
        "/paste/paste",
        "/paste//",
    ] {
        let answer = server
            .connect()
            .await
            .ask(format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n"))
            .await;
        assert_eq!(
            (answer.status, answer.header("cache-control")),
            (404, "no-store"),
            "{path}"
        );
    }
    let outside = server
        .request(Method::POST, "/api/pastes")
        .header("idempotency-key", fresh_key())
        .body("text");
    assert_eq!(send(outside).await.status, 404);
    for path in ["/livez", "/readyz", "/paste/livez", "/paste/readyz"] {
        assert_eq!(server.get(path).await.status, 200, "{path}");
    }
    let reply = server.ask(Method::PUT, "/paste/api/pastes", &[]).await;
    assert_eq!((reply.status, reply.header("allow")), (405, "POST"));
    assert_eq!(
        reply.code(),
        "method_not_allowed",
        "a problem, as under /api"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_form_works_under_the_path() {
    let server = server().await;
    let key = fresh_key();
    let fields = [("idempotency_key", &*key), ("content", "text")];
    let page = server.post_form("/paste/", &fields).await;
    assert_eq!(page.status, 201);
    let path = page
        .header("location")
        .strip_prefix("https://example.org")
        .unwrap();
    assert_eq!(server.get(path).await.text(), "text");
    assert!(page.text().contains(&format!("action=\"{path}/delete\"")));
}

/// What a request says of its host is believed by nothing and repeated nowhere. (The port is looked for with its colon: three bare digits turn up in hashes.)
#[tokio::test(flavor = "multi_thread")]
async fn no_request_says_where_we_are() {
    let server = TestServer::start_with(&["--base-url=https://example.org"], |_| {}).await;
    let key = fresh_key();
    let id = server.save(&key, "text").await.created().id;
    let lies = "Host: evil.example\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: gopher\r\nX-Forwarded-Port: 666\r\nX-Original-URL: /evil.example\r\nX-Rewrite-URL: /evil.example\r\nForwarded: host=evil.example;proto=gopher\r\nReferer: https://evil.example/\r\nOrigin: https://evil.example\r\n";
    let save = format!("Idempotency-Key: {key}\r\nContent-Length: 4\r\n\r\ntext");
    for (line, rest) in [
        ("POST /api/pastes", &*save),
        ("POST /api/pastes", "\r\n"),
        ("GET /", "Accept: text/html\r\n\r\n"),
        ("GET /saved", "\r\n"),
        (&format!("GET /{id}"), "Accept: text/html\r\n\r\n"),
        (&format!("GET /{id}/download"), "\r\n"),
        (&format!("GET /api/pastes/{id}"), "\r\n"),
        (&format!("GET /{id}?next=https://evil.example"), "\r\n"),
        ("GET /nothing/evil.example", "Accept: text/html\r\n\r\n"),
        (
            "GET http://evil.example/nothing",
            "Accept: text/html\r\n\r\n",
        ),
        ("PUT /", "Accept: text/html\r\n\r\n"),
        ("DELETE /api/pastes/x", "\r\n"),
    ] {
        let answer = server
            .connect()
            .await
            .ask(format!("{line} HTTP/1.1\r\n{lies}{rest}"))
            .await;
        assert_ne!(answer.status, 0, "{line}");
        let all = format!("{}{}", answer.head, answer.body);
        for lie in ["evil.example", "gopher", ":666"] {
            assert!(!all.contains(lie), "{line}: {all}");
        }
        assert!(
            !(300..400).contains(&answer.status),
            "{line}: nothing redirects"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn probes_are_public_without_detail_and_the_operators_have_it() {
    let server = TestServer::start().await;
    assert_eq!(server.get("/livez").await.text(), "ok\n");
    assert_eq!(server.get("/readyz").await.text(), "ready\n");
    let mut admin = server.admin().connect().await;
    let detail = admin.ask("GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n").await;
    assert_eq!(
        (detail.status, &*detail.body),
        (
            200,
            "draining false\nobjects up\nshard 0 up\nshard 1 up\nshard 2 up\nshard 3 up\n\
             outbox 0 rows 0 oldest 0 s\noutbox 1 rows 0 oldest 0 s\n\
             outbox 2 rows 0 oldest 0 s\noutbox 3 rows 0 oldest 0 s\n"
        )
    );
    assert_eq!(
        admin.ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.status,
        404
    );
}
