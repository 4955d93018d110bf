//! Has the CDN forget deleted pastes.

use super::backoff::backoff;
use super::{LEASE, Relayed, count, rest};
use crate::cdn::{PurgeError, Purger};
use crate::metrics::PassMetrics;
use crate::store::outbox::{Lease, Leased, Settled, Step};
use crate::store::{Store, StoreError};
use crate::workers::Worker;
use futures_util::future::join_all;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Requests at once, and the most rows of one pass.
const AT_ONCE: usize = 8;
const ROWS_MAX: usize = 512;

/// Requests that may be refused for the sake of one paste before a pass looks no further for it.
const REFUSALS_MAX: usize = 16;

/// After so long a pass sends nothing more: its lease must outlast the requests under way.
const SENDS_FOR: Duration = Duration::from_secs(40);

/// The purges of one shard's deletions.
#[derive(Clone, Debug)]
pub struct Purges {
    store: Arc<dyn Store>,
    purger: Purger,
}

impl Purges {
    /// Purges by way of a CDN that several shards may share.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, purger: Purger) -> Self {
        Self { store, purger }
    }

    /// Purges the pastes that have waited longest, as many in one request as the CDN takes.
    ///
    /// Rows that have failed before are in requests of their own: what fails again holds up nothing new. While the CDN
    /// wants to be left alone nothing is leased.
    ///
    /// # Errors
    /// The shard's. Pastes may have been purged whose rows do not say so; they are purged again.
    pub async fn pass(&self) -> Result<Relayed, StoreError> {
        if self.purger.rest().is_some() {
            return Ok(Relayed::default());
        }
        let pastes_max = self.purger.pastes_max();
        let rows_max = ROWS_MAX.min(pastes_max * AT_ONCE);
        let rows_max = u32::try_from(rows_max).unwrap_or(u32::MAX);
        let leased = self.store.lease(Step::Purge, rows_max, LEASE).await?;
        if leased.is_empty() {
            return Ok(Relayed::default());
        }
        let until = Instant::now() + SENDS_FOR;
        let (new, failed_before): (Vec<_>, Vec<_>) =
            leased.into_iter().partition(|row| row.failures == 0);
        let requests = new
            .chunks(pastes_max)
            .chain(failed_before.chunks(pastes_max));
        let purged = join_all(requests.map(|rows| self.purge(rows, until))).await;
        let settled: Vec<_> = purged.into_iter().flatten().collect();
        self.store.settle(Step::Purge, &settled).await?;
        let is_failure = |(_, outcome): &&(Lease, Settled)| matches!(outcome, Settled::Failed(_));
        let failed = settled.iter().filter(is_failure).count();
        Ok(Relayed {
            done: settled.len() - failed,
            failed,
            dropped: 0,
        })
    }

    /// Purges rows together. A refusal may be meant for one of them: they are halved until it stands alone.
    async fn purge(&self, rows: &[Leased], until: Instant) -> Vec<(Lease, Settled)> {
        let mut settled = Vec::new();
        let mut parts = vec![rows];
        let mut refusals = 0;
        while let Some(part) = parts.pop() {
            let ids: Vec<_> = part.iter().map(|row| row.paste_id.as_str()).collect();
            let purged = if Instant::now() < until {
                self.purger.purge(&ids).await
            } else {
                Err(PurgeError::NoAnswer)
            };
            match purged {
                Ok(()) => settled.extend(part.iter().map(succeeded)),
                Err(PurgeError::Refused(_) | PurgeError::Unwritable)
                    if part.len() > 1 && refusals < REFUSALS_MAX =>
                {
                    refusals += 1;
                    let (first, second) = part.split_at(part.len() / 2);
                    parts.extend([second, first]);
                }
                Err(error) => {
                    log(error, part.len());
                    settled.extend(part.iter().map(|row| failed(row, error)));
                }
            }
        }
        settled
    }
}

fn succeeded(row: &Leased) -> (Lease, Settled) {
    let outcome = if row.is_last {
        Settled::Finished
    } else {
        Settled::Done
    };
    (row.lease, outcome)
}

/// A CDN that said how long is asked again then; any other failure makes the row wait longer each time.
fn failed(row: &Leased, error: PurgeError) -> (Lease, Settled) {
    let rest = match error {
        PurgeError::Busy(rest) | PurgeError::Denied(rest) => rest,
        _ => backoff(row.failures),
    };
    (row.lease, Settled::Failed(rest))
}

fn log(error: PurgeError, pastes: usize) {
    if matches!(error, PurgeError::Denied(_)) {
        tracing::error!(pastes, "the CDN was not purged: {error}");
    } else {
        tracing::warn!(pastes, "the CDN was not purged: {error}");
    }
}

impl Worker for Purges {
    const NAME: &'static str = "relay of purges";

    async fn pass_and_rest(&self, metrics: &PassMetrics) -> Duration {
        let passed = self.pass().await;
        count(&passed, metrics);
        self.purger.rest().unwrap_or_else(|| rest(&passed))
    }
}
