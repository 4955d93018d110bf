//! From a slot to the store of its shard, after every shard has confirmed the slot map.

use super::admission::Ownership;
use super::guard::Guard;
use super::{SlotMap, StartError};
use crate::metrics::ShardMetrics;
use crate::store::outbox::Backlog;
use crate::store::{Store, StoreError, Upkeep};
use app::wire::id::Slot;
use futures_util::future::join_all;
use std::sync::Arc;

/// The shards and the map that chooses one.
#[derive(Debug)]
pub struct ShardRouter {
    map: SlotMap,
    shards: Vec<Guard>,
}

impl ShardRouter {
    /// Compares the map with what every shard owns. On a first start, when they own nothing yet, each claims its slots.
    ///
    /// A shard that cannot be reached is marked down: the others are served, and it follows when it answers.
    /// `may_be_first` is asked where no shard owns a slot.
    ///
    /// # Errors
    /// [`StartError`] when a shard owns other slots, or none beside one that is in use; when none can be reached, or,
    /// on a first start, any cannot, or it may not be the first. Nothing is claimed then.
    pub async fn start(
        map: SlotMap,
        stores: Vec<Arc<dyn Store>>,
        metrics: &[ShardMetrics],
        may_be_first: impl Future<Output = Result<(), String>>,
    ) -> Result<Self, StartError> {
        let stores = stores.into_iter().zip(metrics).enumerate();
        let shards: Vec<_> = stores
            .map(|(shard, (store, metrics))| {
                Guard::new(shard, store, map.slots(shard), metrics.clone())
            })
            .collect();
        let found = Found::ask(&shards).await?;
        found.claim(may_be_first).await?;
        for guard in found.unreachable {
            guard.mark_down();
        }
        Ok(Self { map, shards })
    }

    /// The place in the slot map of the shard that owns a slot.
    #[must_use]
    pub fn shard(&self, slot: Slot) -> usize {
        self.map.shard(slot)
    }

    /// The store of the shard that owns a slot.
    #[must_use]
    pub fn store(&self, slot: Slot) -> &dyn Store {
        &self.shards[self.map.shard(slot)]
    }

    /// Every shard's store, in the order of the slot map. One whose shard is down answers so at once.
    pub fn stores(&self) -> impl Iterator<Item = Arc<dyn Store>> {
        let stores = self.shards.iter().cloned();
        stores.map(|guard| Arc::new(guard) as Arc<dyn Store>)
    }

    /// Asks every shard, all at once, whether it answers.
    pub async fn probe(&self) -> Vec<Result<(), StoreError>> {
        let asked = self.shards.iter().map(Store::owned_slots);
        let answers = join_all(asked).await;
        answers.into_iter().map(|answer| answer.map(drop)).collect()
    }

    /// Asks every shard, all at once, which deletions are still to be carried out.
    pub async fn backlogs(&self) -> Vec<Result<Backlog, StoreError>> {
        join_all(self.shards.iter().map(Upkeep::backlog)).await
    }

    /// Takes the figures of every shard that are not counted as they happen.
    pub fn take_figures(&self) {
        self.shards.iter().for_each(Guard::take_figures);
    }

    /// Finishes what was begun on every shard.
    pub async fn close(&self) {
        join_all(self.shards.iter().map(Store::close)).await;
    }
}

/// How the shards were found at start.
#[derive(Debug, Default)]
struct Found<'a> {
    agreed: Vec<&'a Guard>,
    unclaimed: Vec<&'a Guard>,
    new: Vec<&'a Guard>,
    unreachable: Vec<&'a Guard>,
}

impl<'a> Found<'a> {
    /// Asks all shards at once.
    async fn ask(shards: &'a [Guard]) -> Result<Self, StartError> {
        let mut found = Self::default();
        let mut failure = None;
        let answers = join_all(shards.iter().map(Guard::compare)).await;
        for (guard, answer) in shards.iter().zip(answers) {
            match answer {
                Ok(Ownership::Agreed) => found.agreed.push(guard),
                Ok(Ownership::Unclaimed) => found.unclaimed.push(guard),
                Ok(Ownership::New) => found.new.push(guard),
                Err(error @ StartError::Unreachable { .. }) => {
                    found.unreachable.push(guard);
                    failure = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
        match failure {
            Some(error) if found.unreachable.len() == shards.len() => Err(error),
            _ => Ok(found),
        }
    }

    /// Has the shards without slots claim theirs.
    ///
    /// Every shard is prepared before any of them claims. So beside one that is in use, one that was never prepared is
    /// not a first start that was cut short: it stands where a database was lost. Served, it would answer 404 for the
    /// pastes of that database, and save a second paste for its keys. Nor is anything claimed while a shard cannot be
    /// asked: it may own the same slots.
    async fn claim(
        &self,
        may_be_first: impl Future<Output = Result<(), String>>,
    ) -> Result<(), StartError> {
        let empty = || self.new.iter().chain(&self.unclaimed);
        let Some(first) = empty().next() else {
            return Ok(());
        };
        if let Some(unreachable) = self.unreachable.first() {
            return Err(StartError::NotAll {
                shard: first.shard(),
                unreachable: unreachable.shard(),
            });
        }
        if self.agreed.is_empty()
            && let Err(why) = may_be_first.await
        {
            self.refuse_all_lost(why).await?;
        }
        for guard in &self.new {
            self.refuse_lost(guard).await?;
        }
        for guard in empty() {
            guard.prepare().await.map_err(guard.unreachable())?;
        }
        for guard in empty() {
            guard.claim().await?;
        }
        Ok(())
    }

    /// Asks again, because a server that starts at the same time may have claimed its slots and saved a text meanwhile.
    async fn refuse_all_lost(&self, why: String) -> Result<(), StartError> {
        for guard in self.new.iter().chain(&self.unclaimed) {
            if guard.compare().await? == Ownership::Agreed {
                return Ok(());
            }
        }
        Err(StartError::NotFirst(why))
    }

    /// Asks again, because a server that starts at the same time may have prepared it meanwhile.
    async fn refuse_lost(&self, guard: &Guard) -> Result<(), StartError> {
        let Some(used) = self.agreed.first() else {
            return Ok(());
        };
        if guard.is_new().await.map_err(guard.unreachable())? {
            return Err(StartError::Lost {
                shard: guard.shard(),
                used: used.shard(),
            });
        }
        Ok(())
    }
}
