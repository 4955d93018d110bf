//! One shard: whether it is up, how long it takes, how it fails, what its clock says.

use super::register::Register;
use super::{Deadline, DeadlineMetrics};
use prometheus::{
    Gauge, GaugeVec, Histogram, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec,
};
use std::time::Duration;

/// What requests ask a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShardOperation {
    /// The look-up of a key.
    LookUp,
    /// The commit of a paste.
    Create,
    /// The read of a row.
    Read,
    /// The commit of a deletion.
    Delete,
}

impl ShardOperation {
    const ALL: [Self; 4] = [Self::LookUp, Self::Create, Self::Read, Self::Delete];

    const fn label(self) -> &'static str {
        match self {
            Self::LookUp => "look_up",
            Self::Create => "create",
            Self::Read => "read",
            Self::Delete => "delete",
        }
    }
}

/// Why a shard did not do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShardFailure {
    /// It could not be reached, or is known to be down.
    Unreachable,
    /// It said that it cannot just now.
    Unavailable,
    /// It does not own the slot.
    NotOwned,
    /// Another transaction stood in the way.
    Busy,
    /// The commit may or may not have happened.
    Unknown,
}

impl ShardFailure {
    const ALL: [Self; 5] = [
        Self::Unreachable,
        Self::Unavailable,
        Self::NotOwned,
        Self::Busy,
        Self::Unknown,
    ];

    const fn label(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::Unavailable => "unavailable",
            Self::NotOwned => "not_owned",
            Self::Busy => "busy",
            Self::Unknown => "unknown",
        }
    }
}

/// SQLSTATEs that are counted one by one; `none` is an error without one, such as a lost connection.
const SQLSTATES: [&str; 14] = [
    "23505",
    "25006",
    "25P02",
    "40001",
    "40P01",
    "53100",
    "53300",
    "55P03",
    "57014",
    "57P01",
    "57P02",
    "57P03",
    "none",
    OTHER_SQLSTATE,
];

/// All other SQLSTATEs.
const OTHER_SQLSTATE: &str = "other";

/// Counts what a shard's SQL ended with. Clones count together; the default is in no registry.
#[derive(Clone, Debug, Default)]
pub struct SqlMetrics(Option<(IntCounterVec, String, DeadlineMetrics)>);

impl SqlMetrics {
    /// A statement ended with an error; `none` stands for one without SQLSTATE.
    pub fn failed(&self, sqlstate: &str) {
        if let Some((errors, shard, _)) = &self.0 {
            let known = SQLSTATES.iter().find(|known| **known == sqlstate);
            let sqlstate = known.unwrap_or(&OTHER_SQLSTATE);
            errors.with_label_values(&[shard.as_str(), sqlstate]).inc();
        }
    }

    /// The caller of a statement stopped waiting.
    pub fn abandoned(&self) {
        if let Some((_, _, deadlines)) = &self.0 {
            deadlines.missed(Deadline::Statement);
        }
    }
}

/// The instruments of one shard. Clones count together.
#[derive(Clone, Debug)]
pub struct ShardMetrics {
    /// What its SQL ended with.
    pub sql: SqlMetrics,
    durations: [Histogram; ShardOperation::ALL.len()],
    failures: [IntCounter; ShardFailure::ALL.len()],
    up: IntGauge,
    connections: [IntGauge; 2],
    connections_limit: IntGauge,
    clock_offset: Gauge,
    outbox_rows: IntGauge,
    outbox_age: Gauge,
}

impl ShardMetrics {
    /// A request asked the shard.
    pub fn asked(&self, operation: ShardOperation, took: Duration) {
        self.durations[operation as usize].observe(took.as_secs_f64());
    }

    /// The shard did not do it.
    pub fn failed(&self, failure: ShardFailure) {
        self.failures[failure as usize].inc();
    }

    /// The shard's clock was read: how far it is ahead of this process's, in milliseconds.
    pub fn set_clock_offset_ms(&self, ahead_ms: i64) {
        self.clock_offset.set(seconds(ahead_ms));
    }

    /// Whether it is served.
    pub fn set_up(&self, is_up: bool) {
        self.up.set(i64::from(is_up));
    }

    /// Its connections: in use, at rest, and how many there may be.
    pub fn set_connections(&self, busy: u32, idle: u32, limit: u32) {
        self.connections[0].set(i64::from(busy));
        self.connections[1].set(i64::from(idle));
        self.connections_limit.set(i64::from(limit));
    }

    /// Deletions still to be carried out, and for how long the oldest has waited.
    pub fn set_outbox(&self, rows: u64, oldest: Duration) {
        self.outbox_rows
            .set(i64::try_from(rows).unwrap_or(i64::MAX));
        self.outbox_age.set(oldest.as_secs_f64());
    }
}

/// The vectors, one label of which is the shard.
struct Vectors {
    durations: HistogramVec,
    failures: IntCounterVec,
    errors: IntCounterVec,
    up: IntGaugeVec,
    connections: IntGaugeVec,
    connections_limit: IntGaugeVec,
    clock_offset: GaugeVec,
    outbox_rows: IntGaugeVec,
    outbox_age: GaugeVec,
}

/// The instruments of so many shards.
pub(super) fn all(
    register: Register<'_>,
    shards: usize,
    deadlines: &DeadlineMetrics,
) -> prometheus::Result<Vec<ShardMetrics>> {
    let vectors = Vectors::new(register)?;
    let shards = (0..shards).map(|shard| vectors.shard(&shard.to_string(), deadlines));
    Ok(shards.collect())
}

impl Vectors {
    fn new(register: Register<'_>) -> prometheus::Result<Self> {
        Ok(Self {
            durations: register.durations(
                "oncebin_shard_operation_duration_seconds",
                "What requests ask a shard, failed ones included; waiting for a connection is part of it.",
                &["shard", "operation"],
            )?,
            failures: register.counters(
                "oncebin_shard_failures_total",
                "What a shard did not do; unknown is a commit that may or may not have happened.",
                &["shard", "failure"],
            )?,
            errors: register.counters(
                "oncebin_shard_sql_errors_total",
                "Statements of PostgreSQL that ended with an error. 40001 and 40P01 are sent again at once, 55P03 and 57014 \
                 looked up again after a pause; 23505 is a lost race.",
                &["shard", "sqlstate"],
            )?,
            up: register.numbers(
                "oncebin_shard_up",
                "Whether the shard is served: 1, or 0 while it cannot be reached.",
                &["shard"],
            )?,
            connections: register.numbers(
                "oncebin_shard_connections",
                "Connections in the pool of a shard on PostgreSQL. A SQLite file has none.",
                &["shard", "state"],
            )?,
            connections_limit: register.numbers(
                "oncebin_shard_connections_limit",
                "Connections there may be at once; past it requests wait.",
                &["shard"],
            )?,
            clock_offset: register.gauges(
                "oncebin_shard_clock_offset_seconds",
                "How far the shard's clock was ahead of this process's when it was last read.",
                &["shard"],
            )?,
            outbox_rows: register.numbers(
                "oncebin_shard_outbox_rows",
                "Deletions still to be carried out on CDN and object store; no more than 100000 are counted.",
                &["shard"],
            )?,
            outbox_age: register.gauges(
                "oncebin_shard_outbox_oldest_age_seconds",
                "For how long the first of them has waited, by the shard's clock.",
                &["shard"],
            )?,
        })
    }

    fn shard(&self, shard: &str, deadlines: &DeadlineMetrics) -> ShardMetrics {
        for sqlstate in SQLSTATES {
            self.errors.with_label_values(&[shard, sqlstate]);
        }
        let connections = |state| self.connections.with_label_values(&[shard, state]);
        ShardMetrics {
            sql: SqlMetrics(Some((
                self.errors.clone(),
                shard.to_owned(),
                deadlines.clone(),
            ))),
            durations: ShardOperation::ALL.map(|operation| {
                self.durations
                    .with_label_values(&[shard, operation.label()])
            }),
            failures: ShardFailure::ALL
                .map(|failure| self.failures.with_label_values(&[shard, failure.label()])),
            up: self.up.with_label_values(&[shard]),
            connections: [connections("busy"), connections("idle")],
            connections_limit: self.connections_limit.with_label_values(&[shard]),
            clock_offset: self.clock_offset.with_label_values(&[shard]),
            outbox_rows: self.outbox_rows.with_label_values(&[shard]),
            outbox_age: self.outbox_age.with_label_values(&[shard]),
        }
    }
}

/// Milliseconds as seconds; precise for any offset a clock can have.
fn seconds(ms: i64) -> f64 {
    let size = Duration::from_millis(ms.unsigned_abs()).as_secs_f64();
    if ms < 0 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_the_arrays_are_those_of_the_lists() {
        for (place, operation) in ShardOperation::ALL.into_iter().enumerate() {
            assert_eq!(operation as usize, place);
        }
        for (place, failure) in ShardFailure::ALL.into_iter().enumerate() {
            assert_eq!(failure as usize, place);
        }
    }

    #[test]
    fn offsets_have_a_sign() {
        assert!((seconds(-1500) + 1.5).abs() < f64::EPSILON);
        assert!((seconds(250) - 0.25).abs() < f64::EPSILON);
    }
}
