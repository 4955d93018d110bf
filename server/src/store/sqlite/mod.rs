//! A shard in one SQLite file: one writer that commits in groups, and readers that answer in groups.
//!
//! The shard's clock is this machine's: the file has no other. Writes read it after the writer lock is held.

mod create;
mod delete;
mod look_up;
mod open;
mod read;
mod reader;
mod slots;
mod writer;

use super::{
    CreateOutcome, DeleteOutcome, Hash, LivePaste, LookUp, NewPaste, Store, StoreError, if_owned,
};
use crate::clock::Clock;
use app::wire::id::{PasteId, Slot};
use async_trait::async_trait;
use look_up::LookUpKey;
use read::Read;
use reader::Reader;
use sqlx::SqlitePool;
use std::path::Path;
use writer::Writer;

/// One SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    writer: Writer,
    reads: Reader<Read>,
    look_ups: Reader<LookUpKey>,
    /// For what is asked now and then.
    other: SqlitePool,
}

impl SqliteStore {
    /// Opens the file, makes it if it is missing, and brings its schema up to date.
    ///
    /// # Errors
    /// What SQLite says when the file cannot be opened or migrated; for the operator, at start only.
    pub async fn open(file: &Path, clock: Clock) -> Result<Self, sqlx::Error> {
        let connection = open::migrated(file).await?;
        let writer = Writer::start(connection, open::writer_options(file), clock.clone());
        let reader = open::reader_options(file);
        Ok(Self {
            writer,
            reads: Reader::start(reader.clone(), clock.clone()),
            look_ups: Reader::start(reader.clone(), clock),
            other: open::one_reader(reader).await?,
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
        delete::is_in_outbox(&self.other, id)
            .await
            .map_err(unavailable)
    }

    async fn owned_slots(&self) -> Result<Vec<Slot>, StoreError> {
        slots::owned(&self.other).await.map_err(unavailable)
    }

    async fn claim_slots(&self, slots: &[Slot]) -> Result<bool, StoreError> {
        self.writer.claim(slots.to_vec()).await
    }

    async fn close(&self) {
        self.writer.close().await;
        self.reads.close().await;
        self.look_ups.close().await;
        self.other.close().await;
    }
}

/// Logs what a read failed of. The statement's parameters are not part of it.
fn unavailable(error: sqlx::Error) -> StoreError {
    tracing::warn!(error = %error, "a shard's file cannot be read");
    StoreError::Unavailable
}
