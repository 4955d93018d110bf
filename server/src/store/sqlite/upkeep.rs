//! What the workers do, each as a member of the writer's next commit.

use super::{SqliteStore, in_time, outbox, sweep};
use crate::store::outbox::{Backlog, Lease, Leased, Outcomes, Settled, Step};
use crate::store::{Pace, StoreError, Upkeep};
use async_trait::async_trait;
use std::time::Duration;

/// A sweep goes with a commit of creates. Each row is a page of its own in the index of keys, which that commit has to
/// bring to the disk: beside a hundred rows a commit the p99 of creates was 2.7 times that of creates alone
/// (`cargo xtask bench --sweep`). Small and often costs the slowest creates less than much and seldom.
const SWEEP_PACE: Pace = Pace {
    rows_max: 2,
    rest: Duration::from_millis(5),
};

#[async_trait]
impl Upkeep for SqliteStore {
    async fn lease(
        &self,
        step: Step,
        rows_max: u32,
        lasts: Duration,
    ) -> Result<Vec<Leased>, StoreError> {
        let work = self.writer.work(move |connection, now_ms| {
            Box::pin(outbox::lease(connection, now_ms, step, rows_max, lasts))
        });
        work.await
    }

    async fn settle(&self, step: Step, settled: &[(Lease, Settled)]) -> Result<u64, StoreError> {
        let outcomes = Outcomes::of(settled);
        let work = self.writer.work(move |connection, now_ms| {
            Box::pin(async move { outbox::settle(connection, now_ms, step, &outcomes).await })
        });
        work.await
    }

    async fn drop_purges(&self, rows_max: u32) -> Result<u64, StoreError> {
        let work = self.writer.work(move |connection, now_ms| {
            Box::pin(outbox::drop_purges(connection, now_ms, rows_max))
        });
        work.await
    }

    async fn backlog(&self) -> Result<Backlog, StoreError> {
        in_time(outbox::backlog(&self.other, self.clock.now_ms())).await
    }

    fn sweep_pace(&self) -> Pace {
        SWEEP_PACE
    }

    async fn sweep_pastes(&self, rows_max: u32) -> Result<u64, StoreError> {
        let work = self
            .writer
            .sweep(move |connection, now_ms| Box::pin(sweep::pastes(connection, now_ms, rows_max)));
        work.await
    }

    async fn sweep_keys(&self, rows_max: u32) -> Result<u64, StoreError> {
        let work = self
            .writer
            .sweep(move |connection, now_ms| Box::pin(sweep::keys(connection, now_ms, rows_max)));
        work.await
    }
}
