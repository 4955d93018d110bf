//! The databases: one [`Store`] is one shard. The only files with SQL are below this one.
//!
//! A store must not know HTTP, objects, or how slots map to shards. One method is one transaction as its caller
//! sees it; nothing that waits on a network other than the database's happens inside one.

mod operator;
pub mod outbox;
pub mod postgres;
mod reader;
mod schema;
pub mod sqlite;
mod upkeep;

pub use upkeep::{Pace, Upkeep};

pub use operator::{Examination, LeftOver, OperatorStore, RowSeen, Waiting};

use app::wire::id::{PasteId, Slot};
use async_trait::async_trait;
use std::collections::HashSet;
use std::fmt;

/// A SHA-256.
pub type Hash = [u8; 32];

/// One shard.
#[async_trait]
pub trait Store: Upkeep + Send + Sync + fmt::Debug {
    /// Whether the shard has no tables yet. Asked before anything else.
    async fn is_new(&self) -> Result<bool, StoreError>;

    /// Makes the tables, or brings the schema up to date. Called on a first start.
    async fn prepare(&self) -> Result<(), StoreError>;

    /// Brings the schema up to date where there are tables, and says which slots the shard owns, ascending. One without
    /// tables has never been a shard: it is left as it is, and nothing is said. Called at start, and again after the
    /// shard was unreachable.
    async fn bring_up(&self) -> Result<Option<Vec<Slot>>, StoreError>;

    /// Reads the live idempotency row of a key, the shard's clock, and whether the shard owns the slot.
    async fn look_up(&self, slot: Slot, key_hash: &Hash) -> Result<LookUp, StoreError>;

    /// Commits paste row and idempotency row together, or neither.
    ///
    /// After [`CreateOutcome::Created`] both are durable. After any other outcome nothing of this paste is in the
    /// shard. After [`StoreError::Unknown`] a [`Store::look_up`] tells.
    async fn create(&self, paste: NewPaste) -> Result<CreateOutcome, StoreError>;

    /// Reads a paste that has not expired by the shard's clock.
    ///
    /// [`StoreError::NotOwned`] rather than nothing when the shard does not own the slot: another one may have it.
    async fn read(&self, id: PasteId) -> Result<Option<LivePaste>, StoreError>;

    /// Replaces a live paste whose token hash matches by an outbox row naming its object, in one commit.
    ///
    /// After [`DeleteOutcome::Deleted`] no read returns the paste again. The idempotency row stays. A shard that does
    /// not own the slot deletes nothing ([`StoreError::NotOwned`]): its object may be another shard's by now.
    async fn delete(&self, id: PasteId, token_hash: &Hash) -> Result<DeleteOutcome, StoreError>;

    /// Whether a deletion of this paste is still to be carried out: tells a delete whose commit was unknown.
    async fn is_in_outbox(&self, id: PasteId) -> Result<bool, StoreError>;

    /// Of these objects, those that a paste row or an outbox row names, at one moment.
    async fn named(&self, object_keys: &[String]) -> Result<HashSet<String>, StoreError>;

    /// [`Store::named`] once every create of the slot has ended that was under way: the reaper's barrier.
    ///
    /// An object that is not in the answer, and that is older than a create may take, will never be named. Only after
    /// an answer may it be removed; after any error, [`StoreError::NotOwned`] too, every object must be kept.
    async fn named_after_creates(
        &self,
        slot: Slot,
        object_keys: &[String],
    ) -> Result<HashSet<String>, StoreError>;

    /// The slots the shard owns, ascending.
    async fn owned_slots(&self) -> Result<Vec<Slot>, StoreError>;

    /// Takes these slots if the shard owns none yet; says whether it did.
    async fn claim_slots(&self, slots: &[Slot]) -> Result<bool, StoreError>;

    /// The pool as it is now.
    fn connections(&self) -> Connections;

    /// Finishes what was begun and closes every connection.
    async fn close(&self);
}

/// A pool of connections to a database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Connections {
    /// Open, in use or not.
    pub open: u32,
    /// Open and at rest.
    pub idle: u32,
    /// As many as there may be.
    pub limit: u32,
}

impl Connections {
    /// Those of a pool.
    fn of<D: sqlx::Database>(pool: &sqlx::Pool<D>) -> Self {
        Self {
            open: pool.size(),
            idle: u32::try_from(pool.num_idle()).unwrap_or(u32::MAX),
            limit: pool.options().get_max_connections(),
        }
    }
}

/// What a look-up finds, at one moment of the shard's clock.
#[derive(Debug)]
pub struct LookUp {
    /// The shard's clock, milliseconds since the Unix epoch.
    pub now_ms: i64,
    /// Whether the shard owns the slot. A create for a slot it does not own is refused.
    pub owned: bool,
    /// The key's row, unless there is none or it has expired.
    pub row: Option<IdempotencyRow>,
}

/// What the shard remembers of a committed save.
#[derive(Clone)]
pub struct IdempotencyRow {
    /// Which algorithm made the digest.
    pub digest_version: u8,
    /// The keyed digest of the request.
    pub digest: Vec<u8>,
    /// The stored 201, sealed.
    pub answer: Vec<u8>,
}

impl fmt::Debug for IdempotencyRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdempotencyRow")
            .field("digest_version", &self.digest_version)
            .finish_non_exhaustive()
    }
}

/// Everything a create commits.
#[derive(Clone, Debug)]
pub struct NewPaste {
    /// The row of the paste.
    pub paste: PasteRow,
    /// SHA-256 of the delete token.
    pub token_hash: Hash,
    /// SHA-256 of the idempotency key.
    pub key_hash: Hash,
    /// What a retry is compared with and answered by.
    pub remembered: IdempotencyRow,
    /// When the commit must have begun, by the shard's clock, milliseconds since the Unix epoch. It belongs to the
    /// object: past it the reaper may take the object, so the rows must not appear.
    pub deadline_ms: i64,
}

/// A paste without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasteRow {
    /// The id.
    pub id: PasteId,
    /// Where the text is in the object store.
    pub object_key: String,
    /// The title, when one was given.
    pub title: Option<String>,
    /// The syntax, when one was given.
    pub syntax: Option<String>,
    /// Bytes of content.
    pub size_bytes: u64,
    /// SHA-256 of the content.
    pub sha256: Hash,
    /// Milliseconds since the Unix epoch, by the shard's clock.
    pub created_at_ms: i64,
    /// Milliseconds since the Unix epoch, by the shard's clock.
    pub expires_at_ms: i64,
}

/// A paste that lives, at one moment of the shard's clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LivePaste {
    /// The row.
    pub row: PasteRow,
    /// The shard's clock, milliseconds since the Unix epoch.
    pub now_ms: i64,
}

/// How a create ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateOutcome {
    /// Both rows are committed.
    Created,
    /// A live row has the key: somebody won. Look it up again.
    KeyTaken,
    /// Another paste has the id or the object key. Mint again.
    IdTaken,
    /// The shard does not own the slot.
    NotOwned,
    /// The deadline had passed when the shard came to it.
    TooLate,
}

/// How a delete ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeleteOutcome {
    /// The paste was there, the token was right, and it is gone for good.
    Deleted,
    /// Wrong token, missing, expired or already deleted.
    NotFound,
}

/// The shard did not do it. Causes are logged where they happen; none of their text travels up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The shard could not be reached. Nothing was committed.
    #[error("the shard cannot be reached")]
    Unreachable,
    /// The shard answered that it cannot just now (disk full, too many connections). Nothing was committed.
    #[error("the shard cannot carry it out just now")]
    Unavailable,
    /// The shard does not own the slot, whatever the slot map says. Nothing was changed.
    #[error("the shard does not own the slot")]
    NotOwned,
    /// Another transaction stood in the way, usually a twin that is still committing. Nothing was committed; the same
    /// may succeed in a moment.
    #[error("another transaction stood in the way")]
    Busy,
    /// The commit may or may not have happened.
    #[error("the outcome of the commit is unknown")]
    Unknown,
}

/// What a statement found in its slot, unless the shard does not own the slot.
fn if_owned<T>((owned, found): (bool, T)) -> Result<T, StoreError> {
    if owned {
        Ok(found)
    } else {
        Err(StoreError::NotOwned)
    }
}
