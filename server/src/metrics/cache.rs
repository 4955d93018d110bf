//! The origin cache.

use super::register::Register;
use prometheus::{IntCounter, IntGauge};

/// What the cache saved, and holds.
#[derive(Clone, Debug)]
pub struct CacheMetrics {
    hits: IntCounter,
    misses: IntCounter,
    held: IntGauge,
}

impl CacheMetrics {
    pub(super) fn new(register: Register<'_>) -> prometheus::Result<Self> {
        Ok(Self {
            hits: register.counter(
                "oncebin_cache_hits_total",
                "Texts answered without the object store.",
            )?,
            misses: register.counter(
                "oncebin_cache_misses_total",
                "Texts that had to be fetched from the object store.",
            )?,
            held: register.gauge(
                "oncebin_cache_held_bytes",
                "What the cache holds, as its bound of 24 MiB counts it.",
            )?,
        })
    }

    /// What the cache has counted since the start, and the bytes it holds now.
    pub fn set(&self, hits: u64, misses: u64, held_bytes: u64) {
        self.hits.inc_by(hits.saturating_sub(self.hits.get()));
        self.misses.inc_by(misses.saturating_sub(self.misses.get()));
        self.held.set(i64::try_from(held_bytes).unwrap_or(i64::MAX));
    }
}
