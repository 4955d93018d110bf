//! The sweeper: removes rows that have expired.
//!
//! Whether a row has expired is decided by its shard's clock, in SQL. Nobody waits for the sweeper: an expired row is
//! as good as gone to every request.

use super::Worker;
use crate::metrics::{PassEnd, PassMetrics, WorkItem};
use crate::store::{Store, StoreError};
use std::sync::Arc;
use std::time::Duration;

/// Rows of one commit. On SQLite creates wait for it, and each row is a page of its own in the index of keys, which the
/// commit has to bring to the disk: beside a hundred rows a commit the p99 of creates was 2.7 times that of creates
/// alone, beside ten 1.1 to 1.4 times (`cargo xtask bench --sweep`).
const ROWS_MAX: u32 = 10;

/// How long it rests when it has left nothing behind.
const IDLE: Duration = Duration::from_secs(5);

/// How long it rests when there is more: creates go first. It still takes about 150 rows of
/// each kind a second and shard, where 90 expire at the peak of the design load.
const BETWEEN: Duration = Duration::from_millis(80);

/// The expired rows of one shard.
#[derive(Clone, Debug)]
pub struct Sweeper {
    store: Arc<dyn Store>,
}

/// What a pass removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Pastes, each replaced by its outbox row.
    pub pastes: u64,
    /// Idempotency rows.
    pub keys: u64,
}

impl Sweeper {
    /// Sweeps one shard.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store }
    }

    /// Removes the pastes, and then the idempotency rows, that expired first: a hundred of each, in a commit of
    /// their own.
    ///
    /// # Errors
    /// The shard's.
    pub async fn pass(&self) -> Result<Swept, StoreError> {
        Ok(Swept {
            pastes: self.store.sweep_pastes(ROWS_MAX).await?,
            keys: self.store.sweep_keys(ROWS_MAX).await?,
        })
    }
}

impl Worker for Sweeper {
    const NAME: &'static str = "sweeper";

    async fn pass_and_rest(&self, metrics: &PassMetrics) -> Duration {
        let passed = self.pass().await;
        count(&passed, metrics);
        match passed {
            Ok(swept) if swept.pastes.max(swept.keys) >= ROWS_MAX.into() => BETWEEN,
            _ => IDLE,
        }
    }
}

fn count(passed: &Result<Swept, StoreError>, metrics: &PassMetrics) {
    let Ok(Swept { pastes, keys }) = passed else {
        return metrics.ended(PassEnd::InDoubt);
    };
    metrics.did(WorkItem::PasteSwept, *pastes);
    metrics.did(WorkItem::KeySwept, *keys);
    metrics.ended(PassEnd::Complete);
}
