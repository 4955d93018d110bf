//! Places for commits, fewer than connections: commits that hang (a standby is gone) leave connections for reads.

use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

#[derive(Debug)]
pub(super) struct Places {
    free: Arc<Semaphore>,
    /// Owned once more for each commit that may still be answered in time.
    hopes: Arc<()>,
}

/// A commit's place: it is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    _permit: OwnedSemaphorePermit,
    hope: Option<Arc<()>>,
}

impl Places {
    pub(super) fn new(places: usize) -> Self {
        Self {
            free: Arc::new(Semaphore::new(places)),
            hopes: Arc::new(()),
        }
    }

    /// Waits for a place. None when there is none in time, or at once when every place is taken by an abandoned
    /// commit: those hang, and so would the next one.
    pub(super) async fn take(&self, wait: Duration) -> Option<Place> {
        let free = Arc::clone(&self.free);
        let permit = match Arc::clone(&free).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) if self.all_are_abandoned() => return None,
            Err(_) => timeout(wait, free.acquire_owned()).await.ok()?.ok()?,
        };
        Some(Place {
            _permit: permit,
            hope: Some(Arc::clone(&self.hopes)),
        })
    }

    fn all_are_abandoned(&self) -> bool {
        Arc::strong_count(&self.hopes) == 1
    }
}

impl Place {
    /// Nobody waits for the commit any more. It keeps its place.
    pub(super) fn abandon(&mut self) {
        self.hope = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(600);

    #[tokio::test]
    async fn a_place_is_waited_for_unless_every_commit_is_abandoned() {
        let places = Places::new(2);
        let mut first = places.take(LONG).await.unwrap();
        let second = places.take(LONG).await.unwrap();
        first.abandon();
        let (third, ()) = tokio::join!(places.take(LONG), async { drop(second) });
        let mut third = third.unwrap();
        assert!(places.take(Duration::ZERO).await.is_none(), "in time");
        third.abandon();
        let refused = timeout(Duration::from_secs(10), places.take(LONG)).await;
        assert!(refused.expect("at once").is_none());
        drop(first);
        assert!(places.take(LONG).await.is_some());
    }
}
