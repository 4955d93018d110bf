//! The clock of an embedded shard: this machine's, or one that a test turns.
//!
//! It knows nothing of what the times are for.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The machine's wall clock plus an offset, which is zero but in tests. Clones share the offset.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    offset_ms: Arc<AtomicI64>,
}

impl Clock {
    /// The machine's clock.
    #[must_use]
    pub fn system() -> Self {
        Self::default()
    }

    /// Milliseconds since the Unix epoch, UTC.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        let machine = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        millis(machine).saturating_add(self.offset_ms.load(Ordering::Relaxed))
    }

    /// Turns this clock and all its clones forward.
    pub fn advance(&self, span: Duration) {
        self.offset_ms.fetch_add(millis(span), Ordering::Relaxed);
    }

    /// Turns this clock and all its clones back.
    pub fn turn_back(&self, span: Duration) {
        self.offset_ms.fetch_sub(millis(span), Ordering::Relaxed);
    }
}

/// Whole milliseconds of a span, at most `i64::MAX`.
#[must_use]
pub fn millis(span: Duration) -> i64 {
    i64::try_from(span.as_millis()).unwrap_or(i64::MAX)
}
