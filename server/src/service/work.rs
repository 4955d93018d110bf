//! Which workers run.

use crate::blob::Blob;
use crate::cdn::Purger;
use crate::clock::Stopwatch;
use crate::config::Settings;
use crate::pastes::CREATE_DEADLINE;
use crate::shard::ShardRouter;
use crate::workers::{Objects, Purges, Reaper, ReaperRules, Sweeper, Workers};
use std::sync::Arc;

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

/// Ten create deadlines are past any create, whatever its size.
pub(super) fn reaper_rules(settings: &Settings) -> ReaperRules {
    ReaperRules {
        age_floor: settings.age_floor,
        sightings_apart: 10 * CREATE_DEADLINE,
        brake: settings.reaper_brake,
    }
}
