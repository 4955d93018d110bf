//! `check --deep`: every row against every object, one slot after another.
//!
//! A service may work meanwhile. So what does not fit is looked at once more before it is told: objects are listed before
//! rows are read, and a row that has no object then, or an object no row, may have come or gone in between. Memory is
//! bounded by the objects of one slot, 32 bytes each.

use super::findings::Findings;
use super::report::Report;
use crate::blob::{Blob, BlobError, FoundObject};
use crate::clock::millis;
use crate::store::{OperatorStore, RowSeen, StoreError};
use app::wire::id::{PasteId, Slot};
use std::time::Duration;
use uuid::Uuid;

/// Rows read, and objects asked for, at once.
const PAGE: u32 = 1000;

/// Why an audit could not go on.
pub(super) enum Broken {
    Shard,
    Objects,
}

/// The pastes of a shard whose text is gone.
pub(super) struct Textless {
    pub(super) count: u64,
    /// No more than were asked for.
    pub(super) ids: Vec<PasteId>,
}

impl From<StoreError> for Broken {
    fn from(_: StoreError) -> Self {
        Self::Shard
    }
}

impl From<BlobError> for Broken {
    fn from(_: BlobError) -> Self {
        Self::Objects
    }
}

impl Broken {
    pub(super) fn fault(&self) -> &'static str {
        match self {
            Self::Shard => "its rows could not be read to the end; see the log",
            Self::Objects => "its objects could not be listed; see the log",
        }
    }
}

/// Compares the rows of a shard with the objects of its slots.
pub(super) async fn audit(
    report: &mut Report,
    shard: &str,
    store: &dyn OperatorStore,
    blob: &Blob,
    age_floor: Duration,
) {
    let mut audit = Audit::new(store, blob, 0);
    // The reaper needs two passes, and a while between them.
    match audit.run(2 * age_floor).await {
        Ok(()) => audit.found.report(report, shard, age_floor),
        Err(broken) => report.wrong(shard, broken.fault()),
    }
}

/// Finds the pastes of a shard whose text is gone, and names so many of them at most.
pub(super) async fn textless(
    store: &dyn OperatorStore,
    blob: &Blob,
    ids_max: usize,
) -> Result<Textless, Broken> {
    let mut audit = Audit::new(store, blob, ids_max);
    audit.run(Duration::ZERO).await?;
    Ok(Textless {
        count: audit.found.textless.count,
        ids: audit.found.textless_ids,
    })
}

struct Audit<'a> {
    store: &'a dyn OperatorStore,
    blob: &'a Blob,
    /// By the object store's own clock, milliseconds since the Unix epoch.
    old_before_ms: i64,
    ids_max: usize,
    found: Findings,
}

impl<'a> Audit<'a> {
    fn new(store: &'a dyn OperatorStore, blob: &'a Blob, ids_max: usize) -> Self {
        Self {
            store,
            blob,
            old_before_ms: 0,
            ids_max,
            found: Findings::default(),
        }
    }

    async fn run(&mut self, old: Duration) -> Result<(), Broken> {
        self.old_before_ms = self.blob.now_ms().await?.saturating_sub(millis(old));
        for slot in self.store.owned_slots().await? {
            let mut objects = self.list(slot).await?;
            objects.sort_unstable();
            let mut has_row = vec![false; objects.len()];
            self.read_rows(slot, &objects, &mut has_row).await?;
            let unnamed = objects.iter().zip(has_row).filter(|(_, has_row)| !has_row);
            let unnamed: Vec<_> = unnamed.map(|(object, _)| *object).collect();
            for some in unnamed.chunks(PAGE as usize) {
                self.look_again_at_objects(slot, some).await?;
            }
        }
        Ok(())
    }

    async fn list(&mut self, slot: Slot) -> Result<Vec<FoundObject>, Broken> {
        let mut objects = Vec::new();
        let mut listing = self.blob.list(slot);
        while let Some(page) = listing.next_page().await? {
            objects.extend(page.objects);
            for staging in page.staging {
                if staging.modified_ms <= self.old_before_ms {
                    self.found.old_staging += 1;
                } else {
                    self.found.young_staging += 1;
                }
            }
            for name in page.foreign {
                self.found
                    .foreign
                    .add(format!("{:03}/{name}", slot.number()));
            }
        }
        self.found.objects += objects.len() as u64;
        Ok(objects)
    }

    /// Marks the objects that rows name, and looks again at rows whose object was not listed.
    async fn read_rows(
        &mut self,
        slot: Slot,
        objects: &[FoundObject],
        has_row: &mut [bool],
    ) -> Result<(), Broken> {
        let mut after: Option<String> = None;
        loop {
            let rows = self
                .store
                .rows_of_slot(slot, after.as_deref(), PAGE)
                .await?;
            let Some(last) = rows.last() else {
                return Ok(());
            };
            after = Some(last.object_key.clone());
            for row in rows {
                self.found.pastes += 1;
                let position = position(objects, &row);
                if let Some(position) = position {
                    has_row[position] = true;
                }
                if position.is_none_or(|at| objects[at].size_bytes != row.size_bytes) {
                    self.look_again_at_row(&row, position.is_some()).await?;
                }
            }
        }
    }

    /// The object may be younger than the listing, and the row older than its delete.
    async fn look_again_at_row(&mut self, row: &RowSeen, was_listed: bool) -> Result<(), Broken> {
        let size_bytes = self.blob.size(&row.object_key).await?;
        self.found.objects += u64::from(size_bytes.is_some() && !was_listed);
        if size_bytes == Some(row.size_bytes) {
            return Ok(());
        }
        let id: Option<PasteId> = row.id.parse().ok();
        if !self.is_still_there(row, id).await? {
            return Ok(());
        }
        if size_bytes.is_some() {
            self.found.damaged.add(&row.id);
            return Ok(());
        }
        self.found.textless.add(&row.id);
        let has_room = self.found.textless_ids.len() < self.ids_max;
        self.found.textless_ids.extend(id.filter(|_| has_room));
        Ok(())
    }

    async fn is_still_there(&self, row: &RowSeen, id: Option<PasteId>) -> Result<bool, Broken> {
        let key = std::slice::from_ref(&row.object_key);
        if self.store.named(key).await?.is_empty() {
            return Ok(false);
        }
        match id {
            Some(id) => Ok(!self.store.is_in_outbox(id).await?),
            None => Ok(true),
        }
    }

    /// The row may have come after it was looked for; and what the outbox names is the relay's.
    async fn look_again_at_objects(
        &mut self,
        slot: Slot,
        objects: &[FoundObject],
    ) -> Result<(), Broken> {
        let key = |object: &FoundObject| object.key(slot).as_str().to_owned();
        let keys: Vec<_> = objects.iter().map(key).collect();
        let named = self.store.named(&keys).await?;
        for (object, key) in objects.iter().zip(keys) {
            if named.contains(&key) {
                continue;
            }
            if object.modified_ms <= self.old_before_ms {
                self.found.old_orphans.add(key);
            } else {
                self.found.young_orphans.add(key);
            }
        }
        Ok(())
    }
}

fn position(objects: &[FoundObject], row: &RowSeen) -> Option<usize> {
    let uuid = Uuid::try_parse(row.object_key.split_once('/')?.1).ok()?;
    let found = objects.binary_search_by_key(&uuid, |object| object.uuid);
    found.ok()
}
