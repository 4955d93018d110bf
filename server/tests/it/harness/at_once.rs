//! Answers that wait for nothing.

use std::time::{Duration, Instant};

/// What such an answer takes at most on a busy machine, and less than any of the deadlines it could have waited for.
const AT_ONCE: Duration = Duration::from_millis(1500);

/// Asks again and again. The median counts: on a busy machine one answer or another may have waited for a core.
pub(crate) async fn assert_at_once(ask: impl AsyncFn()) {
    let mut times = Vec::new();
    for _ in 0..7 {
        let asked = Instant::now();
        ask().await;
        times.push(asked.elapsed());
    }
    times.sort_unstable();
    assert!(times[times.len() / 2] < AT_ONCE, "{times:?}");
}
