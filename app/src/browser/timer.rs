//! Timers.

use crate::save::DELAY_MS_MAX;
use gloo_timers::callback::Timeout;

/// A timer that is running. It stops when it is dropped.
#[must_use]
pub(crate) struct Timer {
    _timeout: Timeout,
}

/// Calls `then` once in `delay_ms`, clamped to what a browser's timers count to.
pub(crate) fn after(delay_ms: u64, then: impl FnOnce() + 'static) -> Timer {
    let delay_ms = u32::try_from(delay_ms.min(DELAY_MS_MAX)).unwrap_or(u32::MAX >> 1);
    Timer {
        _timeout: Timeout::new(delay_ms, then),
    }
}
