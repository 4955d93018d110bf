//! What the reaper's earlier passes saw: when each orphan was first seen, and whether there were too many of them.

use super::reaped::Reaped;
use crate::blob::FoundObject;
use app::wire::id::Slot;
use std::collections::HashMap;
use std::time::Duration;
use uuid::Uuid;

/// Orphans remembered of one shard, about 5 MB. The others wait until these are gone.
const REMEMBERED_MAX: usize = 100_000;

/// So many orphans are never abnormal in a pass that saw everything: a new instance may have three, of four objects.
const FREE_ORPHANS: u64 = 10;

/// Beyond [`FREE_ORPHANS`], one object in so many may be an orphan.
const NORMAL_SHARE: u64 = 10;

/// Whether so many orphans among a shard's objects say that something is wrong with its rows, and the reaper's brake
/// holds for it.
#[must_use]
pub fn are_too_many_orphans(orphans: u64, objects: u64) -> bool {
    orphans > FREE_ORPHANS.max(objects / NORMAL_SHARE)
}

/// The memory of one shard's reaper. A restart forgets it, and the orphans wait for two passes again.
#[derive(Debug, Default)]
pub(super) struct Sightings {
    /// For each orphan when it was first seen, by the reaper's stopwatch.
    first: HashMap<Slot, HashMap<Uuid, Duration>>,
    remembered: usize,
    abnormal: bool,
}

impl Sightings {
    /// Notes the orphans of a slot. What is none any more is forgotten, unless not all of the slot was seen.
    pub(super) fn note(
        &mut self,
        slot: Slot,
        orphans: &[FoundObject],
        now: Duration,
        is_all: bool,
    ) {
        let before = self.first.remove(&slot).unwrap_or_default();
        self.remembered -= before.len();
        let mut next = HashMap::new();
        for orphan in orphans {
            if self.remembered + next.len() >= REMEMBERED_MAX {
                break;
            }
            let first = before.get(&orphan.uuid).copied().unwrap_or(now);
            next.insert(orphan.uuid, first);
        }
        if !is_all {
            for (uuid, first) in before {
                next.entry(uuid).or_insert(first);
            }
        }
        self.remembered += next.len();
        if !next.is_empty() {
            self.first.insert(slot, next);
        }
    }

    /// Whether an orphan was first seen at a moment or before.
    pub(super) fn has_seen(&self, slot: Slot, uuid: Uuid, moment: Duration) -> bool {
        let first = self.first.get(&slot).and_then(|slot| slot.get(&uuid));
        first.is_some_and(|first| *first <= moment)
    }

    /// Forgets one that was removed.
    pub(super) fn forget(&mut self, slot: Slot, uuid: Uuid) {
        if let Some(seen) = self.first.get_mut(&slot)
            && seen.remove(&uuid).is_some()
        {
            self.remembered -= 1;
        }
    }

    /// Judges what a pass saw before it removes any of it; whether it may.
    ///
    /// Too many orphans are remembered until a pass has seen everything and found it normal: one that saw but a part says
    /// nothing of the rest, and may remove only what is a normal share of that part.
    pub(super) fn judge(&mut self, seen: &Reaped) -> bool {
        let is_all = seen.slots_in_doubt == 0;
        let normal = seen.objects / NORMAL_SHARE;
        self.abnormal =
            are_too_many_orphans(seen.orphans, seen.objects) || self.abnormal && !is_all;
        !self.abnormal && (is_all || seen.orphans <= normal)
    }

    /// Whether a pass saw too many orphans, and none since has seen everything.
    pub(super) fn are_abnormal(&self) -> bool {
        self.abnormal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOT: Slot = Slot::new(7);
    const SECOND: Duration = Duration::from_secs(1);

    fn orphan(number: u128) -> FoundObject {
        FoundObject {
            uuid: Uuid::from_u128(number),
            modified_ms: 0,
            size_bytes: 0,
        }
    }

    #[test]
    fn the_first_sighting_counts_and_is_lost_when_the_orphan_was_none_in_between() {
        let mut sightings = Sightings::default();
        let [one, two] = [orphan(1), orphan(2)];
        sightings.note(SLOT, &[one, two], SECOND, true);
        sightings.note(SLOT, &[one, two], 2 * SECOND, true);
        assert!(sightings.has_seen(SLOT, one.uuid, SECOND));
        assert!(!sightings.has_seen(SLOT, one.uuid, SECOND / 2));
        assert!(!sightings.has_seen(Slot::new(8), one.uuid, SECOND));
        sightings.note(SLOT, &[one], 3 * SECOND, true);
        sightings.note(SLOT, &[one, two], 4 * SECOND, true);
        assert!(sightings.has_seen(SLOT, one.uuid, SECOND));
        assert!(!sightings.has_seen(SLOT, two.uuid, 3 * SECOND));
        sightings.note(SLOT, &[], 5 * SECOND, false);
        assert!(
            sightings.has_seen(SLOT, one.uuid, SECOND),
            "not all was seen"
        );
        sightings.forget(SLOT, one.uuid);
        assert!(!sightings.has_seen(SLOT, one.uuid, 9 * SECOND));
        assert_eq!(sightings.remembered, 1);
    }

    #[test]
    fn memory_is_bounded() {
        let mut sightings = Sightings::default();
        let many: Vec<_> = (0..REMEMBERED_MAX as u128 + 5).map(orphan).collect();
        sightings.note(SLOT, &many, SECOND, true);
        sightings.note(Slot::new(8), &many, SECOND, true);
        assert_eq!(sightings.remembered, REMEMBERED_MAX);
        sightings.note(SLOT, &[], SECOND, true);
        sightings.note(Slot::new(8), &many[..3], SECOND, true);
        assert_eq!(sightings.remembered, 3);
    }

    fn saw(objects: u64, orphans: u64, slots_in_doubt: u64) -> Reaped {
        Reaped {
            objects,
            orphans,
            slots_in_doubt,
            ..Reaped::default()
        }
    }

    #[test]
    fn a_few_orphans_are_normal_and_so_is_a_tenth() {
        let mut sightings = Sightings::default();
        for (objects, orphans, is_abnormal) in [
            (0, 0, false),
            (4, 3, false),
            (10, 10, false),
            (11, 11, true),
            (80, 80, true),
            (100, 11, true),
            (1000, 100, false),
            (1000, 101, true),
        ] {
            let may_remove = sightings.judge(&saw(objects, orphans, 0));
            assert_eq!(may_remove, !is_abnormal, "{orphans} of {objects}");
            assert_eq!(sightings.are_abnormal(), is_abnormal);
        }
    }

    #[test]
    fn only_a_pass_that_saw_everything_releases_the_brake() {
        let mut sightings = Sightings::default();
        assert!(!sightings.judge(&saw(10_000, 5_000, 0)));
        for (objects, orphans) in [(0, 0), (20, 1), (10_000, 2)] {
            assert!(!sightings.judge(&saw(objects, orphans, 1)));
            assert!(sightings.are_abnormal());
        }
        assert!(sightings.judge(&saw(10_000, 2, 0)));
    }

    #[test]
    fn of_a_part_no_more_than_a_tenth_is_removed() {
        let mut sightings = Sightings::default();
        for (objects, orphans, may_remove) in [(9, 1, false), (10, 1, true), (0, 0, true)] {
            assert_eq!(sightings.judge(&saw(objects, orphans, 1)), may_remove);
            assert!(!sightings.are_abnormal());
        }
        assert!(!sightings.judge(&saw(20, 15, 1)));
        assert!(sightings.are_abnormal());
    }
}
