//! What the operator's commands ask of a shard, beside what the service does with it.

use super::{DeleteOutcome, Store, StoreError};
use app::wire::id::{PasteId, Slot};
use async_trait::async_trait;

/// A shard as the operator's commands use it. Nothing here brings a schema up to date or claims a slot.
#[async_trait]
pub trait OperatorStore: Store {
    /// What the shard is and what is wrong with it. A shard that the service would refuse is described too.
    async fn examine(&self) -> Examination;

    /// At most `rows_max` paste rows of a slot, by object key, after one of them.
    async fn rows_of_slot(
        &self,
        slot: Slot,
        after: Option<&str>,
        rows_max: u32,
    ) -> Result<Vec<RowSeen>, StoreError>;

    /// What is left for the workers to do.
    async fn left_over(&self) -> Result<LeftOver, StoreError>;

    /// Replaces a paste, expired or not, by an outbox row naming its object, in one commit: a delete without a token.
    ///
    /// After [`DeleteOutcome::Deleted`] no read returns the paste again. The idempotency row stays.
    async fn take_down(&self, id: PasteId) -> Result<DeleteOutcome, StoreError>;
}

/// A shard as it was found. The texts are for the operator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examination {
    /// Which database, and which version of it. Empty when it could not be asked.
    pub product: String,
    /// The slots it owns. None when it could not be asked, or has no tables.
    pub owned: Option<Vec<Slot>>,
    /// What is wrong, a line each.
    pub faults: Vec<String>,
}

/// A paste row, expired or not, as the audit needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowSeen {
    /// The id.
    pub id: String,
    /// Its object.
    pub object_key: String,
    /// Bytes of its text.
    pub size_bytes: u64,
}

impl RowSeen {
    /// A row as it comes. No text has less than no bytes: such a row is one of a damaged text.
    pub(super) fn of((id, object_key, size_bytes): (String, String, i64)) -> Self {
        Self {
            id,
            object_key,
            size_bytes: u64::try_from(size_bytes).unwrap_or(u64::MAX),
        }
    }
}

/// What waits for relay and sweeper in one shard, at one moment of its clock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOver {
    /// Deletions still to be carried out.
    pub outbox: Waiting,
    /// The pastes of the first of them.
    pub outbox_first: Vec<String>,
    /// Pastes that have expired.
    pub pastes: Waiting,
    /// Idempotency rows that have expired.
    pub keys: Waiting,
}

/// Rows of one kind that wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// How many.
    pub rows: u64,
    /// How long the first of them has waited, in seconds; 0 when there is none.
    pub oldest_seconds: u64,
}

impl Waiting {
    /// So many rows, the first of them since a time, in milliseconds since the Unix epoch.
    pub(super) fn since(rows: i64, since_ms: Option<i64>, now_ms: i64) -> Self {
        let waited = now_ms.saturating_sub(since_ms.unwrap_or(now_ms));
        Self {
            rows: u64::try_from(rows).unwrap_or(0),
            oldest_seconds: u64::try_from(waited / 1000).unwrap_or(0),
        }
    }
}

/// The least and the greatest object key of a slot: `NNN/` and a UUID.
pub(super) fn keys_of_slot(slot: Slot) -> (String, String) {
    let key = |digit: &str| {
        let uuid = [8, 4, 4, 4, 12]
            .map(|digits| digit.repeat(digits))
            .join("-");
        format!("{:03}/{uuid}", slot.number())
    };
    (key("0"), key("f"))
}

/// What is wrong with a schema of which so many steps were applied.
pub(super) fn fault_of_schema(applied: Option<i64>, known: i64) -> Option<String> {
    match applied {
        None => Some("it has no tables: `oncebin serve` makes them if no other shard is in use; else its rows are lost".into()),
        Some(step) if step < known => Some(format!(
            "its schema is at step {step}, this oncebin needs {known}: start `oncebin serve` once"
        )),
        Some(_) => None,
    }
}
