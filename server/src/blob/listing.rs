//! What lies in the folder of a slot, page by page, with the store's own times.

use super::found::{FoundStaging, Page, Seen};
use super::{Blob, BlobError, folder, local, settled};
use crate::metrics::ObjectOperation;
use app::wire::id::Slot;
use futures_util::{StreamExt, TryStreamExt};
use object_store::path::Path;
use std::fs::ReadDir;
use std::path::PathBuf;

/// Entries of a page. A bucket lists as many in one request.
const PAGE_ENTRIES: usize = 1000;

/// The folder of a slot as it is being listed. What is written or removed meanwhile may be there or not.
pub struct Listing {
    blob: Blob,
    slot: Slot,
    source: Source,
}

enum Source {
    /// Not yet opened.
    Folder(PathBuf),
    Local(ReadDir),
    /// What follows a name, or everything.
    Remote(Option<Path>),
    Ended,
}

impl std::fmt::Debug for Listing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Listing")
            .field("slot", &self.slot)
            .finish_non_exhaustive()
    }
}

impl Blob {
    /// Begins to list the folder of a slot.
    #[must_use]
    pub fn list(&self, slot: Slot) -> Listing {
        let folder = folder(slot);
        let source = match &self.directory {
            Some(directory) => Source::Folder(directory.join(folder)),
            None => Source::Remote(None),
        };
        Listing {
            blob: self.clone(),
            slot,
            source,
        }
    }

    /// Removes a staging file. One that is not there is gone already. A PUT that still writes it fails.
    ///
    /// # Errors
    /// [`BlobError::Unavailable`].
    pub async fn remove_staging(
        &self,
        slot: Slot,
        staging: &FoundStaging,
    ) -> Result<(), BlobError> {
        let Some(directory) = &self.directory else {
            return Ok(());
        };
        let file = directory.join(folder(slot)).join(&staging.name);
        let removed = local::blocking(move || local::remove(&file)).await;
        settled("removed", removed)
    }
}

impl Listing {
    /// The next page; none after the last one.
    ///
    /// # Errors
    /// [`BlobError::Unavailable`]: the rest of the folder was not seen.
    pub async fn next_page(&mut self) -> Result<Option<Page>, BlobError> {
        match std::mem::replace(&mut self.source, Source::Ended) {
            Source::Ended => Ok(None),
            Source::Folder(folder) => match self.open(folder).await? {
                Some(entries) => self.local_page(entries).await,
                None => Ok(None),
            },
            Source::Local(entries) => self.local_page(entries).await,
            Source::Remote(after) => self.remote_page(after).await,
        }
    }

    /// None for a folder that was never made: it holds nothing.
    async fn open(&self, folder: PathBuf) -> Result<Option<ReadDir>, BlobError> {
        settled("listed", self.blob.look_for_mark().await)?;
        let opened = local::blocking(move || match std::fs::read_dir(folder) {
            Err(missing) if missing.kind() == std::io::ErrorKind::NotFound => Ok(None),
            opened => opened.map(Some),
        });
        settled("listed", opened.await)
    }

    async fn local_page(&mut self, mut entries: ReadDir) -> Result<Option<Page>, BlobError> {
        let reading = local::blocking(move || {
            let page = local::read_page(&mut entries, PAGE_ENTRIES)?;
            Ok((page, entries))
        });
        let (names, entries) = settled("listed", reading.await)?;
        if names.is_empty() {
            return Ok(None);
        }
        self.source = Source::Local(entries);
        let mut page = Page::default();
        for (name, seen) in names {
            page.add(name, seen);
        }
        Ok(Some(page))
    }

    /// Each page is a request of its own, so that one that fails can be asked again.
    async fn remote_page(&mut self, after: Option<Path>) -> Result<Option<Page>, BlobError> {
        let folder = Path::from(folder(self.slot));
        let store = &self.blob.store;
        let ask = || {
            let objects = match &after {
                Some(after) => store.list_with_offset(Some(&folder), after),
                None => store.list(Some(&folder)),
            };
            objects.take(PAGE_ENTRIES).try_collect::<Vec<_>>()
        };
        let objects = settled(
            "listed",
            self.blob.carry_out(ObjectOperation::List, 0, ask).await,
        )?;
        let Some(last) = objects.last() else {
            return Ok(None);
        };
        self.source = Source::Remote(Some(last.location.clone()));
        let mut page = Page::default();
        for object in &objects {
            let below = object.location.prefix_match(&folder);
            let parts = below.into_iter().flatten();
            let parts: Vec<_> = parts.map(|part| part.as_ref().to_owned()).collect();
            let seen = Seen {
                modified_ms: object.last_modified.timestamp_millis(),
                size_bytes: object.size,
            };
            page.add(parts.join("/"), Some(seen));
        }
        Ok(Some(page))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blob::measure::Measure;
    use crate::blob::{BlobDeadlines, ObjectKey};
    use bytes::Bytes;
    use object_store::memory::InMemory;
    use std::sync::Arc;
    use uuid::Uuid;

    const SLOT: Slot = Slot::new(7);

    async fn all(blob: &Blob, slot: Slot) -> Page {
        let (mut all, mut listing) = (Page::default(), blob.list(slot));
        while let Some(page) = listing.next_page().await.unwrap() {
            all.objects.extend(page.objects);
            all.staging.extend(page.staging);
            all.foreign.extend(page.foreign);
        }
        all.objects.sort();
        all.foreign.sort();
        all
    }

    #[tokio::test]
    async fn a_store_without_folders_is_listed_slot_by_slot_over_several_pages() {
        let blob = Blob {
            store: Arc::new(InMemory::new()),
            directory: None,
            needed: None,
            attempts: 1,
            deadlines: BlobDeadlines::default(),
            measure: Measure::default(),
        };
        let mut put = Vec::new();
        for _ in 0..PAGE_ENTRIES + 1 {
            let key = ObjectKey::fresh(SLOT);
            blob.put(&key, Bytes::from_static(b"text")).await.unwrap();
            put.push(key);
        }
        let other = ObjectKey::fresh(Slot::new(8));
        blob.put(&other, Bytes::from_static(b"text")).await.unwrap();
        for foreign in ["007/readme", "007/below/x"] {
            let foreign = ObjectKey(foreign.into());
            blob.put(&foreign, Bytes::from_static(b"x")).await.unwrap();
        }
        let now_ms = blob.now_ms().await.unwrap();
        let found = all(&blob, SLOT).await;
        let mut keys: Vec<_> = found.objects.iter().map(|found| found.key(SLOT)).collect();
        put.sort_by(|a, b| a.0.cmp(&b.0));
        keys.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(keys, put);
        assert!(
            found
                .objects
                .iter()
                .all(|object| object.modified_ms <= now_ms)
        );
        assert_eq!(found.foreign, ["below/x", "readme"]);
        assert_eq!(all(&blob, Slot::new(0)).await, Page::default());
    }

    #[tokio::test]
    async fn in_a_directory_only_what_is_named_as_we_name_it_is_ours() {
        let directory = tempfile::TempDir::new().unwrap();
        let blob = Blob::local(directory.path()).unwrap();
        let key = ObjectKey::fresh(SLOT);
        blob.put(&key, Bytes::from_static(b"text")).await.unwrap();
        let folder = directory.path().join("007");
        let uuid = Uuid::new_v4();
        let foreign = [
            "#1".to_owned(),
            format!("{uuid}#"),
            format!("{uuid}#x"),
            format!("{uuid}.bak"),
            uuid.to_string().to_uppercase(),
            uuid.simple().to_string(),
            Uuid::nil().to_string(),
            "readme".to_owned(),
        ];
        for name in &foreign {
            std::fs::write(folder.join(name), "x").unwrap();
        }
        std::fs::create_dir(folder.join(Uuid::new_v4().to_string())).unwrap();
        let link = folder.join(Uuid::new_v4().to_string());
        std::os::unix::fs::symlink("readme", link).unwrap();
        std::fs::write(folder.join(format!("{uuid}#12")), "half").unwrap();
        let found = all(&blob, SLOT).await;
        assert_eq!(found.objects.len(), 1);
        assert_eq!(found.objects[0].key(SLOT), key);
        assert_eq!(found.foreign.len(), foreign.len() + 2);
        let [staging] = &found.staging[..] else {
            panic!("{:?}", found.staging);
        };
        for _ in 0..2 {
            blob.remove_staging(SLOT, staging).await.unwrap();
        }
        let left = all(&blob, SLOT).await;
        assert_eq!((left.objects, left.staging), (found.objects, vec![]));
        assert_eq!(left.foreign, found.foreign);
    }
}
