//! The start on a bucket: what is wrong is said in one line, and a bucket that was lost is not taken for a new one.

use crate::harness::{
    FourShards, HttpFault, HttpProxy, Process, SECRET, TestBucket, free_port, fresh_key,
};
use std::net::SocketAddr;
use tempfile::TempDir;

struct Place {
    data: TempDir,
    shards: FourShards,
    bucket: TestBucket,
}

impl Place {
    async fn empty() -> Self {
        Self {
            data: TempDir::new().unwrap(),
            shards: FourShards::shared().await,
            bucket: TestBucket::fresh().await,
        }
    }

    fn start(&self, bucket: &TestBucket) -> Process {
        let flags = [&*self.shards.flag(), &*bucket.flag(), "--log=trace"];
        Process::start_with(self.data.path(), &flags, &bucket.variables())
    }

    fn refused(&self, bucket: &TestBucket) -> String {
        let flags = [&*self.shards.flag(), &*bucket.flag()];
        Process::refused_with(self.data.path(), &flags, &bucket.variables(), 1)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_start_needs_a_bucket_that_works() {
    let place = Place::empty().await;
    let mut elsewhere = place.bucket.clone();
    elsewhere.bucket.name = "nowhere".to_owned();
    let proxy = HttpProxy::to(SocketAddr::from(([127, 0, 0, 1], 1))).await;
    proxy.set(HttpFault::Answer(
        301,
        "<Error><Code>PermanentRedirect</Code></Error>",
    ));
    for (bucket, why) in [
        (&elsewhere, "there is no such bucket"),
        (
            &place.bucket.asked_by("AKSTRANGER", "x"),
            "the credentials are refused (403 InvalidAccessKeyId)",
        ),
        (
            &place.bucket.asked_by("AKREADER", "SKreader"),
            "the credentials may not write objects (403 AccessDenied)",
        ),
        (
            &place.bucket.at(proxy.address),
            "the bucket is in another region; set AWS_REGION",
        ),
        (
            &place.bucket.at(format_args!("127.0.0.1:{}", free_port())),
            "it cannot be asked: ",
        ),
    ] {
        let line = place.refused(bucket);
        let named = format!(
            "oncebin: the object store s3://{}/{}",
            bucket.bucket.name, bucket.bucket.prefix
        );
        assert!(line.starts_with(&named) && line.contains(why), "{line}");
        assert!(
            !line.contains(SECRET) && !line.contains("AKONCEBINTEST"),
            "{line}"
        );
    }
    let server = place.start(&place.bucket);
    assert_eq!(server.save_new("text").await.status, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_later_start_does_not_wait_for_its_bucket() {
    let place = Place::empty().await;
    let server = place.start(&place.bucket);
    let id = server.save_new("kept\n").await.created().id;
    server.kill();
    let proxy = HttpProxy::to(SocketAddr::from(([127, 0, 0, 1], place.bucket.s3_port))).await;
    for fault in [HttpFault::Answer(503, ""), HttpFault::Drop] {
        proxy.set(fault);
        place.start(&place.bucket.at(proxy.address)).kill();
    }
    let server = place.start(&place.bucket.at(proxy.address));
    let key = fresh_key();
    assert_eq!(server.get(&format!("/{id}/raw")).await.status, 503);
    assert_eq!(server.get(&format!("/api/pastes/{id}")).await.status, 200);
    assert_eq!(server.save(&key, "text").await.code(), "store_unavailable");
    proxy.set(HttpFault::Pass);
    assert_eq!(server.save(&key, "text").await.status, 201);
    assert_eq!(server.raw(&id).await, "kept\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_that_was_emptied_or_is_another_one_stops_the_start() {
    let place = Place::empty().await;
    let server = place.start(&place.bucket);
    let paste = server.save_new("kept\n").await.created();
    server.kill();
    let another = TestBucket::fresh().await;
    let line = place.refused(&another);
    assert!(
        line.contains("has no objects, but postgres://") && line.contains("is in use"),
        "{line}"
    );
    let server = place.start(&place.bucket);
    assert_eq!(
        server.delete(&paste.id, &paste.delete_token).await.status,
        204
    );
    server.kill();
    // Without a single text it is still known to be in use.
    place.bucket.remove(&paste_folder(&paste.id)).await;
    place.start(&place.bucket).kill();
    place.bucket.remove("in-use").await;
    assert!(
        place
            .refused(&place.bucket)
            .contains("were the objects lost")
    );
}

/// The folder of a paste's slot.
fn paste_folder(id: &str) -> String {
    let id: app::wire::id::PasteId = id.parse().unwrap();
    format!("{:03}", id.slot().number())
}

#[tokio::test(flavor = "multi_thread")]
async fn objects_that_were_copied_into_a_bucket_are_taken_over() {
    let place = Place::empty().await;
    let server = place.start(&place.bucket);
    let id = server.save_new("copied\n").await.created().id;
    server.kill();
    let copy = TestBucket::fresh().await;
    let object_key = place.shards.rows().await.pastes[0].object_key.clone();
    let text = place.bucket.object(&object_key).await.unwrap();
    copy.write(&object_key, text).await;
    let server = place.start(&copy);
    assert_eq!(server.raw(&id).await, "copied\n");
    assert!(copy.object("in-use").await.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_log_nor_settings_hold_the_credentials() {
    let place = Place::empty().await;
    let proxy = HttpProxy::to(SocketAddr::from(([127, 0, 0, 1], place.bucket.s3_port))).await;
    let server = place.start(&place.bucket.at(proxy.address));
    let id = server.save_new("text").await.created().id;
    let echo = "<Error><Code>SignatureDoesNotMatch</Code><AWSAccessKeyId>AKONCEBINTEST</AWSAccessKeyId></Error>";
    for fault in [
        HttpFault::Answer(403, echo),
        HttpFault::Answer(503, echo),
        HttpFault::Drop,
        HttpFault::CutAnswer,
    ] {
        proxy.set(fault);
        assert_eq!(server.save_new("text").await.status, 503);
        assert_eq!(server.get(&format!("/{id}/raw")).await.status, 503);
    }
    server.ask_to_stop();
    let log = server.wait().log;
    assert!(
        log.contains("403 SignatureDoesNotMatch") && log.contains("503 SignatureDoesNotMatch"),
        "{log}"
    );
    assert!(
        !log.contains(SECRET) && !log.contains("AKONCEBINTEST"),
        "{log}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_variable_that_would_be_ignored_stops_the_start() {
    let place = Place::empty().await;
    let mut variables = place.bucket.variables();
    variables.insert("AWS_PROFILE".to_owned(), "me".to_owned());
    let line = Process::refused_with(place.data.path(), &[&*place.bucket.flag()], &variables, 2);
    assert_eq!(
        line,
        "oncebin: --objects s3://texts: AWS_PROFILE is not read; unset it, and see docs/s3.md"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_says_what_is_wrong_with_the_bucket() {
    let place = Place::empty().await;
    place.start(&place.bucket).kill();
    let (shards, objects) = (place.shards.flag(), place.bucket.flag());
    let check = |bucket: &TestBucket| Process::check(&[&*shards, &*objects], &bucket.variables()).0;
    for (bucket, line) in [
        (
            place.bucket.clone(),
            "ok    objects, s3://texts/PREFIX at http://ADDRESS: an object was written, listed, read and removed",
        ),
        (
            place.bucket.asked_by("AKSTRANGER", "x"),
            "wrong objects, s3://texts/PREFIX at http://ADDRESS: the credentials are refused (403 InvalidAccessKeyId)",
        ),
        (
            place.bucket.asked_by("AKONCEBINTEST", "x"),
            "wrong objects, s3://texts/PREFIX at http://ADDRESS: the credentials are refused (403 SignatureDoesNotMatch)",
        ),
        (
            place.bucket.asked_by("AKREADER", "SKreader"),
            "wrong objects, s3://texts/PREFIX at http://ADDRESS: the credentials may not write objects (403 AccessDenied)",
        ),
    ] {
        let said = check(&bucket);
        let line = line.replace("PREFIX", &bucket.bucket.prefix);
        let line = line.replace("ADDRESS", &format!("127.0.0.1:{}", bucket.s3_port));
        assert!(said.lines().any(|said| said == line), "{line}\n{said}");
        assert!(!said.contains(SECRET));
    }
}
