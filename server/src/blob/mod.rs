//! The object store behind one type, and the only maker of object keys.
//!
//! It knows nothing of rows, ids or who may read.

mod check;
mod deadlines;
mod found;
mod listing;
mod local;
mod mark;
mod measure;
mod now;
mod s3;
mod trouble;

pub use check::BlobCheck;
pub use deadlines::BlobDeadlines;
pub use found::{FoundObject, FoundStaging, Page};
pub use listing::Listing;
pub use mark::Mark;
pub use s3::{Bucket, Credentials, ROLE_VARIABLES};

use crate::jitter::pause;
use crate::metrics::ObjectOperation;
use app::wire::id::Slot;
use bytes::Bytes;
use measure::Measure;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::timeout;
use trouble::Trouble;
use uuid::Uuid;

/// How often a bucket is asked for the same thing: a blip is bridged, and a bucket that is down is not stormed.
const ATTEMPTS: u32 = 3;

/// The longest pause after a first failure; each further one may be four times as long.
const PAUSE_MAX: Duration = Duration::from_millis(100);

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
    /// The store in a local directory, with its 256 folders made.
    ///
    /// # Errors
    /// When the directory or a folder cannot be made.
    pub fn local(directory: &std::path::Path) -> anyhow::Result<Self> {
        let store = local::open(directory)?;
        Ok(Self {
            store: Arc::new(store),
            directory: Some(directory.into()),
            attempts: 1,
            deadlines: BlobDeadlines::default(),
            measure: Measure::default(),
        })
    }

    /// The store in a local directory as it is: for the operator's commands, which make no folders.
    ///
    /// # Errors
    /// When there is no such directory.
    pub fn local_as_it_is(directory: &std::path::Path) -> anyhow::Result<Self> {
        let store = local::open_as_it_is(directory)?;
        Ok(Self {
            store: Arc::new(store),
            directory: Some(directory.into()),
            attempts: 1,
            deadlines: BlobDeadlines::default(),
            measure: Measure::default(),
        })
    }

    /// The store in a bucket. Nothing is asked yet; [`Blob::check`] and [`Blob::mark`] do.
    ///
    /// # Errors
    /// When no client can be made of the settings.
    pub fn bucket(bucket: &Bucket, deadlines: BlobDeadlines) -> anyhow::Result<Self> {
        let opened = s3::open(bucket);
        let store = opened.map_err(|trouble| anyhow::anyhow!("cannot open {bucket}: {trouble}"))?;
        Ok(Self {
            store,
            directory: None,
            attempts: ATTEMPTS,
            deadlines,
            measure: Measure::default(),
        })
    }

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

    /// Whether there is an object of this name.
    ///
    /// # Errors
    /// [`BlobError::Unavailable`].
    pub async fn has(&self, object_key: &str) -> Result<bool, BlobError> {
        let path = Path::from(object_key);
        let look = || self.store.head(&path);
        let found = self.carry_out(ObjectOperation::Head, 0, look).await;
        match settled("looked for", found) {
            Ok(_) => Ok(true),
            Err(BlobError::Missing) => Ok(false),
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

    /// Whether the store answers.
    ///
    /// # Errors
    /// [`BlobError::Unavailable`].
    pub async fn probe(&self) -> Result<(), BlobError> {
        // A GET, since only a body says whether the object or the whole bucket is missing.
        let probe = format!("{}/probe", folder(Slot::new(0)));
        // Once, since whoever asks for this asks often and wants to know soon.
        let once = Self {
            attempts: 1,
            ..self.clone()
        };
        match once.try_get(&probe, 0..1).await {
            Ok(_) | Err(Trouble::Missing) => Ok(()),
            Err(trouble) => settled("probed", Err(trouble)),
        }
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

    /// Asks the store, again while its trouble may pass and there is time. What is asked must be repeatable.
    async fn carry_out<T, F>(
        &self,
        operation: ObjectOperation,
        bytes: u64,
        request: impl Fn() -> F,
    ) -> Result<T, Trouble>
    where
        F: Future<Output = object_store::Result<T>>,
    {
        let start = Instant::now();
        let mut pause_max = PAUSE_MAX;
        let mut attempt = 1;
        loop {
            let allowed = self.deadlines.for_attempt(bytes, start);
            let asked = Instant::now();
            let trouble = match timeout(allowed, request()).await {
                Ok(Ok(answer)) => {
                    self.measure.attempt(operation, asked, None);
                    return Ok(answer);
                }
                Ok(Err(error)) => Trouble::of(&error),
                Err(_) => Trouble::Slow,
            };
            self.measure.attempt(operation, asked, Some(&trouble));
            let is_last = attempt == self.attempts || !trouble.may_pass();
            if is_last || self.deadlines.for_attempt(bytes, start) <= pause_max {
                return Err(trouble);
            }
            tracing::info!("the object store is asked again: {trouble}");
            pause(pause_max).await;
            pause_max *= 4;
            attempt += 1;
        }
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
