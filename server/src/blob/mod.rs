//! The object store behind one type, and the only maker of object keys.
//!
//! It knows nothing of rows, ids or who may read.

mod asking;
mod check;
mod deadlines;
mod found;
mod listing;
mod local;
mod mark;
mod measure;
mod now;
mod open;
mod s3;
mod trouble;

pub use check::BlobCheck;
pub use deadlines::BlobDeadlines;
pub use found::{FoundObject, FoundStaging, Page};
pub use listing::Listing;
pub use mark::Mark;
pub use s3::{Bucket, Credentials, ROLE_VARIABLES};

use crate::metrics::ObjectOperation;
use app::wire::id::Slot;
use bytes::Bytes;
use measure::Measure;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use trouble::Trouble;
use uuid::Uuid;

/// Where one object is: `{slot as three digits}/{new uuid}`. Never derived from a key or a content, never reused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectKey(String);

impl ObjectKey {
    /// A name no object has had.
    #[must_use]
    pub fn fresh(slot: Slot) -> Self {
        Self::of(slot, Uuid::new_v4())
    }

    /// The name that a listing found.
    #[must_use]
    pub fn of(slot: Slot, uuid: Uuid) -> Self {
        Self(format!("{}/{uuid}", folder(slot)))
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
#[derive(Clone)]
pub struct Blob {
    store: Arc<dyn ObjectStore>,
    /// Where the objects are files; none for a bucket.
    directory: Option<Arc<std::path::Path>>,
    /// The file without which nothing is written, and nothing believed to be gone; none where that is not asked for.
    needed: Option<Arc<std::path::Path>>,
    /// A local directory is asked once: its errors do not pass by asking again.
    attempts: u32,
    deadlines: BlobDeadlines,
    measure: Measure,
}

impl fmt::Debug for Blob {
    /// The library's own output may grow to show more than it should.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Blob({})", self.store)
    }
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
    /// Writes an object. After `Ok` it is durable; after an error nothing readable is under the key, or all of it.
    ///
    /// It never replaces another text: a key is fresh, so that only an attempt of this same PUT can be under it. That
    /// makes the PUT repeatable, which one that refuses to overwrite is not (its own first attempt would stop it).
    ///
    /// # Errors
    /// [`BlobError::Unavailable`].
    pub async fn put(&self, key: &ObjectKey, content: Bytes) -> Result<(), BlobError> {
        let put = self.try_put(key.as_str(), content).await;
        settled("written", put)
    }

    /// Reads part of an object.
    ///
    /// # Errors
    /// [`BlobError::Missing`], also of an object that ends before the range does: it is not the one that was written;
    /// [`BlobError::Unavailable`].
    pub async fn get(&self, object_key: &str, range: Range<u64>) -> Result<Bytes, BlobError> {
        if range.is_empty() {
            return Ok(Bytes::new());
        }
        settled("read", self.try_get(object_key, range).await)
    }

    /// How many bytes the object of this name has; none where there is no such object.
    ///
    /// # Errors
    /// [`BlobError::Unavailable`].
    pub async fn size(&self, object_key: &str) -> Result<Option<u64>, BlobError> {
        let path = Path::from(object_key);
        let look = || self.store.head(&path);
        let found = self.carry_out(ObjectOperation::Head, 0, look).await;
        match settled("looked for", found) {
            Ok(found) => Ok(Some(found.size)),
            Err(BlobError::Missing) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Removes an object. One that is not there is gone already, which is success.
    ///
    /// # Errors
    /// [`BlobError::Unavailable`]: it may be gone, or come back after a crash of the machine; remove it again.
    pub async fn delete(&self, object_key: &str) -> Result<(), BlobError> {
        match self.try_delete(object_key).await {
            Err(Trouble::Missing) => Ok(()),
            done => settled("removed", done),
        }
    }

    /// Whether the store answers, with its mark where that is needed.
    ///
    /// # Errors
    /// [`BlobError::Unavailable`].
    pub async fn probe(&self) -> Result<(), BlobError> {
        // Once, since whoever asks for this asks often and wants to know soon.
        let once = Self {
            attempts: 1,
            ..self.clone()
        };
        settled("probed", once.has_mark().await.map(drop))
    }

    async fn try_put(&self, object_key: &str, content: Bytes) -> Result<(), Trouble> {
        let (path, bytes) = (Path::from(object_key), content.len() as u64);
        let put = || self.store.put(&path, content.clone().into());
        self.carry_out(ObjectOperation::Put, bytes, put)
            .await
            .map(drop)
    }

    async fn try_get(&self, object_key: &str, range: Range<u64>) -> Result<Bytes, Trouble> {
        let (path, bytes) = (Path::from(object_key), range.end - range.start);
        let ranges = [range];
        // One visit to a file, where `get_range` makes two.
        let get = || self.store.get_ranges(&path, &ranges);
        let read = self.carry_out(ObjectOperation::Get, bytes, get).await?;
        let read = read.into_iter().next().unwrap_or_default();
        if read.len() as u64 == bytes {
            Ok(read)
        } else {
            Err(Trouble::Short)
        }
    }

    async fn try_delete(&self, object_key: &str) -> Result<(), Trouble> {
        let path = Path::from(object_key);
        let delete = || self.store.delete(&path);
        self.carry_out(ObjectOperation::Delete, 0, delete).await
    }
}

/// Logs why an object was not dealt with.
fn settled<T>(what: &str, done: Result<T, Trouble>) -> Result<T, BlobError> {
    done.map_err(|trouble| match trouble {
        Trouble::Missing => BlobError::Missing,
        Trouble::Short => {
            tracing::error!("an object is damaged: it ends too early");
            BlobError::Missing
        }
        trouble => {
            tracing::warn!("an object cannot be {what}: {trouble}");
            BlobError::Unavailable
        }
    })
}
