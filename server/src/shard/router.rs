//! From a slot to the store of its shard, after every shard has confirmed the slot map.

use super::SlotMap;
use crate::store::{Store, StoreError};
use app::wire::id::Slot;
use std::sync::Arc;

/// The stores of all shards and the map that chooses one.
#[derive(Debug)]
pub struct ShardRouter {
    map: SlotMap,
    stores: Vec<Arc<dyn Store>>,
}

/// Why the service must not start with this slot map. The text is for the operator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// A shard cannot be asked which slots it owns.
    #[error("shard {shard} cannot be asked which slots it owns: {cause}")]
    Unreachable {
        /// The shard's place in the slot map.
        shard: usize,
        /// Why.
        cause: StoreError,
    },
    /// A shard owns other slots than the map says.
    #[error(
        "shard {shard} owns slots {owned}, but the slot map gives it {expected}: was the number or order of shards \
         changed? Pastes do not move; start with the shards this data was made with"
    )]
    OtherSlots {
        /// The shard's place in the slot map.
        shard: usize,
        /// What its table says.
        owned: String,
        /// What the map says.
        expected: String,
    },
}

impl ShardRouter {
    /// Compares the map with what every shard owns, then lets empty shards claim their slots.
    ///
    /// # Errors
    /// [`StartError`] when a shard cannot be asked or owns other slots. Nothing is claimed then.
    pub async fn start(map: SlotMap, stores: Vec<Arc<dyn Store>>) -> Result<Self, StartError> {
        let mut unclaimed = Vec::new();
        for (shard, store) in stores.iter().enumerate() {
            let unreachable = |cause| StartError::Unreachable { shard, cause };
            let owned = store.owned_slots().await.map_err(unreachable)?;
            let expected = map.slots(shard);
            if owned.is_empty() {
                unclaimed.push((shard, expected));
            } else if owned != expected {
                return Err(other_slots(shard, &owned, &expected));
            }
        }
        for (shard, expected) in unclaimed {
            claim(shard, stores[shard].as_ref(), &expected).await?;
        }
        Ok(Self { map, stores })
    }

    /// The store of the shard that owns a slot.
    #[must_use]
    pub fn store(&self, slot: Slot) -> &dyn Store {
        self.stores[self.map.shard(slot)].as_ref()
    }

    /// Asks every shard, in order, whether it answers.
    pub async fn probe(&self) -> Vec<Result<(), StoreError>> {
        let mut answers = Vec::with_capacity(self.stores.len());
        for store in &self.stores {
            answers.push(store.owned_slots().await.map(drop));
        }
        answers
    }

    /// Finishes what was begun on every shard.
    pub async fn close(&self) {
        for store in &self.stores {
            store.close().await;
        }
    }
}

/// Claims the slots of an empty shard. Another server may have been first; then its claim must be the same.
async fn claim(shard: usize, store: &dyn Store, expected: &[Slot]) -> Result<(), StartError> {
    let unreachable = |cause| StartError::Unreachable { shard, cause };
    if store.claim_slots(expected).await.map_err(unreachable)? {
        return Ok(());
    }
    let owned = store.owned_slots().await.map_err(unreachable)?;
    if owned == expected {
        return Ok(());
    }
    Err(other_slots(shard, &owned, expected))
}

fn other_slots(shard: usize, owned: &[Slot], expected: &[Slot]) -> StartError {
    StartError::OtherSlots {
        shard,
        owned: ranges(owned),
        expected: ranges(expected),
    }
}

/// Slots as an operator writes them: `0-63,70`.
fn ranges(slots: &[Slot]) -> String {
    slots
        .chunk_by(|a, b| u16::from(a.number()) + 1 == u16::from(b.number()))
        .map(|run| match run {
            [only] => only.to_string(),
            [first, .., last] => format!("{first}-{last}"),
            [] => String::new(),
        })
        .collect::<Vec<_>>()
        .join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_written_as_ranges() {
        let slots: Vec<_> = [0, 1, 2, 70, 254, 255].map(Slot::new).to_vec();
        assert_eq!(ranges(&slots), "0-2,70,254-255");
    }
}
