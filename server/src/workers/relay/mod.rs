//! The relay: carries deletions out, each at least once.
//!
//! An outbox row has two steps, and a worker for each: [`Objects`] deletes the object, [`Purges`] has the CDN forget
//! its copies, at once and again a while after the object is gone. They share a row and nothing else, so a sick CDN
//! holds up no object. A step that fails is tried again, later and later, and never given up.

mod backoff;
mod objects;
mod purges;

pub use objects::Objects;
pub use purges::Purges;

use crate::metrics::{PassEnd, PassMetrics, WorkItem};
use crate::store::StoreError;
use std::time::Duration;

/// How long a relay rests when nothing is due.
const IDLE: Duration = Duration::from_secs(1);

/// How long it rests when its shard does not answer.
const AFTER_AN_ERROR: Duration = Duration::from_secs(2);

/// How long a leased row is left to whoever leased it. Longer than a pass, or its rows would be carried out twice.
const LEASE: Duration = Duration::from_secs(120);

/// Rows that leave in one commit when nothing else is due.
const DROPS_MAX: u32 = 128;

/// What a pass of a relay did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Relayed {
    /// Steps carried out.
    pub done: usize,
    /// Steps that failed and will be tried again.
    pub failed: usize,
    /// Rows that left for want of a CDN, their object gone for a while.
    pub dropped: u64,
}

/// How long to rest after a pass.
fn rest(passed: &Result<Relayed, StoreError>) -> Duration {
    match passed {
        Ok(Relayed {
            done: 0, dropped, ..
        }) if *dropped < DROPS_MAX.into() => IDLE,
        Ok(_) => Duration::ZERO,
        Err(_) => AFTER_AN_ERROR,
    }
}

/// Tells how a pass ended and what it did.
fn count(passed: &Result<Relayed, StoreError>, metrics: &PassMetrics) {
    let Ok(Relayed { done, failed, .. }) = passed else {
        return metrics.ended(PassEnd::InDoubt);
    };
    metrics.did(WorkItem::StepDone, *done as u64);
    metrics.did(WorkItem::StepFailed, *failed as u64);
    metrics.ended(PassEnd::Complete);
}
