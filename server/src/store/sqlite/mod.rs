//! A shard in one SQLite file: one writer that commits in groups, and a pool of readers.
//!
//! The shard's clock is this machine's: the file has no other. Writes read it after the writer lock is held.

mod create;
mod delete;
mod look_up;
mod open;
mod read;
mod slots;
mod writer;

use super::{
    Connections, CreateOutcome, DeleteOutcome, Hash, LivePaste, LookUp, NewPaste, Store,
    StoreError, if_owned,
};
use crate::clock::Clock;
use app::wire::id::{PasteId, Slot};
use async_trait::async_trait;
use sqlx::SqlitePool;
use std::path::Path;
use writer::Writer;

/// One SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    readers: SqlitePool,
    writer: Writer,
    clock: Clock,
}

impl SqliteStore {
    /// Opens the file, makes it if it is missing, and brings its schema up to date.
    ///
    /// # Errors
    /// What SQLite says when the file cannot be opened or migrated; for the operator, at start only.
    pub async fn open(file: &Path, clock: Clock) -> Result<Self, sqlx::Error> {
        let connection = open::migrated(file).await?;
        let writer = Writer::start(connection, open::writer_options(file), clock.clone());
        let readers = open::readers(file).await?;
        Ok(Self {
            readers,
            writer,
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

    async fn look_up(&self, slot: Slot, key_hash: &Hash) -> Result<LookUp, StoreError> {
        look_up::look_up(&self.readers, self.clock.now_ms(), slot, key_hash)
            .await
            .map_err(unavailable)
    }

    async fn create(&self, paste: NewPaste) -> Result<CreateOutcome, StoreError> {
        self.writer.create(paste).await
    }

    async fn read(&self, id: PasteId) -> Result<Option<LivePaste>, StoreError> {
        let found = read::read(&self.readers, self.clock.now_ms(), id).await;
        if_owned(found.map_err(unavailable)?)
    }

    async fn delete(&self, id: PasteId, token_hash: &Hash) -> Result<DeleteOutcome, StoreError> {
        self.writer.delete(id, *token_hash).await
    }

    async fn is_in_outbox(&self, id: PasteId) -> Result<bool, StoreError> {
        delete::is_in_outbox(&self.readers, id)
            .await
            .map_err(unavailable)
    }

    async fn owned_slots(&self) -> Result<Vec<Slot>, StoreError> {
        slots::owned(&self.readers).await.map_err(unavailable)
    }

    async fn claim_slots(&self, slots: &[Slot]) -> Result<bool, StoreError> {
        self.writer.claim(slots.to_vec()).await
    }

    /// The readers'. The writer has one of its own.
    fn connections(&self) -> Connections {
        Connections::of(&self.readers)
    }

    async fn close(&self) {
        self.writer.close().await;
        self.readers.close().await;
    }
}

/// Logs what a read failed of. The statement's parameters are not part of it.
fn unavailable(error: sqlx::Error) -> StoreError {
    tracing::warn!(error = %error, "a shard's file cannot be read");
    StoreError::Unavailable
}
