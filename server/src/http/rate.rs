//! The limit on saves from one address: each is charged before its body is read, so one that is refused costs as much. A
//! replay is never charged.

use super::failure::Failure;
use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use std::fmt;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};

/// Bursts are this part of a minute's creates: 20 of 60.
const BURST_PART: u32 = 3;

/// Charges between two looks for addresses that no longer matter, which bounds the memory.
const TIDY_EACH: u32 = 1024;

/// Creates a minute and address.
pub(super) struct CreateLimiter {
    limiter: RateLimiter<IpAddr, HashMapStateStore<IpAddr>, DefaultClock>,
    clock: DefaultClock,
    per_minute: NonZeroU32,
    charges: AtomicU32,
}

impl CreateLimiter {
    pub(super) fn new(per_minute: NonZeroU32) -> Self {
        let burst = NonZeroU32::new(per_minute.get() / BURST_PART).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::per_minute(per_minute).allow_burst(burst);
        Self {
            limiter: RateLimiter::hashmap(quota),
            clock: DefaultClock::default(),
            per_minute,
            charges: AtomicU32::new(0),
        }
    }

    /// Charges one create.
    pub(super) fn charge(&self, address: IpAddr) -> Result<(), Failure> {
        if self.charges.fetch_add(1, Ordering::Relaxed) % TIDY_EACH == TIDY_EACH - 1 {
            self.limiter.retain_recent();
            self.limiter.shrink_to_fit();
        }
        self.limiter.check_key(&address).map_err(|refused| {
            let wait = refused.wait_time_from(self.clock.now());
            Failure::RateLimited {
                per_minute: self.per_minute.get(),
                retry_after_seconds: wait.as_secs() + 1,
            }
        })
    }
}

impl fmt::Debug for CreateLimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CreateLimiter")
            .field("per_minute", &self.per_minute)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At the fastest rate an address is as good as new at once, so each look finds that none matters any more.
    #[test]
    fn memory_is_bounded_by_those_who_saved_lately() {
        let limiter = CreateLimiter::new(NonZeroU32::MAX);
        for number in 0..10 * TIDY_EACH {
            limiter.charge(IpAddr::from(number.to_be_bytes())).unwrap();
            assert!(limiter.limiter.len() <= TIDY_EACH as usize + 1);
        }
    }
}
