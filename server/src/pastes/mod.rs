//! The use cases: create, read, delete. They know neither HTTP nor SQL.

mod create;
mod deadline;
mod delete;
mod digest;
mod key;
mod mint;
mod policy;
mod probe;
mod read;
mod request;
mod sealed;

pub use create::{CreateOutcome, Found};
pub use deadline::{CREATE_DEADLINE, create_deadline};
pub use delete::DeleteOutcome;
pub use key::{IdempotencyKey, NotAKey};
pub use policy::{Policy, Refusal};
pub use probe::Probe;
pub use read::{Paste, ReadOutcome};
pub use request::SaveRequest;
pub use sealed::StoredAnswer;

pub use crate::store::outbox::{BACKLOG_MAX, Backlog};

use crate::blob::{Blob, BlobError};
use crate::cache::OriginCache;
use crate::metrics::Metrics;
use crate::shard::ShardRouter;
use crate::store::StoreError;
use app::wire::id::Slot;
use probe::Probes;
use std::sync::Arc;

/// The pastes of the service. Clones share everything.
#[derive(Clone, Debug)]
pub struct Pastes {
    router: Arc<ShardRouter>,
    blob: Blob,
    cache: OriginCache,
    metrics: Arc<Metrics>,
    policy: Arc<Policy>,
    probes: Arc<Probes>,
    /// The public address of the service without a slash at its end.
    base_url: Arc<str>,
}

/// Why a use case could not be carried out; nothing the client did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PastesError {
    /// The shard that owns the slot cannot be asked, or could not settle the request in time.
    #[error("the shard cannot be asked")]
    ShardUnavailable,
    /// The object store cannot be asked, or has lost the object of a live row.
    #[error("the object store cannot be asked")]
    StoreUnavailable,
    /// A bug, or a damaged row.
    #[error("internal")]
    Internal,
}

impl From<StoreError> for PastesError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unreachable
            | StoreError::Unavailable
            | StoreError::NotOwned
            | StoreError::Busy
            | StoreError::Unknown => Self::ShardUnavailable,
        }
    }
}

impl From<BlobError> for PastesError {
    fn from(error: BlobError) -> Self {
        match error {
            BlobError::Missing | BlobError::Unavailable => Self::StoreUnavailable,
        }
    }
}

impl Pastes {
    /// The pastes behind a router and an object store.
    #[must_use]
    pub fn new(
        router: Arc<ShardRouter>,
        blob: Blob,
        metrics: Arc<Metrics>,
        policy: Policy,
        base_url: &str,
    ) -> Self {
        Self {
            router,
            blob,
            cache: OriginCache::new(),
            metrics,
            policy: Arc::new(policy),
            probes: Arc::default(),
            base_url: base_url.trim_end_matches('/').into(),
        }
    }

    /// The limits in force.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Asks every shard and the object store whether they answer.
    pub async fn probe(&self) -> Probe {
        let probe = async {
            let (shards, objects) = tokio::join!(self.router.probe(), self.blob.probe());
            Probe { shards, objects }
        };
        self.probes.ask(probe).await
    }

    /// Which deletions are still to be carried out, for each shard that answers, in the order of the slot map.
    pub async fn backlogs(&self) -> Vec<Option<Backlog>> {
        let backlogs = self.router.backlogs().await;
        backlogs.into_iter().map(Result::ok).collect()
    }

    /// Takes the figures of shards and cache that are not counted as they happen.
    pub fn take_figures(&self) {
        self.router.take_figures();
        let cache = self.cache.figures();
        self.metrics
            .cache
            .set(cache.hits, cache.misses, cache.held_bytes);
    }

    /// The number of the shard that owns a slot.
    #[must_use]
    pub fn shard(&self, slot: Slot) -> usize {
        self.router.shard(slot)
    }

    /// Where people read a paste.
    #[must_use]
    pub fn url(&self, id: app::wire::id::PasteId) -> String {
        format!("{}/{id}", self.base_url)
    }
}
