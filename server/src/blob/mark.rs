//! The mark that a store is in use. A bucket that was emptied, a folder that is not mounted, or another one than before,
//! looks like one never used: what is written there is lost once the right one is back.

use super::check::BlobCheck;
use super::trouble::Trouble;
use super::{Blob, found, local};
use crate::metrics::ObjectOperation;
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};

/// Beside the slots' folders, where neither reads nor reaper look.
pub(super) const MARK: &str = "in-use";

const TEXT: &[u8] = b"oncebin keeps its texts here. Leave this be: without it an empty place is taken for a lost one.\n";

/// Objects of a bucket that are looked at for one of ours. Ours are among the first: digits come before letters.
const LOOKED_AT: usize = 1000;

/// Whether the store has been used before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It has its mark.
    Marked,
    /// It has none, but texts: copied here, perhaps, from another place.
    OnlyObjects,
    /// It has neither.
    Empty,
}

impl Blob {
    /// Looks for the mark.
    ///
    /// # Errors
    /// Why nobody can tell.
    pub async fn mark(&self) -> Result<Mark, BlobCheck> {
        let marked = self.has_mark().await;
        if marked.map_err(|trouble| BlobCheck::of("read", trouble))? {
            return Ok(Mark::Marked);
        }
        let has_texts = self.has_texts().await?;
        Ok(if has_texts {
            Mark::OnlyObjects
        } else {
            Mark::Empty
        })
    }

    /// Sets the mark.
    ///
    /// # Errors
    /// Why it is not set.
    pub async fn set_mark(&self) -> Result<(), BlobCheck> {
        let set = self.try_put(MARK, Bytes::from_static(TEXT)).await;
        set.map_err(|trouble| BlobCheck::of("write", trouble))
    }

    /// The same store, which from now on needs its mark if it is a folder: one that is not mounted takes no text then,
    /// and nothing is taken for gone in it. To look is cheap in a folder; in a bucket it would be a request more.
    #[must_use]
    pub fn needing_mark(mut self) -> Self {
        let directory = self.directory.as_deref();
        self.needed = directory.map(|directory| directory.join(MARK).into());
        self
    }

    /// Whether there is an object of any paste, orphaned or not.
    ///
    /// # Errors
    /// Why nobody can tell.
    pub async fn has_texts(&self) -> Result<bool, BlobCheck> {
        let found = match &self.directory {
            Some(directory) => {
                let directory = directory.clone();
                local::blocking(move || local::has_objects(&directory)).await
            }
            None => self.has_remote_objects().await,
        };
        found.map_err(|trouble| BlobCheck::of("list", trouble))
    }

    /// A GET, since only a body says whether the object or the whole bucket is missing. An empty one will do, too.
    pub(super) async fn has_mark(&self) -> Result<bool, Trouble> {
        match self.try_get(MARK, 0..1).await {
            Ok(_) | Err(Trouble::Short) => Ok(true),
            Err(Trouble::Missing) => Ok(false),
            Err(trouble) => Err(trouble),
        }
    }

    /// Fails where the mark is needed and missing.
    pub(super) async fn look_for_mark(&self) -> Result<(), Trouble> {
        match self.needed.clone() {
            Some(mark) => local::blocking(move || local::look_for(&mark)).await?,
            None => Ok(()),
        }
    }

    async fn has_remote_objects(&self) -> Result<bool, Trouble> {
        let list = || {
            let first = self.store.list(None).take(LOOKED_AT);
            first.try_any(async |object| found::is_object(object.location.as_ref()))
        };
        self.carry_out(ObjectOperation::List, 0, list).await
    }
}
