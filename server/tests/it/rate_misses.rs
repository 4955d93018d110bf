//! The limit on unknown ids and wrong delete tokens: by address, before anything is looked up, without an effect.

use crate::harness::{Reply, TestServer, fresh_key, send};
use app::wire::problem::Code;
use reqwest::Method;

const UNKNOWN: &str = "2w0123456789AB";
const WRONG: &str = "Bearer once_abcdefghijklmnopqrstuvwxyz";

/// A service that allows each address two misses at once, and believes the tests about addresses.
async fn service() -> TestServer {
    let flags = ["--miss-rate=6", "--trusted-proxies=127.0.0.0/8"];
    TestServer::start_with(&flags, |_| {}).await
}

async fn ask(service: &TestServer, method: Method, path: &str, address: &str) -> Reply {
    let lines = [
        ("x-forwarded-for", address),
        ("authorization", WRONG),
        ("accept", "application/json"),
    ];
    service.ask(method, path, &lines).await
}

async fn get(service: &TestServer, path: &str, address: &str) -> u16 {
    ask(service, Method::GET, path, address).await.status
}

/// Posts a delete token by form.
async fn post_token(service: &TestServer, path: &str, token: &str, address: &str) -> u16 {
    let request = service
        .request(Method::POST, path)
        .header("x-forwarded-for", address)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(format!("delete_token={token}"));
    send(request).await.status
}

/// Uses an address' misses up.
async fn miss(service: &TestServer, address: &str) {
    for _ in 0..2 {
        assert_eq!(get(service, &format!("/{UNKNOWN}"), address).await, 404);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_guesses_ids_is_refused_and_nobody_else() {
    let service = service().await;
    let paste = service.save_new("text").await.created();
    let known = format!("/{}/raw", paste.id);
    miss(&service, "192.0.2.1").await;
    let refused = ask(
        &service,
        Method::GET,
        &format!("/api/pastes/{UNKNOWN}"),
        "192.0.2.1",
    )
    .await;
    let problem = refused.problem();
    assert_eq!((problem.code, problem.limit), (Code::RateLimited, Some(6)));
    let seconds: u64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=10).contains(&seconds), "{seconds}");
    assert_eq!(refused.header("cache-control"), "no-store");
    // Before the look-up: what is there and what is not get one answer.
    for path in [
        &known,
        &format!("/{UNKNOWN}"),
        &format!("/{UNKNOWN}/download"),
    ] {
        for method in [Method::GET, Method::HEAD] {
            assert_eq!(ask(&service, method, path, "192.0.2.1").await.status, 429);
        }
    }
    assert_eq!(get(&service, &known, "192.0.2.2").await, 200);
    for path in ["/", "/?from=", "/livez", "/robots.txt"] {
        let expected = if path == "/?from=" { 404 } else { 200 };
        assert_eq!(get(&service, path, "192.0.2.1").await, expected, "{path}");
    }
    let line = [("x-forwarded-for", "192.0.2.1")];
    let key = fresh_key();
    for _ in 0..2 {
        let saved = service.save_with(&key, "", &line, "saving goes on").await;
        assert_eq!(saved.status, 201);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_delete_deletes_nothing() {
    let service = service().await;
    let paste = service.save_new("text").await.created();
    let path = format!("/api/pastes/{}", paste.id);
    let bearer = format!("Bearer {}", paste.delete_token);
    let delete = async |token: &str, address: &str| {
        let lines = [("authorization", token), ("x-forwarded-for", address)];
        service.ask(Method::DELETE, &path, &lines).await.status
    };
    for expected in [404, 404, 429] {
        assert_eq!(delete(WRONG, "192.0.2.1").await, expected);
    }
    assert_eq!(delete(&bearer, "192.0.2.1").await, 429);
    let form = format!("/{}/delete", paste.id);
    assert_eq!(
        ask(&service, Method::POST, &form, "192.0.2.1").await.status,
        429
    );
    assert_eq!(get(&service, &path, "192.0.2.2").await, 200);
    assert_eq!(delete(&bearer, "192.0.2.2").await, 204);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_was_looked_up_in_vain_is_charged() {
    let service = service().await;
    let paste = service.save_new("text").await.created();
    let known = format!("/{}", paste.id);
    for _ in 0..5 {
        assert_eq!(get(&service, &known, "192.0.2.1").await, 200);
        for path in [
            "/favicon.ico",
            "/zz0123456789AB",
            "/?from=zz0123456789AB",
            "/api/nothing",
            "/pkg/x.js",
            &format!("{known}/"),
            &format!("{known}/nothing"),
            &format!("/{UNKNOWN}/nothing"),
            &format!("/api/pastes{known}/"),
        ] {
            assert_eq!(get(&service, path, "192.0.2.1").await, 404, "{path}");
        }
        let form = format!("{known}/delete");
        let answer = post_token(&service, &form, "none", "192.0.2.1").await;
        assert_eq!(answer, 404);
        let lines = [
            ("x-forwarded-for", "192.0.2.1"),
            ("authorization", "Bearer x"),
        ];
        let path = format!("/api/pastes/{UNKNOWN}");
        assert_eq!(service.ask(Method::DELETE, &path, &lines).await.status, 401);
    }
    miss(&service, "192.0.2.1").await;
    assert_eq!(get(&service, &known, "192.0.2.1").await, 429);
}

/// Every way to ask for an id costs the same, and is refused alike.
#[tokio::test(flavor = "multi_thread")]
async fn no_way_to_ask_for_an_id_is_free() {
    let service = service().await;
    let paste = service.save_new("text").await.created();
    let ways = [
        "/{id}",
        "/{id}/raw",
        "/{id}/download",
        "/{id}/markdown",
        "/{id}/qr.svg",
        "/api/pastes/{id}",
        "/?from={id}",
        "/?x=1&from={id}",
    ];
    for (number, way) in (1..).zip(ways) {
        let address = format!("192.0.2.{number}");
        let (known, unknown) = (way.replace("{id}", &paste.id), way.replace("{id}", UNKNOWN));
        for expected in [404, 404, 429] {
            assert_eq!(get(&service, &unknown, &address).await, expected, "{way}");
        }
        assert_eq!(get(&service, &known, &address).await, 429, "{way}");
        assert_eq!(get(&service, &known, "192.0.2.99").await, 200, "{way}");
    }
    let form = format!("/{}/delete", paste.id);
    for expected in [404, 404, 429] {
        let token = "once_abcdefghijklmnopqrstuvwxyz";
        let answer = post_token(&service, &form, token, "192.0.2.98").await;
        assert_eq!(answer, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_are_counted_as_for_creates() {
    let service = service().await;
    let unknown = format!("/{UNKNOWN}");
    miss(&service, "2001:db8::1").await;
    assert_eq!(get(&service, &unknown, "2001:db8::2").await, 429, "one /64");
    assert_eq!(get(&service, &unknown, "2001:db8:0:1::1").await, 404);
    miss(&service, "192.0.2.1").await;
    assert_eq!(
        get(&service, &unknown, "203.0.113.9, 192.0.2.1").await,
        429,
        "from the right"
    );
    let service = TestServer::start_with(&["--miss-rate=6"], |_| {}).await;
    miss(&service, "192.0.2.1").await;
    assert_eq!(
        get(&service, &unknown, "192.0.2.2").await,
        429,
        "nobody is believed"
    );
}
