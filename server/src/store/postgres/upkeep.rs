//! What the workers do, each in a task and with a place among the commits like any other.

use super::{PostgresStore, commit_failed, outbox, read_failed, sweep};
use crate::store::outbox::{Backlog, Lease, Leased, Outcomes, Settled, Step};
use crate::store::{Pace, StoreError, Upkeep};
use async_trait::async_trait;
use std::sync::Arc;
use std::time::Duration;

/// Two thousand rows a second of each kind, in steps of some milliseconds: more than one server's creates of a shard.
const SWEEP_PACE: Pace = Pace {
    rows_max: 100,
    rest: Duration::from_millis(50),
};

#[async_trait]
impl Upkeep for PostgresStore {
    async fn lease(
        &self,
        step: Step,
        rows_max: u32,
        lasts: Duration,
    ) -> Result<Vec<Leased>, StoreError> {
        let commit = self.sessions.commit(move |connection| {
            Box::pin(outbox::lease(connection, step, rows_max.into(), lasts))
        });
        commit.await.map_err(commit_failed)
    }

    async fn settle(&self, step: Step, settled: &[(Lease, Settled)]) -> Result<u64, StoreError> {
        let outcomes = Arc::new(Outcomes::of(settled));
        let commit = self.sessions.commit(move |connection| {
            let outcomes = Arc::clone(&outcomes);
            Box::pin(async move { outbox::settle(connection, step, &outcomes).await })
        });
        commit.await.map_err(commit_failed)
    }

    async fn drop_purges(&self, rows_max: u32) -> Result<u64, StoreError> {
        let commit = self
            .sessions
            .commit(move |connection| Box::pin(outbox::drop_purges(connection, rows_max.into())));
        commit.await.map_err(commit_failed)
    }

    async fn backlog(&self) -> Result<Backlog, StoreError> {
        let read = self
            .sessions
            .read(|connection| Box::pin(outbox::backlog(connection)));
        read.await.map_err(read_failed)
    }

    fn sweep_pace(&self) -> Pace {
        SWEEP_PACE
    }

    async fn sweep_pastes(&self, rows_max: u32) -> Result<u64, StoreError> {
        let commit = self
            .sessions
            .commit(move |connection| Box::pin(sweep::pastes(connection, rows_max.into())));
        let swept = commit.await.map_err(commit_failed)?;
        Ok(u64::try_from(swept).unwrap_or(0))
    }

    async fn sweep_keys(&self, rows_max: u32) -> Result<u64, StoreError> {
        let commit = self
            .sessions
            .commit(move |connection| Box::pin(sweep::keys(connection, rows_max.into())));
        let swept = commit.await.map_err(commit_failed)?;
        Ok(u64::try_from(swept).unwrap_or(0))
    }
}
