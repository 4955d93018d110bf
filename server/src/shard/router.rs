//! From a slot to the store of its shard, after every shard has confirmed the slot map.

use super::admission::{claim, compare};
use super::guard::Guard;
use super::{SlotMap, StartError};
use crate::store::{Store, StoreError};
use app::wire::id::Slot;
use std::sync::Arc;

/// The shards and the map that chooses one.
#[derive(Debug)]
pub struct ShardRouter {
    map: SlotMap,
    shards: Vec<Guard>,
}

impl ShardRouter {
    /// Compares the map with what every shard owns, then lets empty shards claim their slots.
    ///
    /// A shard that cannot be reached is marked down: the others are served, and it follows when it answers.
    ///
    /// # Errors
    /// [`StartError`] when a shard owns other slots, or when none can be reached. Nothing is claimed then.
    pub async fn start(map: SlotMap, stores: Vec<Arc<dyn Store>>) -> Result<Self, StartError> {
        let stores = stores.into_iter().enumerate();
        let shards: Vec<_> = stores
            .map(|(shard, store)| Guard::new(shard, store, map.slots(shard)))
            .collect();
        let mut unclaimed = Vec::new();
        let mut unreachable = Vec::new();
        for (shard, guard) in shards.iter().enumerate() {
            match compare(shard, guard.store(), &map.slots(shard)).await {
                Ok(true) => {}
                Ok(false) => unclaimed.push(shard),
                Err(error @ StartError::Unreachable { .. }) => unreachable.push((shard, error)),
                Err(error) => return Err(error),
            }
        }
        if unreachable.len() == shards.len()
            && let Some((_, error)) = unreachable.pop()
        {
            return Err(error);
        }
        for shard in unclaimed {
            claim(shard, shards[shard].store(), &map.slots(shard)).await?;
        }
        for (shard, _) in unreachable {
            shards[shard].mark_down();
        }
        Ok(Self { map, shards })
    }

    /// The store of the shard that owns a slot.
    #[must_use]
    pub fn store(&self, slot: Slot) -> &dyn Store {
        &self.shards[self.map.shard(slot)]
    }

    /// Asks every shard, all at once, whether it answers.
    pub async fn probe(&self) -> Vec<Result<(), StoreError>> {
        let asked = self.shards.iter().map(Store::owned_slots);
        let answers = futures_util::future::join_all(asked).await;
        answers.into_iter().map(|answer| answer.map(drop)).collect()
    }

    /// Finishes what was begun on every shard.
    pub async fn close(&self) {
        futures_util::future::join_all(self.shards.iter().map(Store::close)).await;
    }
}
