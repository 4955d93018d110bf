//! The origin cache: texts of pastes that were read lately, and tombstones of those deleted here.
//!
//! It saves reads of the object store and decides nothing: whether a paste lives is the row's to say, which is read
//! every time, so that two servers agree at once. It knows neither rows nor objects nor HTTP.

#[cfg(test)]
mod tests;

use app::wire::id::PasteId;
use bytes::Bytes;
use moka::future::Cache;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// All texts together, with [`ENTRY_BYTES`] for each.
const TEXTS_BYTES_MAX: u64 = 24 * 1024 * 1024;

/// A longer text is not kept: it would push out hundreds of others, and is read in pieces anyway.
const TEXT_BYTES_MAX: u64 = 1024 * 1024;

/// What an entry costs beside its text: key, counters and links of the cache.
const ENTRY_BYTES: u32 = 512;

/// Tombstones kept. One more pushes an old one out, and its row, which is gone too, answers instead.
const TOMBSTONES_MAX: u64 = 64 * 1024;

/// Texts and tombstones. Clones share them.
#[derive(Clone, Debug)]
pub struct OriginCache {
    texts: Cache<PasteId, Bytes>,
    tombstones: Cache<PasteId, ()>,
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    hits: AtomicU64,
    misses: AtomicU64,
}

/// What the cache has done since the start, and holds now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheFigures {
    /// Texts answered without the object store.
    pub hits: u64,
    /// Texts that had to be fetched.
    pub misses: u64,
    /// Bytes held, as the bound counts them.
    pub held_bytes: u64,
}

/// A text, or that there is none any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CachedText {
    /// The whole text.
    Text(Bytes),
    /// The paste was deleted here while its text was fetched. The text was not kept.
    Dead,
}

impl OriginCache {
    /// An empty cache.
    #[must_use]
    pub fn new() -> Self {
        Self {
            texts: Cache::builder()
                .max_capacity(TEXTS_BYTES_MAX)
                .weigher(|_, text: &Bytes| weight(text))
                .build(),
            tombstones: Cache::new(TOMBSTONES_MAX),
            counts: Arc::default(),
        }
    }

    /// Whether a text of this size is worth keeping.
    #[must_use]
    pub fn takes(size_bytes: u64) -> bool {
        size_bytes <= TEXT_BYTES_MAX
    }

    /// The text of a paste; `fetch` is run when it is not here, once for all who ask meanwhile.
    ///
    /// # Errors
    /// What `fetch` failed with, given to all who waited for it. Failures are not kept.
    pub async fn text<E: Clone + Send + Sync + 'static>(
        &self,
        id: PasteId,
        fetch: impl Future<Output = Result<Bytes, E>>,
    ) -> Result<CachedText, E> {
        let mut fetched = false;
        let filled = async {
            fetched = true;
            fetch.await
        };
        let text = self.texts.try_get_with(id, filled).await;
        let count = if fetched {
            &self.counts.misses
        } else {
            &self.counts.hits
        };
        count.fetch_add(1, Ordering::Relaxed);
        let text = text.map_err(|error: Arc<E>| E::clone(&error))?;
        // The tombstone stands before the text is forgotten, so a fill that was late is seen here.
        if self.is_dead(id) {
            self.texts.invalidate(&id).await;
            return Ok(CachedText::Dead);
        }
        Ok(CachedText::Text(text))
    }

    /// Whether the paste was deleted here. Ids are never used again, so a tombstone is never wrong.
    #[must_use]
    pub fn is_dead(&self, id: PasteId) -> bool {
        self.tombstones.contains_key(&id)
    }

    /// Marks a paste as deleted and drops its text. Only after a commit that is known.
    pub async fn bury(&self, id: PasteId) {
        self.tombstones.insert(id, ()).await;
        self.forget(id).await;
    }

    /// Drops the text of a paste whose row is gone.
    pub async fn forget(&self, id: PasteId) {
        self.texts.invalidate(&id).await;
    }

    /// For the operator.
    #[must_use]
    pub fn figures(&self) -> CacheFigures {
        CacheFigures {
            hits: self.counts.hits.load(Ordering::Relaxed),
            misses: self.counts.misses.load(Ordering::Relaxed),
            held_bytes: self.texts.weighted_size(),
        }
    }
}

impl Default for OriginCache {
    fn default() -> Self {
        Self::new()
    }
}

fn weight(text: &Bytes) -> u32 {
    u32::try_from(text.len())
        .unwrap_or(u32::MAX)
        .saturating_add(ENTRY_BYTES)
}
