//! The suite of every object store in a local directory.

use crate::blob_conformance::suite;
use app::wire::id::Slot;
use bytes::Bytes;
use oncebin::blob::{Blob, BlobError, ObjectKey};
use std::fs;
use tempfile::TempDir;

suite!(empty);

async fn empty() -> (Blob, TempDir) {
    let folder = TempDir::new().unwrap();
    (Blob::local(folder.path()).unwrap(), folder)
}

const SLOT: Slot = Slot::new(7);

/// Each of them would be believed: a PUT, that a text is gone, that a folder holds nothing.
#[tokio::test(flavor = "multi_thread")]
async fn where_the_mark_is_needed_and_missing_nothing_is_written_or_believed_to_be_gone() {
    let (blob, folder) = empty().await;
    let (key, text) = (ObjectKey::fresh(SLOT), Bytes::from_static(b"text"));
    blob.set_mark().await.unwrap();
    blob.put(&key, text.clone()).await.unwrap();
    let blob = blob.needing_mark();
    let away = folder.path().join("away");
    fs::rename(folder.path().join("in-use"), &away).unwrap();
    let other = ObjectKey::fresh(SLOT);
    let down = BlobError::Unavailable;
    assert_eq!(blob.probe().await, Err(down));
    assert_eq!(blob.put(&other, text.clone()).await, Err(down));
    assert_eq!(blob.get(other.as_str(), 0..4).await, Err(down));
    assert_eq!(blob.size(other.as_str()).await, Err(down));
    assert_eq!(blob.delete(other.as_str()).await, Err(down));
    assert_eq!(blob.list(SLOT).next_page().await, Err(down));
    assert_eq!(blob.now_ms().await, Err(down));
    assert_eq!(
        blob.get(key.as_str(), 0..4).await,
        Ok(text.clone()),
        "it is there"
    );

    fs::rename(&away, folder.path().join("in-use")).unwrap();
    assert_eq!(
        blob.get(other.as_str(), 0..4).await,
        Err(BlobError::Missing)
    );
    assert_eq!(blob.put(&other, text).await, Ok(()));
    let listed = blob.list(SLOT).next_page().await.unwrap().unwrap();
    assert_eq!((listed.objects.len(), blob.probe().await), (2, Ok(())));
}
