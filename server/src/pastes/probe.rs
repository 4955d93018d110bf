//! Whether the parts of the service answer.
//!
//! Anybody may ask, as often as they like, and each question takes a connection of every shard and a request of the
//! object store. So one is under way at a time, for all who had asked before it began.

use crate::blob::BlobError;
use crate::store::StoreError;
use std::time::Instant;
use tokio::sync::Mutex;

/// Which parts of the service answered.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The shards, in the order of the slot map.
    pub shards: Vec<Result<(), StoreError>>,
    /// The object store.
    pub objects: Result<(), BlobError>,
}

/// The last probe, and when it began.
#[derive(Debug, Default)]
pub(super) struct Probes(Mutex<Option<(Instant, Probe)>>);

impl Probes {
    /// A probe that began no sooner than this call.
    pub(super) async fn ask(&self, probe: impl Future<Output = Probe>) -> Probe {
        let called = Instant::now();
        let mut last = self.0.lock().await;
        if let Some((begun, found)) = &*last
            && *begun >= called
        {
            return found.clone();
        }
        let begun = Instant::now();
        let found = probe.await;
        *last = Some((begun, found.clone()));
        found
    }
}
