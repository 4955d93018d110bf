//! The suite of every object store in a bucket of SeaweedFS, and what only a bucket has: those who may not ask.

use crate::blob_conformance::suite;
use crate::harness::{TestBucket, free_port};
use app::wire::id::Slot;
use bytes::Bytes;
use oncebin::blob::{Blob, BlobCheck, BlobDeadlines, BlobError, ObjectKey};
use oncebin::pastes::CREATE_DEADLINE;

suite!(empty);

async fn empty() -> (Blob, TestBucket) {
    let bucket = TestBucket::fresh().await;
    (bucket.blob(), bucket)
}

#[test]
fn the_bucket_ends_before_the_create_does() {
    assert!(BlobDeadlines::default().in_all < CREATE_DEADLINE);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_object_has_its_name_below_the_prefix() {
    let bucket = TestBucket::fresh().await;
    let key = ObjectKey::fresh(Slot::new(7));
    bucket
        .blob()
        .put(&key, Bytes::from_static(b"text"))
        .await
        .unwrap();
    assert!(key.as_str().starts_with("007/"));
    assert_eq!(bucket.object(key.as_str()).await.unwrap(), b"text");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_not_ask_is_told_apart_from_what_is_missing() {
    let bucket = TestBucket::fresh().await;
    let mut elsewhere = bucket.clone();
    elsewhere.bucket.name = "nowhere".to_owned();
    assert_check(&elsewhere, "there is no such bucket").await;
    let stranger = bucket.asked_by("AKSTRANGER", "SKoncebinTestSecret");
    assert_check(
        &stranger,
        "the credentials are refused (403 InvalidAccessKeyId)",
    )
    .await;
    let liar = bucket.asked_by("AKONCEBINTEST", "SKwrong");
    assert_check(
        &liar,
        "the credentials are refused (403 SignatureDoesNotMatch)",
    )
    .await;
    let reader = bucket.asked_by("AKREADER", "SKreader");
    assert_check(
        &reader,
        "the credentials may not write objects (403 AccessDenied)",
    )
    .await;
    let nobody = bucket.at(format_args!("127.0.0.1:{}", free_port()));
    assert_check(&nobody, "it cannot be asked: ").await;
}

/// The check says so, and nothing that is asked of the store is taken for an answer.
async fn assert_check(bucket: &TestBucket, line: &str) {
    let blob = bucket.blob();
    let check = blob.check().await;
    assert!(check.to_string().starts_with(line), "{check}");
    let key = ObjectKey::fresh(Slot::new(0));
    let put = blob.put(&key, Bytes::from_static(b"text")).await;
    assert_eq!(put, Err(BlobError::Unavailable));
    if !matches!(check, BlobCheck::NotAllowed { .. }) {
        assert_eq!(
            blob.get(key.as_str(), 0..1).await,
            Err(BlobError::Unavailable)
        );
        assert_eq!(blob.probe().await, Err(BlobError::Unavailable));
    }
    assert_eq!(blob.delete(key.as_str()).await, Err(BlobError::Unavailable));
}
