//! Which workers run.

use crate::blob::Blob;
use crate::cdn::Purger;
use crate::clock::Stopwatch;
use crate::config::Settings;
use crate::pastes::create_deadline;
use crate::shard::ShardRouter;
use crate::workers::{Objects, Purges, Reaper, ReaperRules, Sweeper, Workers};
use std::sync::Arc;
use std::time::Duration;

/// Every worker of every shard, each in a loop of its own.
pub(super) fn start(
    workers: &Workers,
    router: &ShardRouter,
    blob: &Blob,
    purger: Option<&Purger>,
    rules: ReaperRules,
) {
    for (shard, store) in router.stores().enumerate() {
        let objects = Objects::new(Arc::clone(&store), blob.clone(), purger.is_some());
        workers.start(shard, objects);
        if let Some(purger) = purger {
            workers.start(shard, Purges::new(Arc::clone(&store), purger.clone()));
        }
        workers.start(shard, Sweeper::new(Arc::clone(&store)));
        let reaper = Reaper::new(shard, store, blob.clone(), rules, Stopwatch::default());
        workers.start(shard, reaper);
    }
}

pub(super) fn reaper_rules(settings: &Settings) -> ReaperRules {
    ReaperRules {
        age_floor: settings.age_floor,
        sightings_apart: sightings_apart(settings.policy.paste_bytes_max),
        brake: settings.reaper_brake,
    }
}

/// Ten deadlines of the largest create are past any.
fn sightings_apart(paste_bytes_max: u64) -> Duration {
    10 * create_deadline(paste_bytes_max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sightings_are_apart_by_ten_of_the_longest_creates() {
        for (mib, apart_s) in [(10, 400), (64, 940)] {
            let apart = sightings_apart(mib * 1024 * 1024);
            assert_eq!(apart, Duration::from_secs(apart_s));
        }
    }
}
