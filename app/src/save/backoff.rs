//! How long an attempt may take and how long to wait for the next one, in milliseconds.

/// The longest delay a timer of any host is given: 2^31 - 1.
pub const DELAY_MS_MAX: u64 = 2_147_483_647;

/// The longest backoff that the client chooses by itself.
pub const BACKOFF_MS_MAX: u64 = 30_000;

/// The longest `Retry-After` that is believed: 10 minutes.
pub const RETRY_AFTER_MS_MAX: u64 = 600_000;

/// What every attempt gets, however small its text.
pub const ATTEMPT_MS_MIN: u64 = 15_000;

/// The backoff before the first retry doubles from here.
const BACKOFF_MS_FIRST: u64 = 500;

/// Bytes of text that earn an attempt one more second: 64 KiB, as on the server.
const BYTES_A_SECOND: u64 = 64 * 1024;

/// How long an attempt with this much text may take before its outcome counts as unknown.
pub(super) fn attempt_ms(content_bytes: usize) -> u64 {
    let bytes = u64::try_from(content_bytes).unwrap_or(u64::MAX);
    let extra_ms = bytes.div_ceil(BYTES_A_SECOND).saturating_mul(1_000);
    ATTEMPT_MS_MIN.saturating_add(extra_ms).min(DELAY_MS_MAX)
}

/// The delay after `failures` attempts have failed (one or more): full jitter, and at least what the server asked for.
///
/// `random` is a fraction of 2^32. Jitter is kept under a `Retry-After` too: one of zero must not become a tight loop.
pub(super) fn delay_ms(failures: u32, retry_after_seconds: Option<u64>, random: u32) -> u64 {
    let asked_ms = retry_after_seconds.unwrap_or(0).saturating_mul(1_000);
    full_jitter_ms(failures, random).max(asked_ms.min(RETRY_AFTER_MS_MAX))
}

/// A random share of 0.5 s, doubled with each failure after the first, up to 30 s.
fn full_jitter_ms(failures: u32, random: u32) -> u64 {
    let doublings = failures.saturating_sub(1).min(16);
    let ceiling_ms = (BACKOFF_MS_FIRST << doublings).min(BACKOFF_MS_MAX);
    (u64::from(random) * ceiling_ms) >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_ceiling_doubles_to_thirty_seconds() {
        let ceilings = [1, 2, 3, 4, 5, 6, 7, 8, u32::MAX].map(|n| full_jitter_ms(n, u32::MAX) + 1);
        assert_eq!(
            ceilings,
            [
                500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000
            ]
        );
    }

    #[test]
    fn the_server_is_waited_for_but_not_forever() {
        assert_eq!(delay_ms(1, Some(7), 0), 7_000);
        assert_eq!(delay_ms(1, Some(u64::MAX), 0), RETRY_AFTER_MS_MAX);
        assert_eq!(delay_ms(7, Some(0), 1 << 31), BACKOFF_MS_MAX / 2);
    }

    #[test]
    fn an_attempt_gets_time_for_its_size() {
        assert_eq!(attempt_ms(0), 15_000);
        assert_eq!(attempt_ms(1), 16_000);
        assert_eq!(attempt_ms(10 << 20), 175_000);
        assert_eq!(attempt_ms(usize::MAX), DELAY_MS_MAX);
    }

    proptest! {
        #[test]
        fn no_delay_leaves_its_bounds(failures: u32, asked: Option<u64>, random: u32) {
            prop_assert!(delay_ms(failures, asked, random) <= RETRY_AFTER_MS_MAX);
        }
    }
}
