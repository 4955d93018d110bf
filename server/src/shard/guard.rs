//! A shard that is known to be unreachable answers at once.
//!
//! After a first failure the shard is marked down; a task asks it every second and marks it up again. Meanwhile its
//! slots are refused without waiting, so a dead shard costs the others nothing.

use super::StartError;
use super::admission::{self, Ownership};
use crate::clock::Clock;
use crate::metrics::{ShardFailure, ShardMetrics, ShardOperation};
use crate::store::outbox::{Backlog, Lease, Leased, Settled, Step};
use crate::store::{
    Connections, CreateOutcome, DeleteOutcome, Hash, LivePaste, LookUp, NewPaste, Pace, Store,
    StoreError, Upkeep,
};
use app::wire::id::{PasteId, Slot};
use async_trait::async_trait;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

/// How often a shard that is down is asked.
const ASK_EACH: Duration = Duration::from_secs(1);

/// How long it may take to answer. Not shorter: a migration needs its time.
const ASK_WITHIN: Duration = Duration::from_secs(10);

/// A store that remembers whether its shard can be reached.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    shard: usize,
    store: Arc<dyn Store>,
    slots: Arc<[Slot]>,
    down: Arc<AtomicBool>,
    closed: CancellationToken,
    metrics: ShardMetrics,
}

impl Guard {
    pub(super) fn new(
        shard: usize,
        store: Arc<dyn Store>,
        slots: Vec<Slot>,
        metrics: ShardMetrics,
    ) -> Self {
        Self {
            shard,
            store,
            slots: slots.into(),
            down: Arc::new(AtomicBool::new(false)),
            closed: CancellationToken::new(),
            metrics,
        }
    }

    /// The shard's place in the slot map.
    pub(super) fn shard(&self) -> usize {
        self.shard
    }

    /// Asks the shard what it owns, whatever is known of it.
    pub(super) async fn compare(&self) -> Result<Ownership, StartError> {
        let compared = admission::compare(self.shard, self.store.as_ref(), &self.slots);
        let compared = timeout(ASK_WITHIN, compared).await;
        compared.unwrap_or_else(|_| Err(self.unreachable()(StoreError::Unreachable)))
    }

    /// Says which shard it was that could not be asked.
    pub(super) fn unreachable(&self) -> impl Fn(StoreError) -> StartError + use<> {
        let shard = self.shard;
        move |cause| StartError::Unreachable { shard, cause }
    }

    /// Claims the slots that the map gives the shard.
    pub(super) async fn claim(&self) -> Result<(), StartError> {
        admission::claim(self.shard, self.store.as_ref(), &self.slots).await
    }

    /// Marks the shard down and begins to ask it, unless that is under way.
    pub(super) fn mark_down(&self) {
        if self.down.swap(true, Ordering::Relaxed) {
            return;
        }
        tracing::error!(shard = self.shard, "the shard is down");
        let guard = self.clone();
        tokio::spawn(async move { guard.closed.run_until_cancelled(guard.ask()).await });
    }

    /// Until the shard owns what the map gives it. One that comes back with nothing is not what was there before.
    async fn ask(&self) {
        let mut refused = String::new();
        loop {
            sleep(ASK_EACH).await;
            let refusal = match self.compare().await {
                Ok(Ownership::Agreed) => break,
                Ok(Ownership::Unclaimed | Ownership::New) => {
                    format!(
                        "shard {} owns no slots: is it the right database?",
                        self.shard
                    )
                }
                Err(error) => error.to_string(),
            };
            if refusal != refused {
                tracing::error!("{refusal}");
                refused = refusal;
            }
        }
        self.down.store(false, Ordering::Relaxed);
        tracing::info!(shard = self.shard, "the shard is up again");
    }

    /// Takes the figures that are not counted as they happen.
    pub(super) fn take_figures(&self) {
        let Connections { open, idle, limit } = self.store.connections();
        self.metrics
            .set_connections(open.saturating_sub(idle), idle, limit);
        self.metrics.set_up(!self.down.load(Ordering::Relaxed));
    }

    fn up(&self) -> Result<&dyn Store, StoreError> {
        if self.down.load(Ordering::Relaxed) {
            self.metrics.failed(ShardFailure::Unreachable);
            return Err(StoreError::Unreachable);
        }
        Ok(self.store.as_ref())
    }

    fn count<T>(&self, answer: Result<T, StoreError>) -> Result<T, StoreError> {
        if let Err(error) = &answer {
            self.metrics.failed(label(*error));
        }
        answer
    }

    fn watch<T>(&self, answer: Result<T, StoreError>) -> Result<T, StoreError> {
        let answer = self.count(answer);
        if matches!(answer, Err(StoreError::Unreachable)) {
            self.mark_down();
        }
        answer
    }

    /// [`Self::watch`] for what a request asked, from then on.
    fn measure<T>(
        &self,
        operation: ShardOperation,
        from: Instant,
        answer: Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.metrics.asked(operation, from.elapsed());
        self.watch(answer)
    }

    fn note_clock(&self, shard_now_ms: i64) {
        let ahead_ms = shard_now_ms.saturating_sub(Clock::system().now_ms());
        self.metrics.set_clock_offset_ms(ahead_ms);
    }
}

const fn label(error: StoreError) -> ShardFailure {
    match error {
        StoreError::Unreachable => ShardFailure::Unreachable,
        StoreError::Unavailable => ShardFailure::Unavailable,
        StoreError::NotOwned => ShardFailure::NotOwned,
        StoreError::Busy => ShardFailure::Busy,
        StoreError::Unknown => ShardFailure::Unknown,
    }
}

#[async_trait]
impl Store for Guard {
    async fn is_new(&self) -> Result<bool, StoreError> {
        self.watch(self.up()?.is_new().await)
    }

    async fn prepare(&self) -> Result<(), StoreError> {
        self.watch(self.up()?.prepare().await)
    }

    async fn bring_up(&self) -> Result<Option<Vec<Slot>>, StoreError> {
        self.watch(self.up()?.bring_up().await)
    }

    async fn look_up(&self, slot: Slot, key_hash: &Hash) -> Result<LookUp, StoreError> {
        let (store, from) = (self.up()?, Instant::now());
        let found = store.look_up(slot, key_hash).await;
        let found = self.measure(ShardOperation::LookUp, from, found)?;
        self.note_clock(found.now_ms);
        Ok(found)
    }

    async fn create(&self, paste: NewPaste) -> Result<CreateOutcome, StoreError> {
        let (store, from) = (self.up()?, Instant::now());
        let created = store.create(paste).await;
        self.measure(ShardOperation::Create, from, created)
    }

    async fn read(&self, id: PasteId) -> Result<Option<LivePaste>, StoreError> {
        let (store, from) = (self.up()?, Instant::now());
        let live = store.read(id).await;
        let live = self.measure(ShardOperation::Read, from, live)?;
        if let Some(live) = &live {
            self.note_clock(live.now_ms);
        }
        Ok(live)
    }

    async fn delete(&self, id: PasteId, token_hash: &Hash) -> Result<DeleteOutcome, StoreError> {
        let (store, from) = (self.up()?, Instant::now());
        let deleted = store.delete(id, token_hash).await;
        self.measure(ShardOperation::Delete, from, deleted)
    }

    async fn is_in_outbox(&self, id: PasteId) -> Result<bool, StoreError> {
        self.watch(self.up()?.is_in_outbox(id).await)
    }

    async fn named(&self, object_keys: &[String]) -> Result<HashSet<String>, StoreError> {
        self.watch(self.up()?.named(object_keys).await)
    }

    async fn named_after_creates(
        &self,
        slot: Slot,
        object_keys: &[String],
    ) -> Result<HashSet<String>, StoreError> {
        let named = self.up()?.named_after_creates(slot, object_keys);
        self.watch(named.await)
    }

    async fn owned_slots(&self) -> Result<Vec<Slot>, StoreError> {
        self.watch(self.up()?.owned_slots().await)
    }

    async fn claim_slots(&self, slots: &[Slot]) -> Result<bool, StoreError> {
        self.watch(self.up()?.claim_slots(slots).await)
    }

    fn connections(&self) -> Connections {
        self.store.connections()
    }

    async fn close(&self) {
        self.closed.cancel();
        self.store.close().await;
    }
}

#[async_trait]
impl Upkeep for Guard {
    async fn lease(
        &self,
        step: Step,
        rows_max: u32,
        lasts: Duration,
    ) -> Result<Vec<Leased>, StoreError> {
        self.watch(self.up()?.lease(step, rows_max, lasts).await)
    }

    async fn settle(&self, step: Step, settled: &[(Lease, Settled)]) -> Result<u64, StoreError> {
        self.watch(self.up()?.settle(step, settled).await)
    }

    async fn drop_purges(&self, rows_max: u32) -> Result<u64, StoreError> {
        self.watch(self.up()?.drop_purges(rows_max).await)
    }

    /// Never marks the shard down: it is asked by whoever looks at the operator's pages, however often, and what counts
    /// rows says nothing of what requests need.
    async fn backlog(&self) -> Result<Backlog, StoreError> {
        let backlog = self.count(self.up()?.backlog().await)?;
        self.metrics.set_outbox(backlog.rows, backlog.oldest_age);
        Ok(backlog)
    }

    fn sweep_pace(&self) -> Pace {
        self.store.sweep_pace()
    }

    async fn sweep_pastes(&self, rows_max: u32) -> Result<u64, StoreError> {
        self.watch(self.up()?.sweep_pastes(rows_max).await)
    }

    async fn sweep_keys(&self, rows_max: u32) -> Result<u64, StoreError> {
        self.watch(self.up()?.sweep_keys(rows_max).await)
    }
}
