//! The slot map: a pure table from 256 slots to shards.

use app::wire::id::Slot;
use std::ops::RangeInclusive;

/// For each slot the index of the shard that owns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotMap {
    shard_of_slot: Vec<usize>,
}

/// Why a slot map is refused. The text is for the operator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// No shard at all, or more than there are slots.
    #[error("a slot map has 1 to 256 shards, not {0}")]
    ShardCount(usize),
    /// Text that is not `FIRST-LAST` or one slot.
    #[error("`{0}` is not a slot range: write FIRST-LAST with 0 to 255, such as 0-99")]
    NotARange(String),
    /// Two shards for one slot.
    #[error("slot {0} is given to two shards")]
    Twice(u8),
    /// A slot without a shard.
    #[error("slot {0} is given to no shard; all of 0 to 255 must be")]
    Missing(u8),
}

impl SlotMap {
    /// The map in which each shard, in order, owns these ranges.
    ///
    /// # Errors
    /// [`MapError`] unless every slot has exactly one shard.
    pub fn from_ranges(ranges: &[RangeInclusive<u8>]) -> Result<Self, MapError> {
        let mut owners = [None; Slot::COUNT];
        for (shard, range) in ranges.iter().enumerate() {
            for number in range.clone() {
                let owner = &mut owners[usize::from(number)];
                if owner.replace(shard).is_some() {
                    return Err(MapError::Twice(number));
                }
            }
        }
        let shard_of_slot = (0..=u8::MAX)
            .zip(owners)
            .map(|(number, owner)| owner.ok_or(MapError::Missing(number)))
            .collect::<Result<_, _>>()?;
        Ok(Self { shard_of_slot })
    }

    /// The index of the shard that owns a slot.
    #[must_use]
    pub fn shard(&self, slot: Slot) -> usize {
        self.shard_of_slot[usize::from(slot.number())]
    }

    /// The slots of a shard, ascending.
    #[must_use]
    pub fn slots(&self, shard: usize) -> Vec<Slot> {
        Slot::all()
            .filter(|slot| self.shard(*slot) == shard)
            .collect()
    }
}

/// The ranges of `shards` shards that divide the slots evenly, in order.
///
/// # Errors
/// [`MapError::ShardCount`] unless there are 1 to 256 shards.
pub fn even_split(shards: usize) -> Result<Vec<RangeInclusive<u8>>, MapError> {
    if !(1..=Slot::COUNT).contains(&shards) {
        return Err(MapError::ShardCount(shards));
    }
    let edge = |shard: usize| shard * Slot::COUNT / shards;
    (0..shards)
        .map(|shard| Ok(number(edge(shard))?..=number(edge(shard + 1) - 1)?))
        .collect()
}

/// The range that `FIRST-LAST`, or one slot, spells.
///
/// # Errors
/// [`MapError::NotARange`] for anything else, or a range that runs backwards.
pub fn parse_range(text: &str) -> Result<RangeInclusive<u8>, MapError> {
    let wrong = || MapError::NotARange(text.to_owned());
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let first: u8 = first.trim().parse().map_err(|_| wrong())?;
    let last: u8 = last.trim().parse().map_err(|_| wrong())?;
    if first > last {
        return Err(wrong());
    }
    Ok(first..=last)
}

fn number(slot: usize) -> Result<u8, MapError> {
    u8::try_from(slot).map_err(|_| MapError::ShardCount(slot))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_shards_own_a_quarter_each_in_order() {
        assert_eq!(
            even_split(4).unwrap(),
            [0..=63, 64..=127, 128..=191, 192..=255]
        );
    }

    #[test]
    fn any_number_of_shards_covers_every_slot_once() {
        for shards in 1..=256 {
            let map = SlotMap::from_ranges(&even_split(shards).unwrap()).unwrap();
            let owned: usize = (0..shards).map(|shard| map.slots(shard).len()).sum();
            assert_eq!(owned, 256);
            assert!((0..shards).all(|shard| !map.slots(shard).is_empty()));
        }
    }

    #[test]
    fn gaps_overlaps_and_wrong_counts_are_refused() {
        assert_eq!(
            SlotMap::from_ranges(&[0..=99, 101..=255]),
            Err(MapError::Missing(100))
        );
        assert_eq!(
            SlotMap::from_ranges(&[0..=99, 99..=255]),
            Err(MapError::Twice(99))
        );
        assert_eq!(even_split(0), Err(MapError::ShardCount(0)));
        assert_eq!(even_split(257), Err(MapError::ShardCount(257)));
    }

    #[test]
    fn ranges_are_read() {
        assert_eq!(parse_range("0-99"), Ok(0..=99));
        assert_eq!(parse_range("7"), Ok(7..=7));
        for text in ["", "-", "9-3", "0-256", "a-b", "1-2-3"] {
            assert!(parse_range(text).is_err(), "{text:?}");
        }
    }
}
