//! What every object store must do, wherever it keeps them. Each function gets one that is empty.
//!
//! A store's test file opens a store of its own kind and says `suite!(its_function)`, which makes a test of each.

use app::wire::id::Slot;
use bytes::Bytes;
use futures_util::future::join_all;
use oncebin::blob::{Blob, BlobCheck, BlobError, Mark, ObjectKey};

macro_rules! suite {
    ($open:path) => {
        $crate::blob_conformance::suite! { $open:
            what_was_put_is_read_whole_and_in_parts
            a_missing_object_is_missing
            an_empty_part_is_nothing
            an_object_that_ends_too_early_is_not_there
            a_put_can_be_repeated
            a_removed_object_is_missing_and_can_be_removed_again
            objects_of_64_mib_are_kept
            of_64_at_once_each_keeps_its_own
            a_check_works_and_leaves_nothing
            the_mark_tells_a_used_store_from_an_empty_one
            sizes_are_known
        }
    };
    ($open:path: $($name:ident)*) => {
        $(
            #[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                let (blob, _kept) = $open().await;
                $crate::blob_conformance::$name(&blob).await;
            }
        )*
    };
}
pub(crate) use suite;

const MIB: usize = 1024 * 1024;

/// Every byte there is, so many.
fn bytes(count: usize) -> Bytes {
    (0..=u8::MAX).cycle().take(count).collect()
}

fn fresh() -> ObjectKey {
    ObjectKey::fresh(Slot::new(182))
}

pub(crate) async fn what_was_put_is_read_whole_and_in_parts(blob: &Blob) {
    let (key, content) = (fresh(), bytes(70_000));
    blob.put(&key, content.clone()).await.unwrap();
    for part in [0..70_000, 0..1, 69_999..70_000, 1_000..65_537] {
        let read = blob.get(key.as_str(), part.clone()).await.unwrap();
        let at = |place: u64| usize::try_from(place).unwrap();
        assert_eq!(read, content.slice(at(part.start)..at(part.end)));
    }
}

pub(crate) async fn a_missing_object_is_missing(blob: &Blob) {
    assert_eq!(
        blob.get(fresh().as_str(), 0..1).await,
        Err(BlobError::Missing)
    );
}

pub(crate) async fn an_empty_part_is_nothing(blob: &Blob) {
    let key = fresh();
    assert_eq!(blob.get(key.as_str(), 0..0).await, Ok(Bytes::new()));
    blob.put(&key, bytes(10)).await.unwrap();
    assert_eq!(blob.get(key.as_str(), 5..5).await, Ok(Bytes::new()));
}

pub(crate) async fn an_object_that_ends_too_early_is_not_there(blob: &Blob) {
    let key = fresh();
    blob.put(&key, bytes(10)).await.unwrap();
    for part in [0..11, 5..20, 10..11, 30..40] {
        assert_eq!(blob.get(key.as_str(), part).await, Err(BlobError::Missing));
    }
}

pub(crate) async fn a_put_can_be_repeated(blob: &Blob) {
    let (key, content) = (fresh(), bytes(3_000));
    for _ in 0..2 {
        blob.put(&key, content.clone()).await.unwrap();
    }
    assert_eq!(blob.get(key.as_str(), 0..3_000).await, Ok(content));
}

pub(crate) async fn a_removed_object_is_missing_and_can_be_removed_again(blob: &Blob) {
    let (key, other) = (fresh(), fresh());
    for key in [&key, &other] {
        blob.put(key, bytes(10)).await.unwrap();
    }
    for _ in 0..2 {
        assert_eq!(blob.delete(key.as_str()).await, Ok(()));
        assert_eq!(blob.get(key.as_str(), 0..1).await, Err(BlobError::Missing));
    }
    assert_eq!(
        blob.delete(fresh().as_str()).await,
        Ok(()),
        "one that never was"
    );
    assert_eq!(blob.get(other.as_str(), 0..10).await, Ok(bytes(10)));
}

pub(crate) async fn objects_of_64_mib_are_kept(blob: &Blob) {
    let (key, content) = (fresh(), bytes(64 * MIB));
    blob.put(&key, content.clone()).await.unwrap();
    let read = blob.get(key.as_str(), 0..64 * MIB as u64).await.unwrap();
    assert!(read == content);
    let end = blob
        .get(key.as_str(), 64 * MIB as u64 - 300..64 * MIB as u64)
        .await;
    assert_eq!(end.unwrap(), content.slice(64 * MIB - 300..));
    blob.delete(key.as_str()).await.unwrap();
}

pub(crate) async fn of_64_at_once_each_keeps_its_own(blob: &Blob) {
    let all = (0..64_u8).map(async |number| {
        let (key, content) = (fresh(), Bytes::from(vec![number; 10_000]));
        blob.put(&key, content.clone()).await.unwrap();
        assert_eq!(blob.get(key.as_str(), 0..10_000).await, Ok(content));
        if number % 2 == 0 {
            blob.delete(key.as_str()).await.unwrap();
        }
        key
    });
    let keys = join_all(all).await;
    for (number, key) in keys.iter().enumerate() {
        let read = blob.get(key.as_str(), 0..1).await;
        assert_eq!(read.is_ok(), number % 2 == 1);
    }
}

pub(crate) async fn a_check_works_and_leaves_nothing(blob: &Blob) {
    assert_eq!(blob.check().await, BlobCheck::Works);
    assert_eq!(blob.mark().await, Ok(Mark::Empty));
}

pub(crate) async fn the_mark_tells_a_used_store_from_an_empty_one(blob: &Blob) {
    assert_eq!(blob.mark().await, Ok(Mark::Empty));
    assert_eq!(blob.probe().await, Ok(()));
    let key = fresh();
    blob.put(&key, bytes(10)).await.unwrap();
    assert_eq!(blob.mark().await, Ok(Mark::OnlyObjects));
    for _ in 0..2 {
        assert_eq!(blob.set_mark().await, Ok(()));
    }
    assert_eq!(blob.has_texts().await, Ok(true));
    blob.delete(key.as_str()).await.unwrap();
    assert_eq!(blob.mark().await, Ok(Mark::Marked));
    assert_eq!(blob.has_texts().await, Ok(false));
    assert_eq!(blob.probe().await, Ok(()));
}

pub(crate) async fn sizes_are_known(blob: &Blob) {
    let key = fresh();
    blob.put(&key, bytes(70_000)).await.unwrap();
    assert_eq!(blob.size(key.as_str()).await, Ok(Some(70_000)));
    assert_eq!(blob.size(fresh().as_str()).await, Ok(None));
    let page = blob.list(Slot::new(182)).next_page().await.unwrap();
    let [listed] = page.unwrap().objects[..] else {
        panic!("one object");
    };
    assert_eq!(listed.key(Slot::new(182)), key);
    assert_eq!(listed.size_bytes, 70_000);
}
