//! What the workers do on a shard.

use super::StoreError;
use super::outbox::{Backlog, Lease, Leased, Settled, Step};
use async_trait::async_trait;
use std::time::Duration;

/// How fast expired rows are removed while there are more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Rows of one commit.
    pub rows_max: u32,
    /// Between two passes.
    pub rest: Duration,
}

/// One shard, as the workers use it. As of a [`super::Store`], one method is one transaction; it is short, so that it
/// holds up no create. Any number of servers may call any of them at once.
#[async_trait]
pub trait Upkeep {
    /// Leases a step of the rows it is due of, those that have waited longest first.
    ///
    /// A lease that is not settled runs out by itself: after a crash, or [`StoreError::Unknown`], the step is due again.
    async fn lease(
        &self,
        step: Step,
        rows_max: u32,
        lasts: Duration,
    ) -> Result<Vec<Leased>, StoreError>;

    /// Records how leased steps went; how many rows still had that lease. A lease that ran out and was taken by
    /// another one changes nothing.
    async fn settle(&self, step: Step, settled: &[(Lease, Settled)]) -> Result<u64, StoreError>;

    /// Removes rows whose object has been gone for [`super::outbox::LAST_PURGE_AFTER`], whatever of the CDN is still to be
    /// purged: for a service that has none. How many.
    async fn drop_purges(&self, rows_max: u32) -> Result<u64, StoreError>;

    /// What is still to be carried out. However much that is, the answer takes no long time.
    async fn backlog(&self) -> Result<Backlog, StoreError>;

    /// How much of a sweep the creates beside it bear.
    fn sweep_pace(&self) -> Pace;

    /// Replaces pastes that have expired by outbox rows, in one commit; how many. Their idempotency rows stay.
    async fn sweep_pastes(&self, rows_max: u32) -> Result<u64, StoreError>;

    /// Removes idempotency rows that have expired; how many. Their pastes stay.
    async fn sweep_keys(&self, rows_max: u32) -> Result<u64, StoreError>;
}
