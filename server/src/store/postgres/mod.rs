//! A shard on a PostgreSQL primary. The shard's clock is the database's.

mod abandoned;
mod create;
mod delete;
mod leader;
mod look_up;
mod meaning;
mod named;
mod open;
mod operator;
mod outbox;
mod places;
mod pool;
mod pulse;
mod read;
mod session;
mod slots;
mod source;
mod sweep;
mod upkeep;
mod worker;

pub use meaning::Meaning;
pub use session::Limits;

use super::reader::Reader;
use super::{
    Connections, CreateOutcome, DeleteOutcome, Hash, LivePaste, LookUp, NewPaste, Store,
    StoreError, if_owned,
};
use crate::jitter::pause;
use crate::metrics::SqlMetrics;
use app::wire::id::{PasteId, Slot};
use async_trait::async_trait;
use look_up::LookUpKey;
use pool::NoAnswer;
use read::Read;
use session::Sessions;
use source::Session;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

/// A create or delete rolled back for another's sake (40001, 40P01) is sent this often in all.
const CONFLICTS_MAX: u32 = 4;

/// The longest pause before it is sent again.
const CONFLICT_PAUSE_MAX: Duration = Duration::from_millis(20);

/// How long a read is waited for, a wait for those before it included: longer than the sessions' own patience, which
/// tells why there is no answer.
const READ_WITHIN: Duration = session::READ.wait.saturating_add(Duration::from_secs(1));

/// One PostgreSQL database.
#[derive(Debug)]
pub struct PostgresStore {
    reads: Reader<Session<Read>>,
    look_ups: Reader<Session<LookUpKey>>,
    sessions: Arc<Sessions>,
}

impl PostgresStore {
    /// The shard at a URL. Nothing is connected yet.
    ///
    /// # Errors
    /// When the URL cannot be read; the error may quote it, so it is for nobody but the operator.
    pub fn new(url: &str) -> Result<Self, sqlx::Error> {
        Self::measured(url, SqlMetrics::default())
    }

    /// [`Self::new`] with other limits than the service's.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_limits(url: &str, limits: Limits) -> Result<Self, sqlx::Error> {
        Self::with(url, limits, SqlMetrics::default())
    }

    /// [`Self::new`] that counts what its statements end with.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn measured(url: &str, metrics: SqlMetrics) -> Result<Self, sqlx::Error> {
        Self::with(url, Limits::default(), metrics)
    }

    fn with(url: &str, limits: Limits, metrics: SqlMetrics) -> Result<Self, sqlx::Error> {
        let sessions = Arc::new(Sessions::new(open::options(url)?, limits, metrics));
        Ok(Self {
            reads: Reader::start(Session::all(&sessions), READ_WITHIN),
            look_ups: Reader::start(Session::all(&sessions), READ_WITHIN),
            sessions,
        })
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn is_new(&self) -> Result<bool, StoreError> {
        self.sessions.is_new().await.map_err(unprepared)
    }

    async fn prepare(&self) -> Result<(), StoreError> {
        self.sessions.migrate().await.map_err(unprepared)
    }

    async fn bring_up(&self) -> Result<Option<Vec<Slot>>, StoreError> {
        self.sessions.bring_up().await.map_err(unprepared)
    }

    async fn look_up(&self, slot: Slot, key_hash: &Hash) -> Result<LookUp, StoreError> {
        let key_hash = *key_hash;
        self.look_ups.ask(LookUpKey { slot, key_hash }).await
    }

    async fn create(&self, paste: NewPaste) -> Result<CreateOutcome, StoreError> {
        let paste = Arc::new(paste);
        for _ in 0..CONFLICTS_MAX {
            let paste = Arc::clone(&paste);
            let commit = self.sessions.commit(move |connection| {
                let paste = Arc::clone(&paste);
                Box::pin(async move { create::create(connection, &paste).await })
            });
            match commit.await {
                Err(NoAnswer::Meaning(Meaning::Conflict)) => pause(CONFLICT_PAUSE_MAX).await,
                Err(NoAnswer::Meaning(meaning)) => return meaning.of_create(),
                Err(NoAnswer::Abandoned) => return Err(StoreError::Unknown),
                Ok(outcome) => return Ok(outcome),
            }
        }
        Err(StoreError::Unavailable)
    }

    async fn read(&self, id: PasteId) -> Result<Option<LivePaste>, StoreError> {
        if_owned(self.reads.ask(Read(id)).await?)
    }

    /// 40001 means that another delete, or the sweeper, was first. Paste rows are never updated, so the next attempt
    /// finds no row and settles it.
    async fn delete(&self, id: PasteId, token_hash: &Hash) -> Result<DeleteOutcome, StoreError> {
        let token_hash = *token_hash;
        for _ in 0..CONFLICTS_MAX {
            let commit = self
                .sessions
                .commit(move |connection| Box::pin(delete::delete(connection, id, token_hash)));
            match commit.await {
                Err(NoAnswer::Meaning(Meaning::Conflict)) => pause(CONFLICT_PAUSE_MAX).await,
                Err(NoAnswer::Meaning(meaning)) => return Err(meaning.of_statement()),
                Err(NoAnswer::Abandoned) => return Err(StoreError::Unknown),
                Ok(found) => return if_owned(found),
            }
        }
        Err(StoreError::Unavailable)
    }

    async fn is_in_outbox(&self, id: PasteId) -> Result<bool, StoreError> {
        let read = self
            .sessions
            .read(move |connection| Box::pin(delete::is_in_outbox(connection, id)));
        read.await.map_err(read_failed)
    }

    async fn named(&self, object_keys: &[String]) -> Result<HashSet<String>, StoreError> {
        let object_keys: Arc<[String]> = object_keys.into();
        let read = self.sessions.read(move |connection| {
            let object_keys = Arc::clone(&object_keys);
            Box::pin(async move { named::named(connection, &object_keys).await })
        });
        read.await.map_err(read_failed)
    }

    async fn named_after_creates(
        &self,
        slot: Slot,
        object_keys: &[String],
    ) -> Result<HashSet<String>, StoreError> {
        let object_keys: Arc<[String]> = object_keys.into();
        let commit = self.sessions.commit(move |connection| {
            let object_keys = Arc::clone(&object_keys);
            Box::pin(async move { named::after_creates(connection, slot, &object_keys).await })
        });
        if_owned(commit.await.map_err(commit_failed)?)
    }

    async fn owned_slots(&self) -> Result<Vec<Slot>, StoreError> {
        let read = self
            .sessions
            .read(|connection| Box::pin(slots::owned(connection)));
        read.await.map_err(read_failed)
    }

    async fn claim_slots(&self, slots: &[Slot]) -> Result<bool, StoreError> {
        let slots = slots.to_vec();
        let commit = self
            .sessions
            .commit(move |connection| Box::pin(slots::claim(connection, slots.clone())));
        commit.await.map_err(commit_failed)
    }

    fn connections(&self) -> Connections {
        self.sessions.connections()
    }

    async fn close(&self) {
        self.reads.close().await;
        self.look_ups.close().await;
        self.sessions.close().await;
    }
}

/// Whatever is wrong, the shard cannot be used.
fn unprepared(error: sqlx::Error) -> StoreError {
    tracing::warn!(error = %error, "a shard cannot be prepared");
    StoreError::Unreachable
}

/// A commit that is not answered may have happened.
fn commit_failed(no_answer: NoAnswer) -> StoreError {
    match no_answer {
        NoAnswer::Meaning(meaning) => meaning.of_statement(),
        NoAnswer::Abandoned => StoreError::Unknown,
    }
}

/// A read changes nothing, so its outcome is never unknown: a lost one did not happen.
fn read_failed(no_answer: NoAnswer) -> StoreError {
    match no_answer {
        NoAnswer::Abandoned | NoAnswer::Meaning(Meaning::Lost) => StoreError::Unreachable,
        NoAnswer::Meaning(meaning) => meaning.of_statement(),
    }
}
