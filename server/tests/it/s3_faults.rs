//! The service while its bucket fails: 503 in time and never 404, and a retry with the same key is one paste.

use crate::harness::{
    FourShards, HttpFault, HttpProxy, Process, Reply, TestBucket, TestServer, fresh_key,
};
use app::wire::problem::Code;
use oncebin::blob::BlobDeadlines;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const SHORT: BlobDeadlines = BlobDeadlines {
    request: Duration::from_millis(400),
    in_all: Duration::from_millis(1_000),
    each_mib: Duration::from_millis(100),
};

/// Far past the deadlines above, and before those that are not shortened: 10 s.
const IN_TIME: Duration = Duration::from_secs(9);

/// What a bucket can do to those who ask.
const FAULTS: [HttpFault; 6] = [
    HttpFault::Answer(503, "<Error><Code>SlowDown</Code></Error>"),
    HttpFault::Answer(403, "<Error><Code>InvalidAccessKeyId</Code></Error>"),
    HttpFault::Answer(404, "<Error><Code>NoSuchBucket</Code></Error>"),
    HttpFault::Drop,
    HttpFault::Hang,
    HttpFault::CutAnswer,
];

async fn proxy_to(bucket: &TestBucket) -> HttpProxy {
    HttpProxy::to(SocketAddr::from(([127, 0, 0, 1], bucket.s3_port))).await
}

fn assert_store_unavailable(reply: &Reply, fault: HttpFault) {
    assert_eq!(reply.status, 503, "{fault:?}");
    assert_eq!(reply.problem().code, Code::StoreUnavailable, "{fault:?}");
    assert!(reply.problem().retryable);
    assert_eq!(reply.header("retry-after"), "1");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_save_that_a_fault_stops_is_one_paste_when_it_is_sent_again() {
    let bucket = TestBucket::fresh().await;
    let proxy = proxy_to(&bucket).await;
    let by_proxy = bucket.at(proxy.address);
    let server =
        TestServer::pair_on(Some(by_proxy), |settings| settings.blob_deadlines = SHORT).await;
    for (saved, fault) in (1..).zip(FAULTS) {
        let key = fresh_key();
        let text = format!("saved in spite of {fault:?}\n");
        proxy.set(fault);
        let start = Instant::now();
        for _ in 0..2 {
            assert_store_unavailable(&server.save(&key, text.clone()).await, fault);
        }
        assert!(start.elapsed() < 2 * IN_TIME, "{fault:?}");
        proxy.set(HttpFault::Pass);
        let paste = server.save(&key, text.clone()).await;
        let again = server.save(&key, text.clone()).await;
        assert_eq!((paste.status, &again.body), (201, &paste.body));
        assert_eq!(server.raw(&paste.created().id).await, text);
        let rows = server.rows().await;
        assert_eq!((rows.pastes.len(), rows.keys.len()), (saved, saved));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_cannot_be_read_is_503_and_its_metadata_is_there() {
    let bucket = TestBucket::fresh().await;
    let proxy = proxy_to(&bucket).await;
    let by_proxy = bucket.at(proxy.address);
    let server =
        TestServer::pair_on(Some(by_proxy), |settings| settings.blob_deadlines = SHORT).await;
    let id = server.save_new("kept\n").await.created().id;
    for fault in FAULTS {
        proxy.set(fault);
        for way in ["", "/raw", "/download"] {
            let reply = server.get(&format!("/{id}{way}")).await;
            assert_eq!(
                (reply.status, reply.header("retry-after")),
                (503, "1"),
                "{fault:?}"
            );
            assert_eq!(reply.header("cache-control"), "no-store");
            assert!(reply.text().starts_with("store_unavailable: "));
        }
        assert_eq!(server.get(&format!("/api/pastes/{id}")).await.status, 200);
        assert_eq!(server.get("/readyz").await.status, 503, "{fault:?}");
    }
    proxy.set(HttpFault::Pass);
    assert_eq!(server.raw(&id).await, "kept\n");
    assert_eq!(server.get("/readyz").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_object_that_is_lost_is_an_alarm_and_never_404() {
    let data = TempDir::new().unwrap();
    let shards = FourShards::shared().await;
    let bucket = TestBucket::fresh().await;
    let flags = [&*shards.flag(), &*bucket.flag()];
    let server = Process::start_with(data.path(), &flags, &bucket.variables());
    let id = server.save_new("to be lost\n").await.created().id;
    bucket
        .remove(&shards.rows().await.pastes[0].object_key)
        .await;
    for way in ["", "/raw", "/download"] {
        let reply = server.get(&format!("/{id}{way}")).await;
        assert_eq!((reply.status, reply.header("retry-after")), (503, "1"));
    }
    server.ask_to_stop();
    let log = server.wait().log;
    let alarms = log
        .lines()
        .filter(|line| line.contains("the object of a live paste is missing"));
    assert_eq!(
        alarms.filter(|line| line.contains("ERROR")).count(),
        3,
        "{log}"
    );
}
