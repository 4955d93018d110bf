//! What the service counts of itself: typed instruments that other modules are handed, and their text for Prometheus.
//!
//! Each service has a registry of its own. Every series there will ever be stands from the start, at zero: labels come
//! from lists in the code, never from a request, so nobody outside can make one more. It must not know HTTP, SQL or
//! what a paste is.

mod cache;
mod creates;
mod http;
mod objects;
mod process;
mod register;
mod shards;
mod workers;

pub use cache::CacheMetrics;
pub use creates::{CreateMetrics, Retry};
pub use http::{Connections, Endpoint, HttpMetrics, Listener, OpenConnection};
pub use objects::{ObjectFailure, ObjectMetrics, ObjectOperation};
pub use shards::{ShardFailure, ShardMetrics, ShardOperation, SqlMetrics};
pub use workers::{PassEnd, PassMetrics, WorkItem, WorkerMetrics};

use process::Process;
use prometheus::{IntCounter, IntCounterVec, Registry, TextEncoder};
use register::Register;
use std::sync::{Mutex, PoisonError};

/// The media type of [`Metrics::text`].
pub const MEDIA_TYPE: &str = prometheus::TEXT_FORMAT;

/// All instruments of one service.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    /// Requests, connections and bodies.
    pub http: HttpMetrics,
    /// How saves ended.
    pub creates: CreateMetrics,
    /// The shards, in the order of the slot map.
    pub shards: Vec<ShardMetrics>,
    /// The object store.
    pub objects: ObjectMetrics,
    /// The origin cache.
    pub cache: CacheMetrics,
    /// The workers.
    pub workers: WorkerMetrics,
    /// Deadlines that were not kept.
    pub deadlines: DeadlineMetrics,
    /// Panics of the whole process.
    pub panics: IntCounter,
    process: Process,
    /// Figures that are taken when somebody asks must not be taken by two at once.
    taking: Mutex<()>,
}

impl Metrics {
    /// The instruments of a service with these endpoints and so many shards.
    ///
    /// # Errors
    /// When two instruments have one name: a bug.
    pub fn new(endpoints: &'static [Endpoint], shards: usize) -> prometheus::Result<Self> {
        let registry = Registry::new();
        let register = Register(&registry);
        let build = register.gauges("oncebin_build_info", "Always 1.", &["version"])?;
        build
            .with_label_values(&[env!("CARGO_PKG_VERSION")])
            .set(1.0);
        let deadlines = DeadlineMetrics::new(register)?;
        Ok(Self {
            http: HttpMetrics::new(register, endpoints)?,
            creates: CreateMetrics::new(register)?,
            shards: shards::all(register, shards, &deadlines)?,
            objects: ObjectMetrics::new(register)?,
            cache: CacheMetrics::new(register)?,
            workers: WorkerMetrics::new(register, shards)?,
            deadlines,
            panics: register.counter("oncebin_panics_total", "Panics: each one is a bug.")?,
            process: Process::new(register)?,
            taking: Mutex::new(()),
            registry,
        })
    }

    /// Everything in Prometheus' text form. `take` sets the figures that are not counted as they happen.
    pub fn text(&self, take: impl FnOnce()) -> String {
        let _taking = self.taking.lock().unwrap_or_else(PoisonError::into_inner);
        take();
        self.process.take();
        let families = self.registry.gather();
        // Writing to a string fails only for a family without series.
        TextEncoder::new()
            .encode_to_string(&families)
            .unwrap_or_default()
    }
}

/// A deadline that somebody else was to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deadline {
    /// A client's, for the body of its request.
    RequestBody,
    /// A client's, for taking the answer.
    Response,
    /// A database's, for one statement: its caller stopped waiting.
    Statement,
    /// The object store's, for one request.
    Objects,
    /// A create's own, from its look-up to its commit.
    Create,
}

impl Deadline {
    const ALL: [Self; 5] = [
        Self::RequestBody,
        Self::Response,
        Self::Statement,
        Self::Objects,
        Self::Create,
    ];

    const fn label(self) -> &'static str {
        match self {
            Self::RequestBody => "request_body",
            Self::Response => "response",
            Self::Statement => "statement",
            Self::Objects => "object_store",
            Self::Create => "create",
        }
    }
}

/// Counts deadlines. Clones count together.
#[derive(Clone, Debug)]
pub struct DeadlineMetrics {
    missed: IntCounterVec,
}

impl DeadlineMetrics {
    fn new(register: Register<'_>) -> prometheus::Result<Self> {
        let missed = register.counters(
            "oncebin_deadlines_missed_total",
            "Deadlines missed: by clients (request_body, response), by a database (statement), by the object store, and \
             creates that took too long.",
            &["deadline"],
        )?;
        for deadline in Deadline::ALL {
            missed.with_label_values(&[deadline.label()]);
        }
        Ok(Self { missed })
    }

    /// One was missed.
    pub fn missed(&self, deadline: Deadline) {
        self.missed.with_label_values(&[deadline.label()]).inc();
    }
}
