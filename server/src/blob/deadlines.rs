//! How long the store may take, and how often it is asked again.

use std::time::{Duration, Instant};

/// Deadlines of the object store (architecture.md, deadlines). The defaults are the design's; tests shorten them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlobDeadlines {
    /// One request, beside its allowance by size.
    pub request: Duration,
    /// All attempts of one request, beside the same allowance.
    pub in_all: Duration,
    /// More of both for each MiB, begun ones too.
    pub each_mib: Duration,
}

impl Default for BlobDeadlines {
    fn default() -> Self {
        Self {
            request: Duration::from_secs(5),
            in_all: Duration::from_secs(10),
            each_mib: Duration::from_secs(1),
        }
    }
}

impl BlobDeadlines {
    /// The time for one request that carries so many bytes, when its first attempt began at `start`.
    pub(super) fn for_attempt(&self, bytes: u64, start: Instant) -> Duration {
        let left = (start + self.in_all + self.allowance(bytes)) - Instant::now();
        left.min(self.request + self.allowance(bytes))
    }

    fn allowance(&self, bytes: u64) -> Duration {
        let mib = u32::try_from(bytes.div_ceil(1024 * 1024)).unwrap_or(u32::MAX);
        self.each_mib.saturating_mul(mib)
    }
}

#[cfg(test)]
mod tests {
    use super::super::s3::CONNECT;
    use super::*;

    #[test]
    fn each_deadline_is_below_the_next() {
        let deadlines = BlobDeadlines::default();
        assert!(CONNECT < deadlines.request);
        assert!(deadlines.request < deadlines.in_all);
    }

    #[test]
    fn an_attempt_gets_what_is_left_and_never_more_than_one_request() {
        let deadlines = BlobDeadlines::default();
        let (now, mib) = (Instant::now(), 1024 * 1024);
        assert_eq!(deadlines.for_attempt(0, now), Duration::from_secs(5));
        assert_eq!(deadlines.for_attempt(mib + 1, now), Duration::from_secs(7));
        let earlier = now - Duration::from_secs(9);
        assert!(deadlines.for_attempt(0, earlier) <= Duration::from_secs(1));
        assert_eq!(
            deadlines.for_attempt(0, now - Duration::from_secs(11)),
            Duration::ZERO
        );
    }
}
