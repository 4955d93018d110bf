//! Work that goes on beside the requests: what must happen after a delete, an expiry, or a save that failed half-way.
//!
//! Each worker has a `pass()` that does one bounded piece of work on one shard and returns counts; tests call it
//! directly. In the service a loop repeats it, one loop for each worker and shard, so that a slow or dead shard holds
//! up no other. Several servers may run the same workers at once. Nothing here knows HTTP requests or SQL.

mod reaped;
mod reaper;
mod relay;
mod sightings;
mod sweeper;

pub use reaped::Reaped;
pub use reaper::{Reaper, ReaperRules};
pub use relay::{Objects, Purges, Relayed};
pub use sightings::are_too_many_orphans;
pub use sweeper::{Sweeper, Swept};

use crate::jitter::pause;
use crate::metrics::{PassEnd, PassMetrics, WorkerMetrics};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long a pass that is under way may go on after the service was asked to stop.
///
/// Then it is cut, as a crash would cut it; whoever works next takes up what it left.
const CUT_AFTER: Duration = Duration::from_secs(5);

/// How long a worker rests before its first pass: what the service starts with, its connections above all, is for
/// requests.
const BEFORE_THE_FIRST: Duration = Duration::from_secs(1);

/// How long a worker rests after a pass that panicked.
const AFTER_A_PANIC: Duration = Duration::from_secs(10);

/// A worker of one shard.
pub trait Worker: Send + Sync + 'static {
    /// Its name in logs.
    const NAME: &'static str;

    /// One pass, and how long to rest before the next one. Zero after a pass that left work behind; the loop shortens
    /// a longer rest at random, so that servers that started together do not stay together.
    fn pass_and_rest(&self, metrics: &PassMetrics) -> impl Future<Output = Duration> + Send;
}

/// The loops of all workers.
#[derive(Clone, Debug)]
pub struct Workers {
    loops: TaskTracker,
    stop: CancellationToken,
    cut_after: Duration,
    after_a_panic: Duration,
    before_the_first: Duration,
    metrics: WorkerMetrics,
}

impl Default for Workers {
    fn default() -> Self {
        Self {
            loops: TaskTracker::new(),
            stop: CancellationToken::new(),
            cut_after: CUT_AFTER,
            after_a_panic: AFTER_A_PANIC,
            before_the_first: BEFORE_THE_FIRST,
            metrics: WorkerMetrics::default(),
        }
    }
}

impl Workers {
    /// No workers yet; the passes of those to come are counted.
    #[must_use]
    pub fn measured_by(metrics: WorkerMetrics) -> Self {
        Self {
            metrics,
            ..Self::default()
        }
    }

    /// Begins to repeat a worker's passes.
    pub fn start<W: Worker>(&self, shard: usize, worker: W) {
        let workers = self.clone();
        let metrics = self.metrics.of(W::NAME, shard);
        metrics.started();
        let worker = Arc::new(worker);
        self.loops
            .spawn(async move { workers.repeat(shard, &worker, &metrics).await });
    }

    /// Begins no more passes, and waits a few seconds for those under way.
    pub async fn stop(&self) {
        self.stop.cancel();
        self.loops.close();
        self.loops.wait().await;
    }

    async fn repeat<W: Worker>(&self, shard: usize, worker: &Arc<W>, metrics: &PassMetrics) {
        self.rest(self.before_the_first).await;
        while !self.stop.is_cancelled() {
            let rest = self.pass_in_task(shard, worker, metrics).await;
            self.rest(rest).await;
        }
    }

    async fn rest(&self, rest: Duration) {
        let resting = async {
            sleep(rest / 2).await;
            pause(rest / 2).await;
        };
        if !rest.is_zero() {
            self.stop.run_until_cancelled(resting).await;
        }
    }

    /// In a task of its own, so that a panic ends the pass and not the worker.
    async fn pass_in_task<W: Worker>(
        &self,
        shard: usize,
        worker: &Arc<W>,
        metrics: &PassMetrics,
    ) -> Duration {
        let (worker, pass_metrics) = (Arc::clone(worker), metrics.clone());
        let mut task = tokio::spawn(async move { worker.pass_and_rest(&pass_metrics).await });
        let cut = async {
            self.stop.cancelled().await;
            sleep(self.cut_after).await;
        };
        tokio::select! {
            ended = &mut task => ended.unwrap_or_else(|error| {
                tracing::error!(shard, worker = W::NAME, %error, "a pass ended badly");
                metrics.ended(PassEnd::Panicked);
                self.after_a_panic
            }),
            () = cut => {
                task.abort();
                tracing::warn!(shard, worker = W::NAME, "a pass was cut: the service stops");
                Duration::ZERO
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

    /// Says each pass's number; what the pass does is up to its script.
    struct Scripted<F>(UnboundedSender<usize>, AtomicUsize, F);

    impl<F, P> Worker for Scripted<F>
    where
        F: Fn(usize) -> P + Send + Sync + 'static,
        P: Future<Output = Duration> + Send,
    {
        const NAME: &'static str = "scripted";

        async fn pass_and_rest(&self, _: &PassMetrics) -> Duration {
            let number = self.1.fetch_add(1, Ordering::Relaxed);
            self.0.send(number).ok();
            (self.2)(number).await
        }
    }

    fn scripted<F, P>(script: F) -> (Scripted<F>, tokio::sync::mpsc::UnboundedReceiver<usize>)
    where
        F: Fn(usize) -> P + Send + Sync + 'static,
        P: Future<Output = Duration> + Send,
    {
        let (said, heard) = unbounded_channel();
        (Scripted(said, AtomicUsize::default(), script), heard)
    }

    fn at_once() -> Workers {
        Workers {
            before_the_first: Duration::ZERO,
            ..Workers::default()
        }
    }

    /// A hundred full passes would rest for hours if they did.
    #[tokio::test]
    async fn full_passes_go_on_at_once_and_a_stop_ends_a_rest() {
        let (worker, mut passes) = scripted(async |number| match number {
            0..100 => Duration::ZERO,
            100 => Duration::from_millis(1),
            _ => Duration::from_secs(60 * 60),
        });
        let workers = at_once();
        workers.start(0, worker);
        for number in 0..=101 {
            assert_eq!(passes.recv().await, Some(number));
        }
        workers.stop().await;
        assert_eq!(passes.recv().await, None);
    }

    #[tokio::test]
    async fn a_pass_that_hangs_holds_up_neither_another_shard_nor_the_stop() {
        let (worker, mut passes) = scripted(async |_| std::future::pending().await);
        let (other, mut other_passes) = scripted(async |_| Duration::from_micros(1));
        let workers = Workers {
            cut_after: Duration::from_millis(1),
            ..at_once()
        };
        workers.start(0, worker);
        workers.start(1, other);
        assert_eq!(passes.recv().await, Some(0));
        for number in 0..100 {
            assert_eq!(other_passes.recv().await, Some(number));
        }
        workers.stop().await;
        assert_eq!(passes.recv().await, None);
    }

    #[tokio::test]
    async fn a_pass_that_panics_is_followed_by_a_rest() {
        let (worker, mut passes) = scripted(async |number| match number {
            0 => panic!("a bug"),
            _ => std::future::pending().await,
        });
        let workers = Workers {
            cut_after: Duration::ZERO,
            after_a_panic: Duration::from_millis(1),
            ..at_once()
        };
        workers.start(0, worker);
        assert_eq!(passes.recv().await, Some(0));
        assert_eq!(passes.recv().await, Some(1));
        workers.stop().await;
    }
}
