//! What the reaper did, for its log, its tests and the metrics.

use crate::metrics::{PassEnd, PassMetrics, WorkItem};

/// What a pass saw and did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reaped {
    /// Objects in the folders of the shard's slots whose rows could be asked for.
    pub objects: u64,
    /// Those older than the age floor that no row will ever name, the removed ones too.
    pub orphans: u64,
    /// Orphans that were removed.
    pub removed: u64,
    /// Staging files that were removed.
    pub staging_removed: u64,
    /// Slots of which not everything could be settled; 256 when the shard or the store could not be asked at all.
    pub slots_in_doubt: u64,
    /// Whether the brake kept the orphans: too many were seen, by this pass or by one since which none saw everything.
    pub braked: bool,
}

impl Reaped {
    /// Tells what a pass saw and did.
    pub fn count(&self, metrics: &PassMetrics) {
        metrics.did(WorkItem::OrphanRemoved, self.removed);
        metrics.did(WorkItem::StagingRemoved, self.staging_removed);
        metrics.saw_objects(self.objects, self.orphans, self.braked);
        metrics.ended(match self.slots_in_doubt {
            0 => PassEnd::Complete,
            _ => PassEnd::InDoubt,
        });
    }
}
