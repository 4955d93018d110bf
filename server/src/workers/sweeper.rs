//! The sweeper: removes rows that have expired.
//!
//! Whether a row has expired is decided by its shard's clock, in SQL. Nobody waits for the sweeper: an expired row is
//! as good as gone to every request.

use super::Worker;
use crate::metrics::{PassEnd, PassMetrics, WorkItem};
use crate::store::{Store, StoreError};
use std::sync::Arc;
use std::time::Duration;

/// How long it rests when it has left nothing behind.
const IDLE: Duration = Duration::from_secs(5);

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

    /// Removes the pastes, and then the idempotency rows, that expired first: as many of each as the shard's pace
    /// allows in a commit.
    ///
    /// # Errors
    /// The shard's.
    pub async fn pass(&self) -> Result<Swept, StoreError> {
        let rows_max = self.store.sweep_pace().rows_max;
        Ok(Swept {
            pastes: self.store.sweep_pastes(rows_max).await?,
            keys: self.store.sweep_keys(rows_max).await?,
        })
    }
}

impl Worker for Sweeper {
    const NAME: &'static str = "sweeper";

    async fn pass_and_rest(&self, metrics: &PassMetrics) -> Duration {
        let passed = self.pass().await;
        count(&passed, metrics);
        let pace = self.store.sweep_pace();
        match passed {
            Ok(swept) if swept.pastes.max(swept.keys) >= pace.rows_max.into() => pace.rest,
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
