//! Pauses of random length, so that those who met once do not meet again.

use std::time::Duration;
use tokio::time::sleep;

/// Sleeps for a random part of `longest`.
pub(crate) async fn pause(longest: Duration) {
    sleep(part_of(longest)).await;
}

/// A random part of `longest`.
pub(crate) fn part_of(longest: Duration) -> Duration {
    let mut byte = [u8::MAX];
    // Without luck the pause is the longest; nothing worse follows from that.
    getrandom::fill(&mut byte).ok();
    longest * u32::from(byte[0]) / 256
}
