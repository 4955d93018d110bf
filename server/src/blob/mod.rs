//! The object store behind one type, and the only maker of object keys.
//!
//! It knows nothing of rows, ids or who may read.

mod local;

use crate::metrics::{
    Deadline, DeadlineMetrics, Metrics, ObjectFailure, ObjectMetrics, ObjectOperation,
};
use app::wire::id::Slot;
use bytes::Bytes;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Where one object is: `{slot as three digits}/{new uuid}`. Never derived from a key or a content, never reused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectKey(String);

impl ObjectKey {
    /// A name no object has had.
    #[must_use]
    pub fn fresh(slot: Slot) -> Self {
        Self(format!("{}/{}", folder(slot), Uuid::new_v4()))
    }

    /// The name as a paste row keeps it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The folder of a slot.
fn folder(slot: Slot) -> String {
    format!("{:03}", slot.number())
}

/// The object store of the service. Clones share it.
#[derive(Clone, Debug)]
pub struct Blob {
    store: Arc<dyn ObjectStore>,
    metrics: ObjectMetrics,
    deadlines: DeadlineMetrics,
}

/// Why an object could not be read or written. Causes are logged where they happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BlobError {
    /// There is no such object.
    #[error("there is no such object")]
    Missing,
    /// The store failed or did not answer in time. A PUT may have happened all the same.
    #[error("the object store cannot be asked")]
    Unavailable,
}

impl Blob {
    /// The store in a local directory, with its 256 folders made.
    ///
    /// # Errors
    /// When the directory or a folder cannot be made.
    pub fn local(directory: &std::path::Path, metrics: &Metrics) -> anyhow::Result<Self> {
        Ok(Self {
            store: Arc::new(local::open(directory)?),
            metrics: metrics.objects.clone(),
            deadlines: metrics.deadlines.clone(),
        })
    }

    /// Writes an object. After `Ok` it is durable; after an error nothing readable is under the key, or all of it.
    ///
    /// # Errors
    /// [`BlobError::Unavailable`].
    pub async fn put(&self, key: &ObjectKey, content: Bytes) -> Result<(), BlobError> {
        let allowed = time_allowed(content.len() as u64);
        let path = Path::from(key.as_str());
        let put = self.store.put(&path, content.into());
        let put = self.within(ObjectOperation::Put, allowed, put).await;
        put.map(drop)
    }

    /// Reads part of an object.
    ///
    /// # Errors
    /// [`BlobError::Missing`], [`BlobError::Unavailable`].
    pub async fn get(&self, object_key: &str, range: Range<u64>) -> Result<Bytes, BlobError> {
        if range.is_empty() {
            return Ok(Bytes::new());
        }
        let allowed = time_allowed(range.end - range.start);
        let path = Path::from(object_key);
        let get = self.store.get_range(&path, range);
        self.within(ObjectOperation::Get, allowed, get).await
    }

    /// Removes an object. One that is not there is gone already, which is success.
    ///
    /// # Errors
    /// [`BlobError::Unavailable`]: it may be gone, or come back after a crash of the machine; remove it again.
    pub async fn delete(&self, object_key: &str) -> Result<(), BlobError> {
        let path = Path::from(object_key);
        let delete = self.store.delete(&path);
        let deleted = self.within(ObjectOperation::Delete, time_allowed(0), delete);
        match deleted.await {
            Err(BlobError::Missing) => Ok(()),
            done => done,
        }
    }

    /// Whether the store answers.
    ///
    /// # Errors
    /// [`BlobError::Unavailable`].
    pub async fn probe(&self) -> Result<(), BlobError> {
        let path = Path::from(folder(Slot::new(0))).join("probe");
        let head = self.store.head(&path);
        let head = self.within(ObjectOperation::Probe, time_allowed(0), head);
        match head.await {
            Ok(_) | Err(BlobError::Missing) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Waits for a request as long as is allowed, and counts it.
    async fn within<T>(
        &self,
        operation: ObjectOperation,
        allowed: Duration,
        request: impl Future<Output = object_store::Result<T>>,
    ) -> Result<T, BlobError> {
        let asked = Instant::now();
        let answer = tokio::time::timeout(allowed, request).await;
        let (answer, failure) = match answer {
            Ok(Ok(answer)) => (Ok(answer), None),
            Ok(Err(object_store::Error::NotFound { .. })) => (Err(BlobError::Missing), None),
            Ok(Err(error)) => {
                tracing::warn!(error = %error, "the object store failed");
                (Err(BlobError::Unavailable), Some(ObjectFailure::Error))
            }
            Err(_) => {
                tracing::warn!("the object store did not answer in time");
                self.deadlines.missed(Deadline::Objects);
                (Err(BlobError::Unavailable), Some(ObjectFailure::Timeout))
            }
        };
        self.metrics.asked(operation, asked.elapsed(), failure);
        answer
    }
}

/// One request to the store: 5 s and 1 s a MiB (architecture.md, deadlines).
fn time_allowed(bytes: u64) -> Duration {
    Duration::from_secs(5 + bytes.div_ceil(1024 * 1024))
}
