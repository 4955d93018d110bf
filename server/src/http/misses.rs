//! The limit on reads of unknown ids and on wrong delete tokens from one address: who guesses is slowed down.
//!
//! Only a look-up in vain is charged, and that is known at the end of a request, while a refusal must come before
//! anything is looked up, or it would tell as much as the 404. So the budget is looked at first and charged last;
//! governor has no look without a charge.

use super::client_address::Peer;
use super::failure::Failure;
use super::{Http, State, path, reuse};
use axum::extract::{MatchedPath, Request};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Bursts are this part of a minute's misses.
const BURST_PART: u32 = 3;

/// Addresses kept before those that no longer matter are looked for, which bounds the memory.
const TIDY_FROM: usize = 1024;

/// Misses a minute and address, with bursts of a third: the generic cell rate algorithm.
#[derive(Debug)]
pub(super) struct MissLimiter {
    per_minute: NonZeroU32,
    /// How much of the future one miss uses up.
    interval: Duration,
    /// How far an address may be ahead of time.
    burst: Duration,
    addresses: Mutex<Addresses>,
}

/// Until when each address has used up its misses. One that lies in the past says nothing.
#[derive(Debug)]
struct Addresses {
    used_until: HashMap<IpAddr, Instant>,
    tidy_at: usize,
}

impl MissLimiter {
    pub(super) fn new(per_minute: NonZeroU32) -> Self {
        let interval = Duration::from_secs(60) / per_minute.get();
        let burst = (per_minute.get() / BURST_PART).max(1);
        Self {
            per_minute,
            interval,
            burst: interval * (burst - 1),
            addresses: Mutex::new(Addresses {
                used_until: HashMap::new(),
                tidy_at: TIDY_FROM,
            }),
        }
    }

    /// Whether an address may miss once more; charges nothing.
    fn admit(&self, address: IpAddr, now: Instant) -> Result<(), Failure> {
        let used_until = self.addresses().used_until.get(&address).copied();
        let ahead = used_until.map_or(Duration::ZERO, |until| until.saturating_duration_since(now));
        if ahead <= self.burst {
            return Ok(());
        }
        Err(Failure::TooManyMisses {
            per_minute: self.per_minute.get(),
            retry_after_seconds: (ahead - self.burst).as_secs() + 1,
        })
    }

    /// Charges one miss.
    fn charge(&self, address: IpAddr, now: Instant) {
        let mut addresses = self.addresses();
        let used_until = addresses.used_until.entry(address).or_insert(now);
        *used_until = now.max(*used_until) + self.interval;
        addresses.tidy(now);
    }

    fn addresses(&self) -> std::sync::MutexGuard<'_, Addresses> {
        self.addresses
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Addresses {
    /// Forgets addresses that may miss as often as any other. What is left may double before the next look.
    fn tidy(&mut self, now: Instant) {
        if self.used_until.len() < self.tidy_at {
            return;
        }
        self.used_until.retain(|_, until| *until > now);
        self.used_until.shrink_to(TIDY_FROM);
        self.tidy_at = TIDY_FROM.max(self.used_until.len() * 2);
    }
}

/// Around every route: a request that names a paste is refused when its address has missed too often.
pub(super) async fn limit(
    axum::extract::State(http): State,
    request: Request,
    next: Next,
) -> Response {
    let Some((limiter, address)) = charged(&http, &request) else {
        return next.run(request).await;
    };
    if let Err(failure) = limiter.admit(address, Instant::now()) {
        return failure.into_response();
    }
    let response = next.run(request).await;
    let failure = response.extensions().get::<Arc<Failure>>();
    if failure.is_some_and(|failure| **failure == Failure::LookedUpInVain) {
        limiter.charge(address, Instant::now());
    }
    response
}

/// Whose budget a request may cost; none for what looks nothing up.
fn charged<'a>(http: &'a Http, request: &Request) -> Option<(&'a MissLimiter, IpAddr)> {
    let limiter = http.miss_limiter.as_ref()?;
    let (route, uri) = (request.extensions().get::<MatchedPath>()?, request.uri());
    match route.as_str() {
        "/" if request.method() == Method::POST => return None,
        "/" => reuse::id(uri)?,
        _ => path::id(uri.path())?,
    };
    let peer: &Peer = request.extensions().get()?;
    Some((limiter, http.client_addresses.of(*peer, request.headers())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(number: u32) -> IpAddr {
        IpAddr::from(number.to_be_bytes())
    }

    fn misses_in_a_row(limiter: &MissLimiter, now: Instant) -> u32 {
        let mut count = 0;
        while limiter.admit(address(1), now).is_ok() {
            limiter.charge(address(1), now);
            count += 1;
        }
        count
    }

    #[test]
    fn a_burst_and_then_one_each_interval() {
        let limiter = MissLimiter::new(NonZeroU32::new(60).unwrap());
        let start = Instant::now();
        assert_eq!(misses_in_a_row(&limiter, start), 20);
        let refused = limiter.admit(address(1), start);
        let failure = Failure::TooManyMisses {
            per_minute: 60,
            retry_after_seconds: 2,
        };
        assert_eq!(refused, Err(failure));
        assert!(limiter.admit(address(2), start).is_ok());
        for second in 1..5 {
            let now = start + Duration::from_secs(second);
            assert_eq!(misses_in_a_row(&limiter, now), 1, "{second}");
        }
        let rested = start + Duration::from_secs(600);
        assert_eq!(misses_in_a_row(&limiter, rested), 20);
    }

    #[test]
    fn the_slowest_rate_allows_one() {
        let limiter = MissLimiter::new(NonZeroU32::MIN);
        let start = Instant::now();
        assert_eq!(misses_in_a_row(&limiter, start), 1);
        let (soon, then) = (
            start + Duration::from_secs(59),
            start + Duration::from_secs(60),
        );
        assert_eq!(misses_in_a_row(&limiter, soon), 0);
        assert_eq!(misses_in_a_row(&limiter, then), 1);
    }

    #[test]
    fn memory_is_bounded_by_those_who_missed_lately() {
        let limiter = MissLimiter::new(NonZeroU32::new(60).unwrap());
        let start = Instant::now();
        for number in 0..100_000 {
            let now = start + Duration::from_millis(u64::from(number));
            limiter.charge(address(number), now);
            assert!(limiter.addresses().used_until.len() <= 2 * 1_001 + TIDY_FROM);
        }
    }
}
