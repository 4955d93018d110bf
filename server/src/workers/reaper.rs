//! The reaper: removes orphans, which no row names and no row ever will, and what killed PUTs left behind.
//!
//! ```text
//!   a page of a slot's folder ──▶ old enough? ──▶ any row? ──▶ the slot's barrier ──▶ seen before? ──▶ kept in mind
//!                                  all slots ──▶ too many orphans? ──▶ removed
//! ```
//!
//! Whatever is in doubt is kept: a shard that does not answer, a barrier that is not reached, an object not seen long
//! enough, a share of orphans that says something is wrong with the rows and not with the objects.

use super::Worker;
use super::reaped::Reaped;
use super::sightings::Sightings;
use crate::blob::{Blob, FoundObject, Page};
use crate::clock::{Stopwatch, millis};
use crate::metrics::PassMetrics;
use crate::store::{Store, StoreError};
use app::wire::id::Slot;
use futures_util::future::join_all;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Mutex;

/// Objects removed at once.
const REMOVALS_AT_ONCE: usize = 8;

/// How long a service runs before its first pass: it has better things to do.
const BEFORE_THE_FIRST: Duration = Duration::from_secs(2 * 60);

/// Between two passes.
const REST: Duration = Duration::from_secs(60 * 60);

/// After a pass that could not see everything.
const REST_AFTER_DOUBT: Duration = Duration::from_secs(10 * 60);

/// When an orphan is removed.
#[derive(Clone, Copy, Debug)]
pub struct ReaperRules {
    /// How old it must be, by the store's own clock. Longer than a create may take.
    pub age_floor: Duration,
    /// How long ago an earlier pass must have seen it orphaned: at least ten create deadlines.
    pub sightings_apart: Duration,
    /// Whether a pass that sees an abnormal share of orphans removes nothing, nor one after it until all is seen again.
    pub brake: bool,
}

/// The reaper of one shard.
#[derive(Debug)]
pub struct Reaper {
    shard: usize,
    store: Arc<dyn Store>,
    blob: Blob,
    rules: ReaperRules,
    stopwatch: Stopwatch,
    sightings: Mutex<Sightings>,
    has_begun: AtomicBool,
}

impl Reaper {
    /// The reaper of a shard. The stopwatch measures how far sightings are apart.
    #[must_use]
    pub fn new(
        shard: usize,
        store: Arc<dyn Store>,
        blob: Blob,
        rules: ReaperRules,
        stopwatch: Stopwatch,
    ) -> Self {
        Self {
            shard,
            store,
            blob,
            rules,
            stopwatch,
            sightings: Mutex::default(),
            has_begun: AtomicBool::new(false),
        }
    }

    /// Goes once through the folders of all slots that the shard owns, and removes only then: the share of orphans that
    /// a pass sees is judged before it takes the first of them.
    pub async fn pass(&self) -> Reaped {
        let mut sightings = self.sightings.lock().await;
        let mut reaped = Reaped::default();
        let asked = tokio::join!(self.blob.now_ms(), self.store.owned_slots());
        let (Ok(store_now_ms), Ok(slots)) = asked else {
            reaped.braked = self.rules.brake && sightings.are_abnormal();
            reaped.slots_in_doubt = Slot::COUNT as u64;
            return reaped;
        };
        let written_before_ms = store_now_ms.saturating_sub(millis(self.rules.age_floor));
        let mut ripe = Vec::new();
        for slot in slots {
            let pass = SlotPass {
                reaper: self,
                slot,
                written_before_ms,
                seen_before: self.seen_before(),
            };
            pass.run(&mut sightings, &mut reaped, &mut ripe).await;
        }
        let may_remove = sightings.judge(&reaped) || !self.rules.brake;
        reaped.braked = self.rules.brake && sightings.are_abnormal();
        if may_remove {
            self.remove(&ripe, &mut sightings, &mut reaped).await;
        }
        self.report(&reaped);
        reaped
    }

    /// Removes orphans that were seen long enough ago.
    async fn remove(&self, ripe: &[Ripe], sightings: &mut Sightings, reaped: &mut Reaped) {
        for some in ripe.chunks(REMOVALS_AT_ONCE) {
            let removals = some.iter().map(async |(slot, orphan)| {
                let removed = self.blob.delete(orphan.key(*slot).as_str()).await;
                removed.is_ok().then_some((*slot, orphan.uuid))
            });
            for (slot, uuid) in join_all(removals).await.into_iter().flatten() {
                sightings.forget(slot, uuid);
                reaped.removed += 1;
            }
        }
    }

    /// Until when an orphan must have been seen. None in the first moments.
    fn seen_before(&self) -> Option<Duration> {
        let now = self.stopwatch.elapsed();
        now.checked_sub(self.rules.sightings_apart)
    }

    fn report(&self, reaped: &Reaped) {
        let Reaped {
            objects, orphans, ..
        } = *reaped;
        if reaped.braked {
            tracing::error!(
                shard = self.shard,
                objects,
                orphans,
                "the reaper removes nothing: too many objects have no row. Are these the right rows for these objects? \
                 See oncebin check --deep, and docs/check.md for --reaper-brake"
            );
        }
        if reaped.removed > 0 || reaped.staging_removed > 0 {
            tracing::info!(
                shard = self.shard,
                objects,
                orphans,
                removed = reaped.removed,
                staging_removed = reaped.staging_removed,
                "the reaper removed what nobody saved"
            );
        }
    }
}

impl Worker for Reaper {
    const NAME: &'static str = "reaper";

    async fn pass_and_rest(&self, metrics: &PassMetrics) -> Duration {
        if !self.has_begun.swap(true, Ordering::Relaxed) {
            return BEFORE_THE_FIRST;
        }
        let reaped = self.pass().await;
        reaped.count(metrics);
        if reaped.slots_in_doubt > 0 {
            REST_AFTER_DOUBT
        } else {
            REST
        }
    }
}

/// An orphan that was seen long enough ago. There are no more of them than sightings are remembered.
type Ripe = (Slot, FoundObject);

/// A pass over the folder of one slot.
struct SlotPass<'a> {
    reaper: &'a Reaper,
    slot: Slot,
    written_before_ms: i64,
    seen_before: Option<Duration>,
}

impl SlotPass<'_> {
    /// Notes the orphans, and adds those that were seen before. An object counts once its rows were asked for: the share
    /// of orphans is a share of what could be judged.
    async fn run(&self, sightings: &mut Sightings, reaped: &mut Reaped, ripe: &mut Vec<Ripe>) {
        let mut listing = self.reaper.blob.list(self.slot);
        let mut orphans = Vec::new();
        let settled = loop {
            match listing.next_page().await {
                Ok(None) => break true,
                Err(_) => break false,
                Ok(Some(page)) => {
                    self.remove_staging(&page, reaped).await;
                    match self.orphans(&page).await {
                        Ok(found) => orphans.extend(found),
                        Err(_) => break false,
                    }
                    reaped.objects += page.objects.len() as u64;
                }
            }
        };
        reaped.orphans += orphans.len() as u64;
        reaped.slots_in_doubt += u64::from(!settled);
        let now = self.reaper.stopwatch.elapsed();
        sightings.note(self.slot, &orphans, now, settled);
        if let Some(moment) = self.seen_before {
            let seen = orphans.into_iter();
            let seen = seen.filter(|orphan| sightings.has_seen(self.slot, orphan.uuid, moment));
            ripe.extend(seen.map(|orphan| (self.slot, orphan)));
        }
    }

    /// The objects of a page that are old enough, and that no row names once every create under way has ended.
    async fn orphans(&self, page: &Page) -> Result<Vec<FoundObject>, StoreError> {
        let old = page
            .objects
            .iter()
            .copied()
            .filter(|object| self.is_old(object.modified_ms));
        let old: Vec<_> = old.collect();
        let store = &self.reaper.store;
        // Most objects have their row, and need no barrier to be kept.
        let suspects = self
            .without(old, async |keys| store.named(keys).await)
            .await?;
        self.without(suspects, async |keys| {
            store.named_after_creates(self.slot, keys).await
        })
        .await
    }

    /// Those objects that are not among the ones a shard names.
    async fn without(
        &self,
        objects: Vec<FoundObject>,
        named: impl AsyncFnOnce(&[String]) -> Result<HashSet<String>, StoreError>,
    ) -> Result<Vec<FoundObject>, StoreError> {
        if objects.is_empty() {
            return Ok(objects);
        }
        let key = |object: &FoundObject| object.key(self.slot).as_str().to_owned();
        let keys: Vec<_> = objects.iter().map(key).collect();
        let named = named(&keys).await?;
        let unnamed = objects.into_iter().zip(keys);
        let unnamed = unnamed.filter(|(_, key)| !named.contains(key));
        Ok(unnamed.map(|(object, _)| object).collect())
    }

    /// What is staged has no name yet that a row could hold, so its age is enough.
    async fn remove_staging(&self, page: &Page, reaped: &mut Reaped) {
        for staging in &page.staging {
            if self.is_old(staging.modified_ms) {
                let removed = self.reaper.blob.remove_staging(self.slot, staging).await;
                reaped.staging_removed += u64::from(removed.is_ok());
            }
        }
    }

    fn is_old(&self, modified_ms: i64) -> bool {
        modified_ms <= self.written_before_ms
    }
}
