//! Work with large texts, aside from the threads that serve requests.
//!
//! There are few turns at it, which bounds the texts in memory. It has threads of its own: the allocator keeps much for
//! each thread that ever rendered a page. And these give way, since what others wait for takes a hundredth as long.

use super::failure::Failure;
use crate::render::give_way;
use std::io;
use std::sync::Arc;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Turns at once; each holds a whole text.
const TURNS: usize = 2;

/// Less than colours give way: for this a reader waits.
const NICENESS: i32 = 5;

/// Where work with large texts is done.
#[derive(Debug)]
pub(super) struct Aside {
    turns: Arc<Semaphore>,
    /// It runs no task, only the threads. None while it is dropped.
    threads: Option<Runtime>,
    handle: Handle,
}

/// A turn at having a text in memory and working with it. None for a short text, which needs none.
///
/// Whoever has one must not wait for another: when all do, nobody goes on.
#[derive(Debug)]
pub(super) struct Turn(Option<(OwnedSemaphorePermit, Handle)>);

impl Aside {
    pub(super) fn new() -> io::Result<Self> {
        let threads = Builder::new_current_thread()
            .max_blocking_threads(TURNS)
            .thread_name("aside")
            .on_thread_start(|| give_way(NICENESS))
            .build()?;
        Ok(Self {
            turns: Arc::new(Semaphore::new(TURNS)),
            handle: threads.handle().clone(),
            threads: Some(threads),
        })
    }

    /// Waits for a turn if the text is large.
    pub(super) async fn turn(&self, is_large: bool) -> Result<Turn, Failure> {
        if !is_large {
            return Ok(Turn(None));
        }
        let permit = Arc::clone(&self.turns).acquire_owned().await;
        let permit = permit.map_err(|_| Failure::Internal)?;
        Ok(Turn(Some((permit, self.handle.clone()))))
    }
}

impl Turn {
    /// Does little work here, and much of it aside and to its end, even when nobody waits for it any more; the turn is
    /// over then.
    pub(super) async fn work<T: Send + 'static>(
        self,
        work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let Some((permit, threads)) = self.0 else {
            return work();
        };
        let working = threads.spawn_blocking(move || {
            let done = work();
            drop(permit);
            done
        });
        working.await.map_err(|_| Failure::Internal)?
    }
}

/// A runtime that is dropped waits for its threads, which no task may do.
impl Drop for Aside {
    fn drop(&mut self) {
        if let Some(threads) = self.threads.take() {
            threads.shutdown_background();
        }
    }
}
