//! `/metrics`: requests and saves, and that nobody outside can make one series more.

use crate::harness::{Scrape, TestServer, fresh_key, promtool, until};
use reqwest::Method;
use std::time::Duration;

pub(crate) fn creates(result: &str) -> String {
    format!("oncebin_creates_total{{result=\"{result}\"}}")
}

fn requests(method: &str, route: &str, status: &str) -> String {
    format!(
        "oncebin_http_requests_total{{method=\"{method}\",route=\"{route}\",status=\"{status}\"}}"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn promtool_has_nothing_to_say_about_the_text() {
    let server = TestServer::start().await;
    let id = server.save_new("text").await.created().id;
    server.get(&format!("/{id}")).await;
    let scrape = Scrape::of(&server.admin()).await;
    assert_eq!(promtool(&["check", "metrics"], &scrape.text), "");
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        scrape.count(&format!("oncebin_build_info{{version=\"{version}\"}}")),
        1
    );
    assert!(scrape.value("process_resident_memory_bytes") > 1e6);
    assert!(scrape.value("process_start_time_seconds") > 1.7e9);
    assert!(scrape.value("process_open_fds") > 3.0);
    assert!(scrape.value("process_open_fds") < scrape.value("process_max_fds"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_storm_of_odd_requests_makes_no_series_and_leaves_no_name() {
    let server = TestServer::start_with(&["--max-paste-bytes=1000"], |_| {}).await;
    let before = Scrape::of(&server.admin()).await;
    let (key, title) = (fresh_key(), "a_title_of_its_own");
    let saved = server
        .save_with(&key, &format!("?title={title}"), &[], "text")
        .await;
    let paste = saved.created();
    for number in 0..200 {
        let odd = Method::from_bytes(format!("ODD{number}").as_bytes()).unwrap();
        let path = format!("/odd{number}/{number}?{number}");
        server.ask(odd, &path, &[("user-agent", &path)]).await;
        server.get(&format!("/{number:014}")).await;
        server.get(&format!("/api/pastes/{number}")).await;
        server.save(&format!("{number}"), "x").await;
    }
    server.save(&key, "other").await;
    server.get(&format!("/{}/raw", paste.id)).await;
    server
        .delete(&paste.id, "once_abcdefghijklmnopqrstuvwxyz")
        .await;
    server.delete(&paste.id, &paste.delete_token).await;
    let after = Scrape::of(&server.admin()).await;
    let names = |scrape: &Scrape| scrape.series.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&before), names(&after));
    for word in [&key, title, &paste.id, &paste.delete_token, "odd", "ODD"] {
        assert!(!after.text.contains(word), "{word}");
    }
    assert_eq!(after.count(&requests("GET", "/{id}", "404")), 200);
    assert_eq!(after.count(&requests("other", "none", "404")), 200);
    assert_eq!(after.count(&requests("POST", "/api/pastes", "400")), 200);
    assert_eq!(
        after.count(&requests("DELETE", "/api/pastes/{id}", "204")),
        1
    );
    let took =
        "oncebin_http_request_duration_seconds_count{method=\"GET\",route=\"/api/pastes/{id}\"}";
    assert_eq!(after.count(took), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_operators_address_has_it() {
    let server = TestServer::start().await;
    assert_eq!(server.get("/metrics").await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn saves_are_counted_by_how_they_ended() {
    let server = TestServer::start().await;
    let key = fresh_key();
    server.save(&key, "text").await.created();
    server.save(&key, "text").await.created();
    assert_eq!(server.save(&key, "other").await.status, 409);
    assert_eq!(server.save_new("").await.status, 422);
    let fields = [("idempotency_key", &*key), ("content", "other")];
    assert_eq!(server.post_form("/", &fields).await.status, 409);
    // Both look the key up before either commits, so both write their text.
    let key = fresh_key();
    let mut clients = [
        server.begin_save(&key, 4).await,
        server.begin_save(&key, 4).await,
    ];
    for client in &mut clients {
        client.write("twin").await;
    }
    for client in &mut clients {
        assert!(client.read_head().await.starts_with("HTTP/1.1 201 "));
    }
    let scrape = Scrape::of(&server.admin()).await;
    for (result, count) in [
        ("new", 2),
        ("replay", 1),
        ("lost_race", 1),
        ("idempotency_key_reused", 2),
        ("invalid_content", 1),
        ("paste_too_large", 0),
    ] {
        assert_eq!(scrape.count(&creates(result)), count, "{result}");
    }
    assert_eq!(
        scrape.count("oncebin_create_retries_total{cause=\"taken\"}"),
        1
    );
    assert_eq!(
        scrape.count("oncebin_object_store_request_duration_seconds_count{operation=\"put\"}"),
        3
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_connections_and_deadlines_are_counted_while_they_last() {
    let server = TestServer::start_with(&[], |settings| {
        settings.deadlines.request_body = Duration::from_millis(300);
    })
    .await;
    let in_flight = "oncebin_http_bodies_in_flight_bytes";
    let open = "oncebin_http_connections{listener=\"public\"}";
    let mut client = server.begin_save(&fresh_key(), 100_000).await;
    client.write("x".repeat(50_000)).await;
    until("half a body is in flight", async || {
        Scrape::of(&server.admin()).await.value(in_flight) >= 50_000.0
    })
    .await;
    let half = Scrape::of(&server.admin()).await;
    assert_eq!(half.count(open), 1);
    assert!(half.value("oncebin_http_bodies_in_flight_limit_bytes") >= 128.0 * 1024.0 * 1024.0);
    assert!(half.count("oncebin_http_connections_limit{listener=\"public\"}") >= 16);
    assert!(client.read_head().await.starts_with("HTTP/1.1 408 "));
    let late = Scrape::of(&server.admin()).await;
    assert_eq!(late.count(in_flight), 0);
    assert_eq!(
        late.count("oncebin_deadlines_missed_total{deadline=\"request_body\"}"),
        1
    );
    assert_eq!(late.count(&creates("body_too_slow")), 1);
    drop(client);
    until("the connection is closed", async || {
        Scrape::of(&server.admin()).await.count(open) == 0
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_leaves_before_its_answer_is_counted() {
    let server = TestServer::start().await;
    let mut client = server.begin_save(&fresh_key(), 100).await;
    client.write("half").await;
    drop(client);
    let left = [
        requests("POST", "/api/pastes", "hung_up"),
        requests("POST", "/api/pastes", "408"),
    ];
    until("it is counted", async || {
        let scrape = Scrape::of(&server.admin()).await;
        left.iter().map(|series| scrape.count(series)).sum::<i64>() == 1
    })
    .await;
}
