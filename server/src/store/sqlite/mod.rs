//! A shard in one SQLite file: one writer that commits in groups, and readers that answer in groups.
//!
//! The shard's clock is this machine's: the file has no other. Writes read it after the writer lock is held.

mod checkpoint;
mod create;
mod delete;
mod group;
mod identity;
mod json;
mod link;
mod look_up;
mod member;
mod named;
mod open;
mod operator;
mod outbox;
mod read;
mod slots;
mod source;
mod sweep;
mod upkeep;
mod writer;

use super::reader::Reader;
use super::{
    Connections, CreateOutcome, DeleteOutcome, Hash, LivePaste, LookUp, NewPaste, Store,
    StoreError, if_owned,
};
use crate::clock::Clock;
use app::wire::id::{PasteId, Slot};
use async_trait::async_trait;
use identity::Identity;
use look_up::LookUpKey;
use read::Read;
use source::File;
use sqlx::{SqliteConnection, SqlitePool};
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;
use tokio::time::timeout;
use writer::Writer;

/// How long an answer is waited for. A file that hangs must not hold what asks it.
const ANSWER_WITHIN: Duration = Duration::from_secs(4);

/// One SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    writer: Writer,
    reads: Reader<File<Read>>,
    look_ups: Reader<File<LookUpKey>>,
    identity: Identity,
    /// For what is asked now and then.
    other: SqlitePool,
    clock: Clock,
}

impl SqliteStore {
    /// Opens the file, makes it if it is missing, and brings its schema up to date.
    ///
    /// # Errors
    /// What SQLite says when the file cannot be opened or migrated; for the operator, at start only.
    pub async fn open(file: &Path, clock: Clock) -> Result<Self, sqlx::Error> {
        let connection = open::migrated(file).await?;
        Self::over(connection, file, clock).await
    }

    /// Opens a file that is there, and leaves its schema as it is: for the operator's commands, beside a service.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn open_as_it_is(file: &Path, clock: Clock) -> Result<Self, sqlx::Error> {
        let connection = open::as_it_is(file).await?;
        Self::over(connection, file, clock).await
    }

    async fn over(
        connection: SqliteConnection,
        file: &Path,
        clock: Clock,
    ) -> Result<Self, sqlx::Error> {
        let identity = Identity::of(file).map_err(sqlx::Error::Io)?;
        let options = open::writer_options(file);
        let writer = Writer::start(connection, options, identity.clone(), clock.clone());
        let reader = open::reader_options(file);
        Ok(Self {
            writer,
            identity,
            reads: Reader::start([File::new(reader.clone(), clock.clone())], ANSWER_WITHIN),
            look_ups: Reader::start([File::new(reader.clone(), clock.clone())], ANSWER_WITHIN),
            other: open::one_reader(reader).await?,
            clock,
        })
    }
}

#[async_trait]
impl Store for SqliteStore {
    /// Never: opening the file made its tables.
    async fn is_new(&self) -> Result<bool, StoreError> {
        Ok(false)
    }

    /// Done when the file was opened.
    async fn prepare(&self) -> Result<(), StoreError> {
        Ok(())
    }

    async fn bring_up(&self) -> Result<Option<Vec<Slot>>, StoreError> {
        self.owned_slots().await.map(Some)
    }

    async fn look_up(&self, slot: Slot, key_hash: &Hash) -> Result<LookUp, StoreError> {
        let key_hash = *key_hash;
        self.look_ups.ask(LookUpKey { slot, key_hash }).await
    }

    async fn create(&self, paste: NewPaste) -> Result<CreateOutcome, StoreError> {
        self.writer.create(paste).await
    }

    async fn read(&self, id: PasteId) -> Result<Option<LivePaste>, StoreError> {
        if_owned(self.reads.ask(Read(id)).await?)
    }

    async fn delete(&self, id: PasteId, token_hash: &Hash) -> Result<DeleteOutcome, StoreError> {
        self.writer.delete(id, *token_hash).await
    }

    async fn is_in_outbox(&self, id: PasteId) -> Result<bool, StoreError> {
        in_time(delete::is_in_outbox(&self.other, id)).await
    }

    async fn named(&self, object_keys: &[String]) -> Result<HashSet<String>, StoreError> {
        in_time(named::named(&self.other, object_keys)).await
    }

    async fn named_after_creates(
        &self,
        slot: Slot,
        object_keys: &[String],
    ) -> Result<HashSet<String>, StoreError> {
        let object_keys = object_keys.to_vec();
        self.writer
            .work(move |connection, _| {
                Box::pin(async move { named::after_creates(connection, slot, &object_keys).await })
            })
            .await
    }

    async fn owned_slots(&self) -> Result<Vec<Slot>, StoreError> {
        self.identity.check().map_err(unavailable)?;
        in_time(slots::owned(&self.other)).await
    }

    async fn claim_slots(&self, slots: &[Slot]) -> Result<bool, StoreError> {
        let slots = slots.to_vec();
        let work = self.writer.work(move |connection, _| {
            Box::pin(async move { slots::claim(connection, &slots).await.map(Ok) })
        });
        work.await
    }

    /// A file has no pool: each kind of work has a connection of its own.
    fn connections(&self) -> Connections {
        Connections::default()
    }

    async fn close(&self) {
        self.writer.close().await;
        self.reads.close().await;
        self.look_ups.close().await;
        self.other.close().await;
    }
}

/// What is asked over `other`, for no longer than anything else.
async fn in_time<T>(asked: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, StoreError> {
    let answered = timeout(ANSWER_WITHIN, asked).await;
    answered
        .map_err(|_| StoreError::Unavailable)?
        .map_err(unavailable)
}

/// Logs what a read failed of. The statement's parameters are not part of it.
fn unavailable(error: sqlx::Error) -> StoreError {
    tracing::warn!(error = %error, "a shard's file cannot be read");
    StoreError::Unavailable
}
