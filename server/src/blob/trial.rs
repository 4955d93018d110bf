//! An object written to see whether the store works, and what its clock says.
//!
//! It is named like any other object, so that one that is left behind by a crash is an orphan and goes as one.

use super::{Blob, BlobError, ObjectKey, time_allowed, within};
use app::wire::id::Slot;
use bytes::Bytes;
use object_store::ObjectStoreExt;
use object_store::path::Path;
use std::fmt;

const CONTENT: &[u8] = b"oncebin tries its object store\n";

/// What of a trial failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrialStep {
    /// Nothing can be written.
    Write,
    /// What was written cannot be read, or is something else.
    Read,
    /// What was written cannot be removed.
    Remove,
}

impl fmt::Display for TrialStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Write => "an object cannot be written",
            Self::Read => "an object that was just written cannot be read",
            Self::Remove => "an object cannot be removed",
        })
    }
}

impl Blob {
    /// Writes an object, reads it back and removes it; the store's own clock, milliseconds since the Unix epoch.
    ///
    /// # Errors
    /// The step that failed; its cause is logged.
    pub async fn try_out(&self) -> Result<i64, TrialStep> {
        let key = ObjectKey::fresh(Slot::new(0));
        let put = self.put(&key, Bytes::from_static(CONTENT)).await;
        put.map_err(|_| TrialStep::Write)?;
        let read = self.read_back(&key).await;
        let removed = self.delete(key.as_str()).await;
        let now_ms = read.map_err(|_| TrialStep::Read)?;
        removed.map_err(|_| TrialStep::Remove)?;
        Ok(now_ms)
    }

    /// The store's own clock, milliseconds since the Unix epoch: the time of an object written for it.
    ///
    /// # Errors
    /// [`BlobError::Unavailable`].
    pub async fn now_ms(&self) -> Result<i64, BlobError> {
        self.try_out().await.map_err(|_| BlobError::Unavailable)
    }

    async fn read_back(&self, key: &ObjectKey) -> Result<i64, BlobError> {
        let path = Path::from(key.as_str());
        let found = within(time_allowed(0), self.store.head(&path)).await?;
        let content = self.get(key.as_str(), 0..CONTENT.len() as u64).await?;
        if content != CONTENT {
            return Err(BlobError::Missing);
        }
        Ok(found.last_modified.timestamp_millis())
    }
}
