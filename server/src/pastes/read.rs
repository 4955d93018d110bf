//! The read: the row decides, the object store has the text.

use super::create::rfc3339;
use super::{Pastes, PastesError};
use crate::blob::BlobError;
use crate::cache::{CachedText, OriginCache};
use crate::store::PasteRow;
use app::wire::id::PasteId;
use app::wire::paste::Metadata;
use bytes::Bytes;
use data_encoding::HEXLOWER;
use std::ops::Range;
use std::time::Duration;

/// A paste that lived when its row was read.
#[derive(Clone, Debug)]
pub struct Paste {
    row: PasteRow,
    url: String,
    lives_for: Duration,
}

/// How a read ended.
#[derive(Clone, Debug)]
pub enum ReadOutcome<T> {
    /// It lives.
    Live(T),
    /// Missing, expired or deleted.
    NotFound,
}

impl Pastes {
    /// Reads a paste's row, always from its shard: it alone says whether the paste lives.
    ///
    /// # Errors
    /// [`PastesError::ShardUnavailable`]; never "not found" for a shard that cannot be asked.
    pub async fn read(&self, id: PasteId) -> Result<ReadOutcome<Paste>, PastesError> {
        if self.cache.is_dead(id) {
            return Ok(ReadOutcome::NotFound);
        }
        let Some(live) = self.router.store(id.slot()).read(id).await? else {
            self.cache.forget(id).await;
            return Ok(ReadOutcome::NotFound);
        };
        let life_ms = live.row.expires_at_ms.saturating_sub(live.now_ms);
        Ok(ReadOutcome::Live(Paste {
            url: self.url(id),
            lives_for: Duration::from_millis(u64::try_from(life_ms).unwrap_or(0)),
            row: live.row,
        }))
    }

    /// Reads part of a paste's text. No connection to the database is held meanwhile.
    ///
    /// An object that is missing was deleted between row and text if the row is gone now. If the row is still there,
    /// the store has lost it: that is an alarm, never "not found".
    ///
    /// # Errors
    /// [`PastesError::StoreUnavailable`], [`PastesError::ShardUnavailable`].
    pub async fn text(
        &self,
        paste: &Paste,
        range: Range<u64>,
    ) -> Result<ReadOutcome<Bytes>, PastesError> {
        let fetched = if OriginCache::takes(paste.row.size_bytes) {
            self.cached(paste, &range).await
        } else {
            self.blob.get(&paste.row.object_key, range).await
        };
        match fetched {
            _ if self.cache.is_dead(paste.row.id) => Ok(ReadOutcome::NotFound),
            Ok(bytes) => Ok(ReadOutcome::Live(bytes)),
            Err(BlobError::Unavailable) => Err(PastesError::StoreUnavailable),
            Err(BlobError::Missing) => match self.read(paste.row.id).await? {
                ReadOutcome::NotFound => Ok(ReadOutcome::NotFound),
                ReadOutcome::Live(_) => {
                    self.metrics.objects.lost();
                    tracing::error!(
                        slot = paste.row.id.slot().number(),
                        "the object of a live paste is missing"
                    );
                    Err(PastesError::StoreUnavailable)
                }
            },
        }
    }

    /// A part of the whole text, which one reader fetches for all. An object shorter than its row says is not there.
    async fn cached(&self, paste: &Paste, range: &Range<u64>) -> Result<Bytes, BlobError> {
        let row = &paste.row;
        let whole = self.blob.get(&row.object_key, 0..row.size_bytes);
        match self.cache.text(row.id, whole).await? {
            CachedText::Text(text) => part(&text, range).ok_or(BlobError::Missing),
            CachedText::Dead => Err(BlobError::Missing),
        }
    }
}

fn part(text: &Bytes, range: &Range<u64>) -> Option<Bytes> {
    let start = usize::try_from(range.start).ok()?;
    let end = usize::try_from(range.end).ok()?;
    (start <= end && end <= text.len()).then(|| text.slice(start..end))
}

impl Paste {
    /// The id.
    #[must_use]
    pub fn id(&self) -> PasteId {
        self.row.id
    }

    /// Bytes of content.
    #[must_use]
    pub fn size_bytes(&self) -> u64 {
        self.row.size_bytes
    }

    /// The title, when one was given.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.row.title.as_deref()
    }

    /// The syntax, when one was given.
    #[must_use]
    pub fn syntax(&self) -> Option<&str> {
        self.row.syntax.as_deref()
    }

    /// SHA-256 of the content, in hexadecimal.
    #[must_use]
    pub fn sha256(&self) -> String {
        HEXLOWER.encode(&self.row.sha256)
    }

    /// How long it was still to live when its row was read, by the shard's clock.
    #[must_use]
    pub fn lives_for(&self) -> Duration {
        self.lives_for
    }

    /// What the API says of it.
    ///
    /// # Errors
    /// [`PastesError::Internal`] for a time that no calendar has.
    pub fn metadata(&self) -> Result<Metadata, PastesError> {
        Ok(Metadata {
            id: self.row.id.to_string(),
            url: self.url.clone(),
            title: self.row.title.clone(),
            syntax: self.row.syntax.clone(),
            size: self.row.size_bytes,
            sha256: self.sha256(),
            created_at: rfc3339(self.row.created_at_ms)?,
            expires_at: rfc3339(self.row.expires_at_ms)?,
        })
    }
}
