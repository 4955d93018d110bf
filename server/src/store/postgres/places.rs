//! Places for commits, fewer than connections: commits that hang (a standby is gone) leave connections for reads.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

#[derive(Debug)]
pub(super) struct Places {
    free: Arc<Semaphore>,
    in_all: usize,
    counts: Arc<Counts>,
}

/// Of the places that are taken.
#[derive(Debug, Default)]
struct Counts {
    /// By commits nobody waits for any more.
    abandoned: AtomicUsize,
    /// By abandoned commits that may not hang on the server any more.
    doubted: AtomicUsize,
}

/// A commit's place: it is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    _permit: OwnedSemaphorePermit,
    counts: Arc<Counts>,
    is_abandoned: bool,
    is_doubted: bool,
}

impl Places {
    pub(super) fn new(places: usize) -> Self {
        Self {
            free: Arc::new(Semaphore::new(places)),
            in_all: places,
            counts: Arc::default(),
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
            counts: Arc::clone(&self.counts),
            is_abandoned: false,
            is_doubted: false,
        })
    }

    /// A place that is given to the next in line belongs to nobody until that one runs: so those are counted that are
    /// known to hang, not those that are not.
    fn all_are_abandoned(&self) -> bool {
        self.counts.abandoned.load(Ordering::SeqCst) == self.in_all
    }
}

impl Place {
    /// Nobody waits for the commit any more. It keeps its place.
    pub(super) fn abandon(&mut self) {
        if !self.is_abandoned {
            self.is_abandoned = true;
            self.counts.abandoned.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// From now on the commit is one of those that the server is asked about.
    pub(super) fn doubt(&mut self) {
        if !self.is_doubted {
            self.is_doubted = true;
            self.counts.doubted.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Whether more commits are doubted than hang on the server. Then this one counts no more; which of them it was
    /// that ended does not matter, since nobody waits for any of them.
    pub(super) fn is_beyond(&mut self, hanging: usize) -> bool {
        let doubted = &self.counts.doubted;
        let one_less = |doubted: usize| (doubted > hanging).then(|| doubted - 1);
        let counts_no_more = self.is_doubted
            && doubted
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less)
                .is_ok();
        self.is_doubted &= !counts_no_more;
        counts_no_more
    }
}

/// It is counted no more before it is free.
impl Drop for Place {
    fn drop(&mut self) {
        if self.is_abandoned {
            self.counts.abandoned.fetch_sub(1, Ordering::SeqCst);
        }
        if self.is_doubted {
            self.counts.doubted.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

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

    /// Under load all commits of a group end at once, and every place is given on before anyone runs.
    #[tokio::test]
    async fn a_place_that_was_given_on_is_no_abandoned_one() {
        let places = Places::new(1);
        let first = places.take(LONG).await.unwrap();
        let mut second = Box::pin(places.take(LONG));
        assert!((&mut second).now_or_never().is_none());
        drop(first);
        let mut third = Box::pin(places.take(LONG));
        assert!((&mut third).now_or_never().is_none());
        drop(second.await.unwrap());
        assert!(third.await.is_some());
    }

    #[tokio::test]
    async fn as_many_doubted_commits_keep_their_places_as_hang() {
        let places = Places::new(3);
        let mut held = Vec::new();
        for _ in 0..3 {
            let mut place = places.take(LONG).await.unwrap();
            place.abandon();
            place.doubt();
            place.doubt();
            held.push(place);
        }
        assert!(!held[0].is_beyond(3));
        assert!(held[0].is_beyond(2));
        assert!(!held[0].is_beyond(0), "counted once");
        assert!(!held[1].is_beyond(2), "two are left, and hang");
        drop(held.pop());
        assert!(!held[1].is_beyond(1), "an answered one is not doubted");
        assert!(held[1].is_beyond(0));
    }
}
