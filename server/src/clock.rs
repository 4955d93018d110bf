//! The clock of an embedded shard, and a stopwatch: this machine's, or such as a test turns.
//!
//! It knows nothing of what the times are for.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

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

/// Time that never goes back, counted from when it was made; a test may turn it forward. Clones count together.
#[derive(Clone, Debug)]
pub struct Stopwatch {
    begun: Instant,
    offset_ms: Arc<AtomicI64>,
}

impl Default for Stopwatch {
    fn default() -> Self {
        Self {
            begun: Instant::now(),
            offset_ms: Arc::default(),
        }
    }
}

impl Stopwatch {
    /// How long it has run. Time in which the machine slept does not count.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let offset = self.offset_ms.load(Ordering::Relaxed);
        self.begun.elapsed() + Duration::from_millis(offset.unsigned_abs())
    }

    /// Turns it and all its clones forward.
    pub fn advance(&self, span: Duration) {
        self.offset_ms.fetch_add(millis(span), Ordering::Relaxed);
    }
}

/// Whole milliseconds of a span, at most `i64::MAX`.
#[must_use]
pub fn millis(span: Duration) -> i64 {
    i64::try_from(span.as_millis()).unwrap_or(i64::MAX)
}
