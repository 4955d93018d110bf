//! The store's own clock: ages of objects are measured against it alone, never against this machine's.

use super::trouble::Trouble;
use super::{Blob, BlobError, ObjectKey, settled};
use crate::metrics::ObjectOperation;
use app::wire::id::Slot;
use bytes::Bytes;
use object_store::ObjectStoreExt;
use object_store::path::Path;

const MARKER: &[u8] = b"written by oncebin to see the time, to be removed at once\n";

impl Blob {
    /// The store's own clock, milliseconds since the Unix epoch: the time of an object written for it.
    ///
    /// It is named like any other object, so that one left behind by a crash is an orphan and goes as one.
    ///
    /// # Errors
    /// [`BlobError::Unavailable`].
    pub async fn now_ms(&self) -> Result<i64, BlobError> {
        let key = ObjectKey::fresh(Slot::new(0));
        let written = self.time_of_marker(&key).await;
        let now_ms = settled("written to see the time", written)?;
        self.delete(key.as_str()).await?;
        Ok(now_ms)
    }

    async fn time_of_marker(&self, key: &ObjectKey) -> Result<i64, Trouble> {
        let path = Path::from(key.as_str());
        self.try_put(key.as_str(), Bytes::from_static(MARKER))
            .await?;
        let found = self
            .carry_out(ObjectOperation::Head, 0, || self.store.head(&path))
            .await?;
        Ok(found.last_modified.timestamp_millis())
    }
}
