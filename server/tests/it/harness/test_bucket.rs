//! A place in the bucket that no other test has, and what a test does there past S3.

use super::seaweed::{Seaweed, client};
use oncebin::blob::{Blob, BlobDeadlines, Bucket, Credentials};
use reqwest::Method;
use std::collections::BTreeMap;

/// A place in its bucket that no other test has.
#[derive(Clone, Debug)]
pub(crate) struct TestBucket {
    pub(crate) bucket: Bucket,
    pub(crate) s3_port: u16,
    /// Where the filer has the same place.
    pub(super) filer: String,
}

impl TestBucket {
    /// The bucket of the server that tests share.
    pub(crate) async fn fresh() -> Self {
        Seaweed::shared().await.bucket()
    }

    /// The same place by way of another address, such as a proxy's.
    pub(crate) fn at(&self, address: impl std::fmt::Display) -> Self {
        let mut other = self.clone();
        other.bucket.endpoint = Some(format!("http://{address}"));
        other
    }

    /// The same place asked with another key.
    pub(crate) fn asked_by(&self, id: &str, secret: &str) -> Self {
        let mut other = self.clone();
        other.bucket.credentials = Credentials::Key {
            id: id.to_owned(),
            secret: secret.to_owned(),
            session_token: None,
        };
        other
    }

    pub(crate) fn blob(&self) -> Blob {
        self.blob_within(BlobDeadlines::default())
    }

    pub(crate) fn blob_within(&self, deadlines: BlobDeadlines) -> Blob {
        Blob::bucket(&self.bucket, deadlines).unwrap()
    }

    /// `--objects`
    pub(crate) fn flag(&self) -> String {
        format!("--objects=s3://{}/{}", self.bucket.name, self.bucket.prefix)
    }

    /// What the environment says of it.
    pub(crate) fn variables(&self) -> BTreeMap<String, String> {
        let Credentials::Key { id, secret, .. } = &self.bucket.credentials else {
            unreachable!("tests ask with keys");
        };
        let endpoint = self.bucket.endpoint.as_deref().unwrap();
        [
            ("AWS_ENDPOINT_URL", endpoint),
            ("AWS_ACCESS_KEY_ID", id),
            ("AWS_SECRET_ACCESS_KEY", secret),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into()
    }

    /// An object's bytes, read past S3; none when it is not there.
    pub(crate) async fn object(&self, object_key: &str) -> Option<Vec<u8>> {
        let url = format!("{}/{object_key}", self.filer);
        let answer = client().get(url).send().await.unwrap();
        match answer.status().as_u16() {
            200 => Some(answer.bytes().await.unwrap().to_vec()),
            404 => None,
            status => panic!("{status}"),
        }
    }

    /// Writes an object past S3.
    pub(crate) async fn write(&self, object_key: &str, bytes: Vec<u8>) {
        let url = format!("{}/{object_key}", self.filer);
        let answer = client().put(url).body(bytes).send().await.unwrap();
        assert!(answer.status().is_success(), "{answer:?}");
    }

    /// Removes an object, or a folder with all that is in it, past S3. It may be gone already.
    pub(crate) async fn remove(&self, name: &str) {
        let url = format!("{}/{name}?recursive=true", self.filer);
        let answer = client().request(Method::DELETE, url).send().await.unwrap();
        assert!(
            matches!(answer.status().as_u16(), 200..300 | 404),
            "{answer:?}"
        );
    }
}
