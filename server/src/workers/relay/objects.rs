//! Deletes the objects of deleted pastes.

use super::backoff::backoff;
use super::{DROPS_MAX, LEASE, Relayed, count, rest};
use crate::blob::Blob;
use crate::metrics::PassMetrics;
use crate::store::outbox::{Lease, Leased, Settled, Step};
use crate::store::{Store, StoreError};
use crate::workers::Worker;
use futures_util::stream::{StreamExt, iter};
use std::sync::Arc;
use std::time::Duration;

/// Rows of one pass, and deletes at once. A delete takes 10 s at most, a bucket's three attempts, so a pass
/// is over within 80 s, well within its lease.
const ROWS_MAX: u32 = 128;
const AT_ONCE: usize = 16;

/// The objects of one shard's deletions.
#[derive(Clone, Debug)]
pub struct Objects {
    store: Arc<dyn Store>,
    blob: Blob,
    has_cdn: bool,
}

impl Objects {
    /// With a CDN a row goes on to its last purge. Without one it leaves when that would be due: until then it tells a
    /// delete whose commit was not answered that it was carried out.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, blob: Blob, has_cdn: bool) -> Self {
        Self {
            store,
            blob,
            has_cdn,
        }
    }

    /// Deletes the objects that have waited longest.
    ///
    /// # Errors
    /// The shard's. Objects may have been deleted whose rows do not say so; they are deleted again.
    pub async fn pass(&self) -> Result<Relayed, StoreError> {
        let leased = self.store.lease(Step::Object, ROWS_MAX, LEASE).await?;
        if leased.is_empty() {
            return self.drop_purges().await;
        }
        let deleting = iter(leased).map(|row| self.delete(row));
        let settled: Vec<_> = deleting.buffer_unordered(AT_ONCE).collect().await;
        self.store.settle(Step::Object, &settled).await?;
        let is_gone = |(_, outcome): &&(Lease, Settled)| *outcome == Settled::Done;
        let done = settled.iter().filter(is_gone).count();
        Ok(Relayed {
            done,
            failed: settled.len() - done,
            dropped: 0,
        })
    }

    async fn drop_purges(&self) -> Result<Relayed, StoreError> {
        let dropped = if self.has_cdn {
            0
        } else {
            self.store.drop_purges(DROPS_MAX).await?
        };
        Ok(Relayed {
            dropped,
            ..Relayed::default()
        })
    }

    /// One that is gone already is a success. The causes of failures are logged by the object store.
    async fn delete(&self, row: Leased) -> (Lease, Settled) {
        let outcome = match self.blob.delete(&row.object_key).await {
            Ok(()) => Settled::Done,
            Err(_) => Settled::Failed(backoff(row.failures)),
        };
        (row.lease, outcome)
    }
}

impl Worker for Objects {
    const NAME: &'static str = "relay of objects";

    async fn pass_and_rest(&self, metrics: &PassMetrics) -> Duration {
        let passed = self.pass().await;
        count(&passed, metrics);
        rest(&passed)
    }
}
