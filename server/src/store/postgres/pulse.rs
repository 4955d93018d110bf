//! When a shard last answered, and when a connection to it was last lost.
//!
//! Tells a shard that is busy from one that is gone, and connections worth asking from those that surely live.

use super::meaning::Meaning;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[derive(Debug, Default)]
pub(super) struct Pulse {
    last: Mutex<Last>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Last {
    answer: Option<Instant>,
    loss: Option<Instant>,
}

impl Pulse {
    /// Notes how a statement ended.
    pub(super) fn note(&self, failure: Option<Meaning>) {
        let mut last = self.lock();
        match failure {
            Some(Meaning::Lost | Meaning::Unreachable) => last.loss = Some(Instant::now()),
            _ => last.answer = Some(Instant::now()),
        }
    }

    /// Whether a statement was answered since a moment.
    pub(super) fn has_answered_since(&self, moment: Instant) -> bool {
        self.lock().answer.is_some_and(|answer| answer >= moment)
    }

    /// Whether a connection was lost while another one rested: what ended the one may have ended the other.
    pub(super) fn has_lost_within(&self, rest: Duration) -> bool {
        self.lock().loss.is_some_and(|loss| loss.elapsed() <= rest)
    }

    fn lock(&self) -> MutexGuard<'_, Last> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
