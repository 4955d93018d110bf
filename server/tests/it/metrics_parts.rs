//! `/metrics`: shards, objects, cache and workers.

use crate::harness::fault_proxy::Fault;
use crate::harness::{OneShard, Scrape, TestServer, fresh_key, text_files, until};
use crate::metrics::creates;
use oncebin::http::ENDPOINTS;
use oncebin::metrics::{Metrics, PassEnd};
use oncebin::workers::Reaped;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn a_shard_is_seen_to_go_down_and_to_come_back() {
    let server = OneShard::start().await;
    let id = server.save_new("text").await.created().id;
    let path = format!("/{id}/raw");
    let up = Scrape::of(&server.admin()).await;
    assert_eq!(up.count("oncebin_shard_up{shard=\"0\"}"), 1);
    assert_eq!(up.count("oncebin_shard_connections_limit{shard=\"0\"}"), 16);
    let open = up.count("oncebin_shard_connections{shard=\"0\",state=\"busy\"}")
        + up.count("oncebin_shard_connections{shard=\"0\",state=\"idle\"}");
    assert!((1..=16).contains(&open), "{open}");
    let created =
        "oncebin_shard_operation_duration_seconds_count{operation=\"create\",shard=\"0\"}";
    assert_eq!(up.count(created), 1);
    server.proxy.set(Fault::Down);
    until("the shard is down", async || {
        server.get(&path).await.status == 503
    })
    .await;
    let down = Scrape::of(&server.admin()).await;
    assert_eq!(down.count("oncebin_shard_up{shard=\"0\"}"), 0);
    assert!(down.count("oncebin_shard_failures_total{failure=\"unreachable\",shard=\"0\"}") > 0);
    assert!(down.count("oncebin_shard_sql_errors_total{shard=\"0\",sqlstate=\"none\"}") > 0);
    server.proxy.set(Fault::Pass);
    until("the shard is back", async || {
        server.get(&path).await.status == 200
    })
    .await;
    let back = Scrape::of(&server.admin()).await;
    assert_eq!(back.count("oncebin_shard_up{shard=\"0\"}"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_race_on_postgresql_is_counted_by_its_sqlstate() {
    let server = OneShard::start().await;
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
    assert_eq!(scrape.count(&creates("lost_race")), 1);
    let [unique, conflict] = ["23505", "40001"].map(|sqlstate| {
        let series =
            format!("oncebin_shard_sql_errors_total{{shard=\"0\",sqlstate=\"{sqlstate}\"}}");
        scrape.count(&series)
    });
    // Under repeatable read the loser may also be told to serialize, and finds the key taken when it tries again.
    assert!(unique + conflict >= 1, "{unique} {conflict}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_ahead_is_seen() {
    let shard = "oncebin_shard_clock_offset_seconds{shard=\"0\"}";
    let data = tempfile::TempDir::new().unwrap();
    let file = format!("--shards=sqlite://{}", data.path().join("one").display());
    let server = TestServer::start_with(&[&file], |_| {}).await;
    server.save_new("text").await.created();
    let agreed = Scrape::of(&server.admin()).await.value(shard);
    assert!(agreed.abs() < 1.0, "{agreed}");
    server.advance(Duration::from_secs(90)).await;
    server.save_new("text").await.created();
    let ahead = Scrape::of(&server.admin()).await.value(shard);
    assert!((89.0..91.0).contains(&ahead), "{ahead}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_object_and_a_store_that_fails_are_told_apart() {
    let server = TestServer::start().await;
    let id = server.save_new("text").await.created().id;
    let objects = server.data().join("objects");
    std::fs::remove_file(&text_files(&objects)[0]).unwrap();
    assert_eq!(server.get(&format!("/{id}/raw")).await.status, 503);
    let lost = Scrape::of(&server.admin()).await;
    assert_eq!(lost.count("oncebin_objects_lost_total"), 1);
    let put_failed = "oncebin_object_store_failures_total{failure=\"error\",operation=\"put\"}";
    assert_eq!(lost.count(put_failed), 0);
    std::fs::remove_dir_all(&objects).unwrap();
    assert_eq!(server.save_new("text").await.status, 503);
    let failed = Scrape::of(&server.admin()).await;
    assert_eq!(failed.count(put_failed), 1);
    assert_eq!(failed.count(&creates("store_unavailable")), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cache_is_seen_to_work() {
    let server = TestServer::start().await;
    let id = server.save_new("text").await.created().id;
    for _ in 0..3 {
        server.get(&format!("/{id}/raw")).await;
    }
    let scrape = Scrape::of(&server.admin()).await;
    assert_eq!(scrape.count("oncebin_cache_misses_total"), 1);
    assert_eq!(scrape.count("oncebin_cache_hits_total"), 2);
    let again = Scrape::of(&server.admin()).await;
    assert_eq!(again.count("oncebin_cache_hits_total"), 2);
}

#[test]
fn what_a_pass_of_the_reaper_saw_and_did_is_counted() {
    let metrics = Metrics::new(&ENDPOINTS, 2).unwrap();
    let reaped = Reaped {
        objects: 100,
        orphans: 7,
        removed: 4,
        staging_removed: 2,
        braked: true,
        ..Reaped::default()
    };
    let reaper = metrics.workers.of("reaper", 1);
    reaper.started();
    reaped.count(&reaper);
    let doubtful = Reaped {
        slots_in_doubt: 3,
        ..reaped
    };
    doubtful.count(&reaper);
    reaper.ended(PassEnd::Panicked);
    let text = metrics.text(|| ());
    for line in [
        "oncebin_reaper_objects{shard=\"1\"} 100",
        "oncebin_reaper_orphans{shard=\"1\"} 7",
        "oncebin_reaper_braked{shard=\"1\"} 1",
        "oncebin_worker_items_total{item=\"orphan\",shard=\"1\",worker=\"reaper\"} 8",
        "oncebin_worker_items_total{item=\"staging\",shard=\"1\",worker=\"reaper\"} 4",
        "oncebin_worker_items_total{item=\"orphan\",shard=\"0\",worker=\"reaper\"} 0",
        "oncebin_worker_passes_total{result=\"complete\",shard=\"1\",worker=\"reaper\"} 1",
        "oncebin_worker_passes_total{result=\"in_doubt\",shard=\"1\",worker=\"reaper\"} 1",
        "oncebin_worker_passes_total{result=\"panicked\",shard=\"1\",worker=\"reaper\"} 1",
        "oncebin_worker_last_pass_timestamp_seconds{shard=\"0\",worker=\"reaper\"} 0",
    ] {
        assert!(text.lines().any(|is| is == line), "{line}");
    }
    assert!(
        text.contains(
            "oncebin_worker_last_pass_timestamp_seconds{shard=\"1\",worker=\"reaper\"} 1"
        )
    );
}
