//! How long a thread has worked.

use std::fs;
use std::time::{Duration, Instant};

/// Measures what the current thread works, not what it waits for a CPU, where the system tells.
#[derive(Debug)]
pub(super) struct Stopwatch {
    started: Instant,
    worked: Option<Duration>,
}

impl Stopwatch {
    pub(super) fn start() -> Self {
        Self {
            started: Instant::now(),
            worked: worked(),
        }
    }

    /// Time worked since the start. It must be asked on the same thread; the system counts in steps of some ms.
    pub(super) fn worked(&self) -> Duration {
        match (self.worked, worked()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.passed(),
        }
    }

    /// Time passed since the start.
    pub(super) fn passed(&self) -> Duration {
        self.started.elapsed()
    }
}

/// CPU time of the current thread, from Linux' scheduler.
fn worked() -> Option<Duration> {
    let line = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanos = line.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanos))
}
