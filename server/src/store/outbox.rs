//! Outbox rows as the relay handles them, and as either database returns them.

use sqlx::{ColumnIndex, Decode, Row, Type};
use std::time::Duration;

/// How long after the object is gone the CDN is purged for the last time.
///
/// An answer that was under way during an earlier purge is cached after it; none is under way for longer than 60 s
/// (architecture.md, deadlines). Without a CDN the row stays as long: by it a delete whose own commit was not answered
/// learns that it was carried out, and that takes less time.
pub const LAST_PURGE_AFTER: Duration = Duration::from_secs(90);

/// No step is put off for longer: a due time further ahead was written while the clock was wrong, and counts for nothing.
pub const PUT_OFF_MAX: Duration = Duration::from_secs(2 * 60 * 60);

/// Rows of a backlog that are counted. There may be more.
pub const BACKLOG_MAX: u32 = 100_000;

/// The two steps of a deletion. Neither waits for the other, so a sick CDN holds up no object's deletion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The object is deleted.
    Object,
    /// The CDN's copies are purged: at once, and again [`LAST_PURGE_AFTER`] the object is gone.
    Purge,
}

/// The right to carry out one step of one row for a while. It counts only until another one has taken it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The row.
    pub n: i64,
    /// Which of the step's leases it is.
    pub attempts: i64,
}

/// A row whose step was leased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leased {
    /// What to settle it with.
    pub lease: Lease,
    /// How often the step has failed since it last succeeded.
    pub failures: i64,
    /// Whose copies are to be purged.
    pub paste_id: String,
    /// Which object is to be deleted.
    pub object_key: String,
    /// Whether a purge that succeeds now is the last one.
    pub is_last: bool,
}

/// How a leased step went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// It was carried out; the row waits for what is left.
    Done,
    /// It was carried out, and nothing is left: the row leaves.
    Finished,
    /// It failed, and is due again after so long.
    Failed(Duration),
}

/// Deletions that are still to be carried out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Outbox rows, at most [`BACKLOG_MAX`].
    pub rows: u64,
    /// How long ago the first of them was inserted, by the shard's clock; zero when there is none.
    pub oldest_age: Duration,
}

impl Backlog {
    pub(super) fn of(rows: i64, oldest_at_ms: Option<i64>, now_ms: i64) -> Self {
        let age_ms = oldest_at_ms.map_or(0, |at_ms| now_ms.saturating_sub(at_ms));
        Self {
            rows: u64::try_from(rows).unwrap_or(0),
            oldest_age: Duration::from_millis(u64::try_from(age_ms).unwrap_or(0)),
        }
    }
}

/// What was settled, by outcome: each kind is one statement.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcomes {
    pub(super) done: Vec<Lease>,
    pub(super) finished: Vec<Lease>,
    pub(super) failed: Vec<(Lease, Duration)>,
}

impl Outcomes {
    pub(super) fn of(settled: &[(Lease, Settled)]) -> Self {
        let mut outcomes = Self::default();
        for (lease, outcome) in settled {
            match outcome {
                Settled::Done => outcomes.done.push(*lease),
                Settled::Finished => outcomes.finished.push(*lease),
                Settled::Failed(rest) => outcomes.failed.push((*lease, (*rest).min(PUT_OFF_MAX))),
            }
        }
        outcomes
    }

    /// Of every row that was settled.
    pub(super) fn numbers(&self) -> Vec<i64> {
        let leases = self.done.iter().chain(&self.finished);
        let failed = self.failed.iter().map(|(lease, _)| lease);
        leases.chain(failed).map(|lease| lease.n).collect()
    }
}

/// Reads a leased row. The columns have the same names and meanings in both databases.
pub(super) fn leased<'r, R>(row: &'r R) -> Result<Leased, sqlx::Error>
where
    R: Row,
    &'static str: ColumnIndex<R>,
    i64: Decode<'r, R::Database> + Type<R::Database>,
    bool: Decode<'r, R::Database> + Type<R::Database>,
    String: Decode<'r, R::Database> + Type<R::Database>,
{
    Ok(Leased {
        lease: Lease {
            n: row.try_get("n")?,
            attempts: row.try_get("attempts")?,
        },
        failures: row.try_get("failures")?,
        paste_id: row.try_get("paste_id")?,
        object_key: row.try_get("object_key")?,
        is_last: row.try_get("is_last")?,
    })
}
