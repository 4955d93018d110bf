//! A shard under test and the samples that the suite of stores fills it with.

use app::wire::id::{PasteId, Slot};
use oncebin::store::{
    CreateOutcome, DeleteOutcome, Hash, IdempotencyRow, LookUp, NewPaste, OperatorStore, PasteRow,
    Store,
};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::time::Duration;

/// A shard under test, and what its store does not show.
pub(crate) trait Shard {
    async fn open() -> Self;

    /// A session past the store.
    type Session: Send;

    fn store(&self) -> &dyn OperatorStore;

    /// Opens a create past the store: its paste row is inserted, and not committed.
    async fn begin_create(&self, new: &NewPaste) -> Self::Session;

    async fn commit(session: Self::Session);

    /// Returns once the store waits for what a session of the test holds.
    async fn until_it_waits(&self);

    /// The store as workers have it.
    fn shared(&self) -> Arc<dyn Store>;

    /// Turns the shard's clock forward.
    async fn advance(&self, span: Duration);

    /// Runs a statement past the store.
    async fn run(&self, statement: String);

    /// The whole number that a statement gives, past the store.
    async fn number(&self, statement: &'static str) -> i64;

    /// How long a row stays after it has expired, before a sweep takes it.
    fn stays(&self) -> Duration;

    /// Ids and object keys of the outbox rows.
    async fn outbox(&self) -> Vec<(String, String)>;
}

/// The slot of all samples.
pub(crate) const SLOT: Slot = Slot::new(7);

/// Gives the shard the samples' slot; its clock.
pub(crate) async fn claim(shard: &impl Shard) -> i64 {
    assert_eq!(shard.store().claim_slots(&[SLOT]).await, Ok(true));
    let found = shard.store().look_up(SLOT, &[0; 32]).await.unwrap();
    found.now_ms
}

/// A paste that shares nothing with one of another number.
pub(crate) fn sample(number: u32, now_ms: i64) -> NewPaste {
    sample_in(SLOT, number, now_ms)
}

pub(crate) fn sample_in(slot: Slot, number: u32, now_ms: i64) -> NewPaste {
    let hash = |what: &str| -> Hash { Sha256::digest(format!("{what} {number}")).into() };
    let random = format!("{number:012}").into_bytes().try_into().unwrap();
    NewPaste {
        paste: PasteRow {
            id: PasteId::new(slot, random).unwrap(),
            object_key: format!("{:03}/{number}", slot.number()),
            title: None,
            syntax: None,
            size_bytes: u64::from(number),
            sha256: hash("content"),
            created_at_ms: now_ms,
            expires_at_ms: now_ms + 30 * 24 * 60 * 60 * 1000,
        },
        token_hash: hash("token"),
        key_hash: hash("key"),
        remembered: IdempotencyRow {
            digest_version: 1,
            digest: hash("digest").to_vec(),
            answer: format!("answer {number}").into_bytes(),
        },
        deadline_ms: now_ms + 30_000,
    }
}

pub(crate) async fn create(shard: &impl Shard, new: &NewPaste) -> CreateOutcome {
    shard.store().create(new.clone()).await.unwrap()
}

pub(crate) async fn delete(shard: &impl Shard, new: &NewPaste) -> DeleteOutcome {
    let deleted = shard.store().delete(new.paste.id, &new.token_hash).await;
    deleted.unwrap()
}

pub(crate) async fn look_up(shard: &impl Shard, new: &NewPaste) -> LookUp {
    let slot = new.paste.id.slot();
    shard.store().look_up(slot, &new.key_hash).await.unwrap()
}

pub(crate) async fn is_unread(shard: &impl Shard, new: &NewPaste) -> bool {
    shard.store().read(new.paste.id).await.unwrap().is_none()
}

/// Neither row of it is there.
pub(crate) async fn assert_absent(shard: &impl Shard, new: &NewPaste) {
    assert!(look_up(shard, new).await.row.is_none());
    assert!(is_unread(shard, new).await);
}

/// Both rows of it are there.
pub(crate) async fn assert_there(shard: &impl Shard, new: &NewPaste) {
    let live = shard.store().read(new.paste.id).await.unwrap().unwrap();
    assert_eq!(live.row, new.paste);
    assert_remembers(look_up(shard, new).await.row.unwrap(), new);
}

pub(crate) fn assert_remembers(row: IdempotencyRow, new: &NewPaste) {
    let remembered = &new.remembered;
    assert_eq!(row.digest_version, remembered.digest_version);
    assert_eq!(row.digest, remembered.digest);
    assert_eq!(row.answer, remembered.answer);
}

pub(crate) fn outbox_row(new: &NewPaste) -> (String, String) {
    (new.paste.id.to_string(), new.paste.object_key.clone())
}
