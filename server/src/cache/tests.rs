//! Many readers at once, deletes during a fill, and the bound.

use super::*;
use app::wire::id::Slot;
use std::sync::atomic::AtomicUsize;
use tokio::sync::{Barrier, oneshot};

fn id(number: u64) -> PasteId {
    format!("2w{number:012}").parse().unwrap()
}

async fn keep(cache: &OriginCache, id: PasteId, text: &'static [u8]) -> CachedText {
    let fetch = async { Ok::<_, ()>(Bytes::from_static(text)) };
    cache.text(id, fetch).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_readers_are_one_fetch() {
    let cache = OriginCache::new();
    let fetches = Arc::new(AtomicUsize::new(0));
    let all_ask = Arc::new(Barrier::new(100));
    let readers: Vec<_> = (0..100)
        .map(|_| {
            let (cache, fetches) = (cache.clone(), Arc::clone(&fetches));
            let all_ask = Arc::clone(&all_ask);
            tokio::spawn(async move {
                all_ask.wait().await;
                let fetch = async {
                    fetches.fetch_add(1, Ordering::Relaxed);
                    tokio::task::yield_now().await;
                    Ok::<_, ()>(Bytes::from_static(b"text"))
                };
                cache.text(id(1), fetch).await
            })
        })
        .collect();
    for reader in readers {
        let text = reader.await.unwrap();
        assert_eq!(text, Ok(CachedText::Text(Bytes::from_static(b"text"))));
    }
    assert_eq!(fetches.load(Ordering::Relaxed), 1);
    let figures = cache.figures();
    assert_eq!((figures.hits, figures.misses), (99, 1));
}

#[tokio::test]
async fn a_delete_during_the_fill_wins_for_all_who_wait() {
    let cache = OriginCache::new();
    let (go_on, held) = oneshot::channel::<()>();
    let (started, has_started) = oneshot::channel::<()>();
    let filler = {
        let cache = cache.clone();
        tokio::spawn(async move {
            let fetch = async {
                started.send(()).unwrap();
                held.await.unwrap();
                Ok::<_, ()>(Bytes::from_static(b"late"))
            };
            cache.text(id(1), fetch).await
        })
    };
    has_started.await.unwrap();
    cache.bury(id(1)).await;
    go_on.send(()).unwrap();
    assert_eq!(filler.await.unwrap(), Ok(CachedText::Dead));
    assert!(cache.texts.get(&id(1)).await.is_none());
    assert!(cache.is_dead(id(1)) && !cache.is_dead(id(2)));
}

#[tokio::test]
async fn a_failed_fetch_is_not_remembered() {
    let cache = OriginCache::new();
    let failed = cache.text(id(1), async { Err("down") }).await;
    assert_eq!(failed, Err("down"));
    let text = keep(&cache, id(1), b"up").await;
    assert_eq!(text, CachedText::Text(Bytes::from_static(b"up")));
}

#[tokio::test]
async fn a_reader_who_leaves_hands_the_fetch_on() {
    let cache = OriginCache::new();
    let (started, has_started) = oneshot::channel::<()>();
    let leaver = {
        let cache = cache.clone();
        tokio::spawn(async move {
            let fetch = async {
                started.send(()).unwrap();
                std::future::pending::<Result<Bytes, ()>>().await
            };
            cache.text(id(1), fetch).await
        })
    };
    has_started.await.unwrap();
    let stayer = {
        let cache = cache.clone();
        tokio::spawn(async move { keep(&cache, id(1), b"text").await })
    };
    tokio::task::yield_now().await;
    leaver.abort();
    let text = stayer.await.unwrap();
    assert_eq!(text, CachedText::Text(Bytes::from_static(b"text")));
}

#[tokio::test]
async fn texts_are_bounded_in_bytes() {
    let cache = OriginCache::new();
    let text = Bytes::from(vec![b'x'; 512 * 1024]);
    for number in 0..200 {
        let fetch = async { Ok::<_, ()>(text.clone()) };
        cache.text(id(number), fetch).await.unwrap();
    }
    cache.texts.run_pending_tasks().await;
    let held = cache.figures().held_bytes;
    assert!(held > 0 && held <= TEXTS_BYTES_MAX, "{held}");
    assert!(OriginCache::takes(1024 * 1024) && !OriginCache::takes(1024 * 1024 + 1));
    assert_eq!(id(1).slot(), Slot::new(182));
}
