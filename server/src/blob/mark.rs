//! The mark that a bucket is in use: an emptied bucket, or the wrong one, looks like one never used.

use super::Blob;
use super::check::BlobCheck;
use super::trouble::Trouble;
use crate::metrics::ObjectOperation;
use bytes::Bytes;
use futures_util::StreamExt;

/// Beside the slots' folders, where neither reads nor reaper look.
const MARK: &str = "in-use";

const TEXT: &[u8] = b"oncebin keeps its texts here. Leave this object: without it an empty bucket is taken for a lost one.\n";

/// Whether the store has been used before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It has its mark.
    Marked,
    /// It has none, but objects: copied here, perhaps, from another place.
    OnlyObjects,
    /// It is empty.
    Empty,
}

impl Blob {
    /// Looks for the mark.
    ///
    /// # Errors
    /// Why nobody can tell.
    pub async fn mark(&self) -> Result<Mark, BlobCheck> {
        match self.try_get(MARK, 0..1).await {
            Ok(_) => Ok(Mark::Marked),
            Err(Trouble::Missing) => self.is_empty().await,
            Err(trouble) => Err(BlobCheck::of("read", trouble)),
        }
    }

    /// Sets the mark.
    ///
    /// # Errors
    /// Why it is not set.
    pub async fn set_mark(&self) -> Result<(), BlobCheck> {
        let set = self.try_put(MARK, Bytes::from_static(TEXT)).await;
        set.map_err(|trouble| BlobCheck::of("write", trouble))
    }

    async fn is_empty(&self) -> Result<Mark, BlobCheck> {
        let list = || async { self.store.list(None).next().await.transpose() };
        match self.carry_out(ObjectOperation::List, 0, list).await {
            Ok(Some(_)) => Ok(Mark::OnlyObjects),
            Ok(None) => Ok(Mark::Empty),
            Err(trouble) => Err(BlobCheck::of("list", trouble)),
        }
    }
}
