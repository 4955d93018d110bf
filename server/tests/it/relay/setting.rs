//! A shard with deletions to carry out, their objects, and a CDN.

use crate::harness::Asked;
use crate::harness::FakeCdn;
use crate::store_shard::{SLOT, Shard, claim, create, delete, sample_in};
use app::wire::id::Slot;
use bytes::Bytes;
use futures_util::future::join_all;
use oncebin::blob::{Blob, BlobError, ObjectKey};
use oncebin::cdn::Purger;
use oncebin::store::{CreateOutcome, NewPaste};
use oncebin::workers::{Objects, Purges, Relayed};
use std::time::Duration;
use tempfile::TempDir;

pub(super) const MINUTE: Duration = Duration::from_secs(60);

/// Longer than any lease.
pub(super) const LEASES_RUN_OUT: Duration = Duration::from_secs(180);

/// A shard whose pastes were deleted, their objects, and the CDN that may have copies.
pub(super) struct Setting<S> {
    pub(super) shard: S,
    pub(super) folder: TempDir,
    pub(super) blob: Blob,
    pub(super) cdn: FakeCdn,
    pub(super) deleted: Vec<NewPaste>,
}

impl<S: Shard> Setting<S> {
    pub(super) async fn with_deletions(number: u32) -> Self {
        let folder = TempDir::new().unwrap();
        let blob = Blob::local(folder.path()).unwrap();
        let shard = S::open().await;
        let now_ms = claim(&shard).await;
        let mut deleted = Vec::new();
        for number in 1..=number {
            deleted.push(save_and_delete(&shard, &blob, SLOT, number, now_ms).await);
        }
        Self {
            shard,
            folder,
            blob,
            cdn: FakeCdn::start().await,
            deleted,
        }
    }

    /// One more, in a slot that the shard owns.
    pub(super) async fn delete_another(&mut self, slot: Slot) {
        let number = u32::try_from(self.deleted.len()).unwrap() + 1;
        let now_ms = self
            .shard
            .store()
            .look_up(slot, &[0; 32])
            .await
            .unwrap()
            .now_ms;
        let deleted = save_and_delete(&self.shard, &self.blob, slot, number, now_ms).await;
        self.deleted.push(deleted);
    }

    pub(super) fn objects(&self) -> Objects {
        Objects::new(self.shard.shared(), self.blob.clone(), true)
    }

    /// What another server would have: nothing is known of the CDN's wishes.
    pub(super) fn purges(&self, items: usize) -> Purges {
        let purger = Purger::new(self.cdn.template(items), "https://paste.example");
        Purges::new(self.shard.shared(), purger.unwrap())
    }

    pub(super) async fn objects_left(&self) -> usize {
        let gets = self
            .deleted
            .iter()
            .map(|new| self.blob.get(&new.paste.object_key, 0..4));
        let gets = join_all(gets).await;
        assert!(
            gets.iter()
                .all(|got| matches!(got, Ok(_) | Err(BlobError::Missing)))
        );
        gets.iter().filter(|got| got.is_ok()).count()
    }

    pub(super) async fn rows_left(&self) -> usize {
        self.shard.outbox().await.len()
    }

    pub(super) fn ids(&self) -> Vec<String> {
        self.deleted
            .iter()
            .map(|new| new.paste.id.to_string())
            .collect()
    }

    /// Every tag it was asked to purge, in order.
    pub(super) fn purged(&self) -> Vec<String> {
        self.cdn.asked().iter().flat_map(Asked::tags).collect()
    }
}

async fn save_and_delete(
    shard: &impl Shard,
    blob: &Blob,
    slot: Slot,
    number: u32,
    now_ms: i64,
) -> NewPaste {
    let mut new = sample_in(slot, number, now_ms);
    let key = ObjectKey::fresh(slot);
    blob.put(&key, Bytes::from_static(b"text")).await.unwrap();
    key.as_str().clone_into(&mut new.paste.object_key);
    assert_eq!(create(shard, &new).await, CreateOutcome::Created);
    delete(shard, &new).await;
    new
}

pub(super) fn relayed(done: usize, failed: usize) -> Relayed {
    Relayed {
        done,
        failed,
        dropped: 0,
    }
}
