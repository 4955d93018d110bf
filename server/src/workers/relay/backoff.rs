//! How long a step that failed waits.

use crate::jitter::part_of;
use std::time::Duration;

/// After the first failure; twice as long after each one more.
const FIRST: Duration = Duration::from_secs(2);

/// The longest.
const LONGEST: Duration = Duration::from_secs(10 * 60);

/// How long a row waits that failed so often before, and now again.
///
/// At random between half of it and all of it, so that those who failed together, perhaps for one among them, do not
/// meet again.
pub(super) fn backoff(failures: i64) -> Duration {
    let doublings = u32::try_from(failures).unwrap_or(0).min(16);
    spread((FIRST * 2_u32.pow(doublings)).min(LONGEST))
}

fn spread(span: Duration) -> Duration {
    span / 2 + part_of(span / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_to_ten_minutes_and_never_ends() {
        for (failures, longest_s) in [(0, 2), (1, 4), (5, 64), (9, 600), (1000, 600), (-1, 2)] {
            let longest = Duration::from_secs(longest_s);
            let waits: Vec<_> = (0..50).map(|_| backoff(failures)).collect();
            let are_bounded = |wait: &Duration| (longest / 2..=longest).contains(wait);
            assert!(waits.iter().all(are_bounded), "{failures}: {waits:?}");
            assert!(waits.iter().any(|wait| *wait != waits[0]));
        }
    }
}
