//! Whether a shard may serve the slots that the map gives it.

use crate::store::{Store, StoreError};
use app::wire::id::Slot;

/// Why the service must not serve with this slot map. The text is for the operator.
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
    /// A shard is empty although another one is in use.
    #[error(
        "shard {shard} is empty, but shard {used} is in use: was its database lost, or another one meant? Pastes do \
         not move; start with the shards this data was made with"
    )]
    Lost {
        /// The empty shard's place in the slot map.
        shard: usize,
        /// The place of one that owns its slots.
        used: usize,
    },
    /// Slots are still to be claimed, and not every shard can be asked who owns them.
    #[error(
        "shard {shard} owns no slots yet, and shard {unreachable} cannot be asked: slots are claimed only while every \
         shard answers"
    )]
    NotAll {
        /// The place of the shard without slots in the slot map.
        shard: usize,
        /// The place of the one that does not answer.
        unreachable: usize,
    },
    /// Something else says that this is no first start.
    #[error("{0}")]
    NotFirst(String),
}

/// What a shard says of the slots that the map gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ownership {
    /// It owns them, and no others.
    Agreed,
    /// It owns none, but has tables: a first start prepares every shard before any of them claims.
    Unclaimed,
    /// It has never been a shard.
    New,
}

/// Asks a shard what it owns, and brings its schema up to date if it has one.
pub(super) async fn compare(
    shard: usize,
    store: &dyn Store,
    expected: &[Slot],
) -> Result<Ownership, StartError> {
    let unreachable = |cause| StartError::Unreachable { shard, cause };
    let Some(owned) = store.bring_up().await.map_err(unreachable)? else {
        return Ok(Ownership::New);
    };
    if owned.is_empty() {
        return Ok(Ownership::Unclaimed);
    }
    if owned == expected {
        return Ok(Ownership::Agreed);
    }
    Err(other_slots(shard, &owned, expected))
}

/// Claims the slots of an empty shard. Another server may have been first; then its claim must be the same.
pub(super) async fn claim(
    shard: usize,
    store: &dyn Store,
    expected: &[Slot],
) -> Result<(), StartError> {
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
#[must_use]
pub fn ranges(slots: &[Slot]) -> String {
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
