//! The one writer of a SQLite shard, as its callers hold it; [`super::group`] is what it does.
//!
//! ```text
//!   commands ──▶ [c1 c2 c3 …] ──▶ one commit ──▶ every caller is answered
//!   sweeps ────────────▲ one at a time: with the next commit, or alone when none comes
//! ```

use super::delete;
use super::group::{self, Open, Worker};
use super::identity::Identity;
use super::member::Member;
use crate::clock::Clock;
use crate::store::{CreateOutcome, DeleteOutcome, Hash, NewPaste, StoreError};
use app::wire::id::PasteId;
use futures_util::future::BoxFuture;
use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteConnectOptions;
use std::time::Duration;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

/// Commands of one commit. Fifty already take nine tenths of what grouping can gain (measured), and the slowest
/// member waits for all.
const GROUP_MAX: usize = 64;

/// Commands that wait for the next commit; past it callers wait to be let in.
const QUEUE_MAX: usize = 1024;

/// How long a sweep waits for a commit that it can share. A commit of its own makes the creates that come meanwhile wait
/// for the disk twice. Where no creates come it is a rest between sweeps.
const SWEEP_WAITS: Duration = Duration::from_millis(10);

/// How long a delete is waited for. A create has a deadline of its own.
const DELETE_WITHIN: Duration = Duration::from_secs(8);

/// Where an outcome goes.
pub(super) type Reply<T> = oneshot::Sender<Result<T, StoreError>>;

/// What the writer is asked.
pub(super) enum Command {
    Create(Box<NewPaste>, Reply<CreateOutcome>),
    Work(Work),
}

/// What is not a client's, in one transaction.
pub(super) type Work = Box<dyn for<'o> FnOnce(&'o mut Open, i64) -> BoxFuture<'o, Answer> + Send>;

/// An answer that waits for the commit and is given what became of it.
pub(super) type Answer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

/// The writer's end that callers hold.
#[derive(Debug)]
pub(super) struct Writer {
    commands: mpsc::Sender<Command>,
    sweeps: mpsc::Sender<Command>,
    task: Mutex<Option<JoinHandle<()>>>,
    closing: CancellationToken,
}

impl Writer {
    pub(super) fn start(
        connection: SqliteConnection,
        options: SqliteConnectOptions,
        identity: Identity,
        clock: Clock,
    ) -> Self {
        let (commands, queue) = mpsc::channel(QUEUE_MAX);
        let (sweeps, sweep_queue) = mpsc::channel(1);
        let closing = CancellationToken::new();
        let queues = Queues {
            commands: queue,
            sweeps: sweep_queue,
            sweep: None,
            closing: closing.clone(),
        };
        let worker = Worker::new(connection, options, identity, clock);
        Self {
            commands,
            sweeps,
            task: Mutex::new(Some(tokio::spawn(run(worker, queues)))),
            closing,
        }
    }

    pub(super) async fn create(&self, new: NewPaste) -> Result<CreateOutcome, StoreError> {
        ask(&self.commands, |reply| {
            Command::Create(Box::new(new), reply)
        })
        .await
    }

    /// A delete that is not answered in time may happen yet.
    pub(super) async fn delete(
        &self,
        id: PasteId,
        token_hash: Hash,
    ) -> Result<DeleteOutcome, StoreError> {
        let deleted = self.work(move |connection, now_ms| {
            Box::pin(async move { delete::delete(connection, now_ms, id, &token_hash).await })
        });
        let deleted = timeout(DELETE_WITHIN, deleted).await;
        deleted.unwrap_or(Err(StoreError::Unknown))
    }

    /// What is not a client's; its member is given the time that was read after the lock was held.
    pub(super) async fn work<T, M>(&self, member: M) -> Result<T, StoreError>
    where
        T: Send + 'static,
        M: for<'c> FnOnce(&'c mut SqliteConnection, i64) -> BoxFuture<'c, Member<T>>
            + Send
            + 'static,
    {
        ask(&self.commands, |reply| group::work(member, reply)).await
    }

    /// [`Self::work`] that nobody waits for: it goes with a commit of others if there is one soon.
    pub(super) async fn sweep<T, M>(&self, member: M) -> Result<T, StoreError>
    where
        T: Send + 'static,
        M: for<'c> FnOnce(&'c mut SqliteConnection, i64) -> BoxFuture<'c, Member<T>>
            + Send
            + 'static,
    {
        ask(&self.sweeps, |reply| group::work(member, reply)).await
    }

    /// Commits what waits, then closes the connection.
    pub(super) async fn close(&self) {
        self.closing.cancel();
        if let Some(task) = self.task.lock().await.take()
            && let Err(error) = task.await
            && error.is_panic()
        {
            tracing::error!(error = %error, "a shard's writer ended badly");
        }
    }
}

async fn ask<T>(
    queue: &mpsc::Sender<Command>,
    command: impl FnOnce(Reply<T>) -> Command,
) -> Result<T, StoreError> {
    let (reply, answer) = oneshot::channel();
    let sent = queue.send(command(reply)).await;
    sent.map_err(|_| StoreError::Unavailable)?;
    answer.await.map_err(|_| StoreError::Unknown)?
}

async fn run(mut worker: Worker, mut queues: Queues) {
    loop {
        let group = queues.next_group().await;
        if group.is_empty() {
            break;
        }
        worker.commit(group).await;
    }
    worker.close().await;
}

/// What waits for the writer.
struct Queues {
    commands: mpsc::Receiver<Command>,
    sweeps: mpsc::Receiver<Command>,
    /// A sweep that waits for company, and until when.
    sweep: Option<(Command, Instant)>,
    closing: CancellationToken,
}

impl Queues {
    /// What the next commit holds; nothing once the writer is to close and nothing waits.
    async fn next_group(&mut self) -> Vec<Command> {
        let mut group = Vec::with_capacity(GROUP_MAX);
        loop {
            let patience = self.sweep.as_ref().map(|(_, until)| *until);
            tokio::select! {
                biased;
                _ = self.commands.recv_many(&mut group, GROUP_MAX) => break,
                () = sleep_until(patience.unwrap_or_else(Instant::now)), if patience.is_some() => break,
                Some(sweep) = self.sweeps.recv(), if patience.is_none() => {
                    self.sweep = Some((sweep, Instant::now() + SWEEP_WAITS));
                }
                () = self.closing.cancelled(), if !self.commands.is_closed() => {
                    self.commands.close();
                }
            }
        }
        // While each commit finds the next one's commands waiting, the select never comes to the sweeps.
        let sweep = self.sweep.take().map(|(sweep, _)| sweep);
        group.extend(sweep.or_else(|| self.sweeps.try_recv().ok()));
        group
    }
}
