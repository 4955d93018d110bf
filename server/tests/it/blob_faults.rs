//! A bucket that fails, is slow, or breaks its connections: what passes is bridged, and everything ends in time.

use crate::harness::{HttpFault, HttpProxy, TestBucket};
use app::wire::id::Slot;
use bytes::Bytes;
use oncebin::blob::{Blob, BlobCheck, BlobDeadlines, BlobError, ObjectKey};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

const SLOW_DOWN: HttpFault = HttpFault::Answer(503, "<Error><Code>SlowDown</Code></Error>");

/// Short, for a bucket from which no answer comes anyway.
const SHORT: BlobDeadlines = BlobDeadlines {
    request: Duration::from_millis(300),
    in_all: Duration::from_millis(800),
    each_mib: Duration::ZERO,
};

/// Far past what is shortened, and before the deadline that is not: 10 s.
const IN_TIME: Duration = Duration::from_secs(9);

struct Faulty {
    blob: Blob,
    bucket: TestBucket,
    proxy: HttpProxy,
    key: ObjectKey,
    text: Bytes,
}

impl Faulty {
    async fn start(deadlines: BlobDeadlines) -> Self {
        let bucket = TestBucket::fresh().await;
        let proxy = HttpProxy::to(SocketAddr::from(([127, 0, 0, 1], bucket.s3_port))).await;
        Self {
            blob: bucket.at(proxy.address).blob_within(deadlines),
            bucket,
            proxy,
            key: ObjectKey::fresh(Slot::new(0)),
            text: Bytes::from(vec![b'x'; 100_000]),
        }
    }

    /// Has an object there, without a fault and in its own time.
    async fn fill(&self) {
        let blob = self.bucket.blob();
        blob.put(&self.key, self.text.clone()).await.unwrap();
    }

    async fn put(&self) -> Result<(), BlobError> {
        self.blob.put(&self.key, self.text.clone()).await
    }

    async fn get(&self) -> Result<Bytes, BlobError> {
        self.blob.get(self.key.as_str(), 0..100_000).await
    }

    /// Puts, reads and removes while the first so many requests of each meet a fault.
    async fn assert_bridged(&self, times: usize, fault: HttpFault) {
        self.proxy.strike(times, fault);
        assert_eq!(self.put().await, Ok(()), "{fault:?}");
        self.proxy.strike(times, fault);
        assert!(self.get().await == Ok(self.text.clone()), "{fault:?}");
        self.proxy.strike(times, fault);
        assert_eq!(
            self.blob.delete(self.key.as_str()).await,
            Ok(()),
            "{fault:?}"
        );
        assert_eq!(self.bucket.object(self.key.as_str()).await, None);
        assert_eq!(self.get().await, Err(BlobError::Missing));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_passes_is_bridged() {
    let faulty = Faulty::start(BlobDeadlines::default()).await;
    for fault in [SLOW_DOWN, HttpFault::Drop, HttpFault::CutAnswer] {
        faulty.assert_bridged(2, fault).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_request_that_hangs_is_given_up_for_another() {
    let faulty = Faulty::start(BlobDeadlines {
        request: Duration::from_secs(1),
        ..BlobDeadlines::default()
    })
    .await;
    faulty.fill().await;
    for fault in [HttpFault::Hang, HttpFault::HoldAnswer] {
        faulty.assert_bridged(1, fault).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_that_stays_down_is_asked_three_times() {
    let faulty = Faulty::start(BlobDeadlines::default()).await;
    for fault in [
        SLOW_DOWN,
        HttpFault::Answer(500, ""),
        HttpFault::Drop,
        HttpFault::CutAnswer,
    ] {
        let before = faulty.proxy.asked().len();
        faulty.proxy.set(fault);
        assert_eq!(faulty.put().await, Err(BlobError::Unavailable), "{fault:?}");
        assert_eq!(faulty.proxy.asked().len() - before, 3, "{fault:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_that_hangs_ends_in_time() {
    let faulty = Faulty::start(SHORT).await;
    faulty.fill().await;
    for fault in [HttpFault::Hang, HttpFault::HoldAnswer] {
        faulty.proxy.set(fault);
        let start = Instant::now();
        assert_eq!(faulty.put().await, Err(BlobError::Unavailable));
        assert!(start.elapsed() > SHORT.request && start.elapsed() < IN_TIME);
        assert_eq!(faulty.get().await, Err(BlobError::Unavailable));
        assert_eq!(faulty.blob.probe().await, Err(BlobError::Unavailable));
        assert!(matches!(
            faulty.blob.check().await,
            BlobCheck::Unreachable(_)
        ));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_final_and_its_line_holds_no_more_than_the_code() {
    let faulty = Faulty::start(BlobDeadlines::default()).await;
    for (status, body, line) in [
        (
            403,
            "<Error><Code>SignatureDoesNotMatch</Code><AWSAccessKeyId>AKONCEBINTEST</AWSAccessKeyId>\
             <StringToSign>AWS4-HMAC-SHA256</StringToSign></Error>",
            "the credentials are refused (403 SignatureDoesNotMatch)",
        ),
        (
            400,
            "<Error><Code>ExpiredToken</Code></Error>",
            "the credentials are refused (400 ExpiredToken)",
        ),
        (403, "", "the credentials are refused (403)"),
        (
            301,
            "<Error><Code>PermanentRedirect</Code></Error>",
            "the bucket is in another region; set AWS_REGION",
        ),
        (
            400,
            "<Error><Code>AuthorizationHeaderMalformed</Code></Error>",
            "the bucket is in another region; set AWS_REGION",
        ),
        (
            501,
            "<Error><Code>NotImplemented</Code></Error>",
            "it cannot write an object: refused: 501 NotImplemented",
        ),
    ] {
        let before = faulty.proxy.asked().len();
        faulty.proxy.set(HttpFault::Answer(status, body));
        assert_eq!(faulty.blob.check().await.to_string(), line);
        assert_eq!(faulty.proxy.asked().len() - before, 1, "{line}");
    }
    assert!(!format!("{:?}", faulty.blob).contains("AKONCEBINTEST"));
}
