//! The one writer of a SQLite shard: it takes all waiting commands into one commit.
//!
//! ```text
//!   commands ──▶ [c1 c2 c3 …] ──▶ begin immediate · clock · c1 · c2 · c3 · commit ──▶ every caller is answered
//! ```
//!
//! Winners and losers are answered after the commit: before it, a loser's look-up would not see the winner.

use super::identity::Identity;
use super::member::Member;
use super::{create, delete};
use crate::clock::Clock;
use crate::store::{CreateOutcome, DeleteOutcome, Hash, NewPaste, StoreError};
use app::wire::id::PasteId;
use futures_util::future::BoxFuture;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Commands of one commit. Fifty already take nine tenths of what grouping can gain (measured), and the slowest
/// member waits for all.
const GROUP_MAX: usize = 64;

/// Commands that wait for the next commit; past it callers wait to be let in.
const QUEUE_MAX: usize = 1024;

type Reply<T> = oneshot::Sender<Result<T, StoreError>>;

enum Command {
    Create(Box<NewPaste>, Reply<CreateOutcome>),
    Delete(PasteId, Hash, Reply<DeleteOutcome>),
    Work(Work),
}

/// What is not a client's, in one transaction.
type Work = Box<dyn for<'o> FnOnce(&'o mut Open, i64) -> BoxFuture<'o, Answer> + Send>;

/// An answer that waits for the commit and is given what became of it.
type Answer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

/// The writer's end that callers hold.
#[derive(Debug)]
pub(super) struct Writer {
    commands: mpsc::Sender<Command>,
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
        let (sender, commands) = mpsc::channel(QUEUE_MAX);
        let closing = CancellationToken::new();
        let worker = Worker {
            connection: Some(connection),
            options: options.create_if_missing(false),
            identity,
            clock,
        };
        let task = tokio::spawn(worker.run(commands, closing.clone()));
        Self {
            commands: sender,
            task: Mutex::new(Some(task)),
            closing,
        }
    }

    pub(super) async fn create(&self, new: NewPaste) -> Result<CreateOutcome, StoreError> {
        self.ask(|reply| Command::Create(Box::new(new), reply))
            .await
    }

    pub(super) async fn delete(
        &self,
        id: PasteId,
        token_hash: Hash,
    ) -> Result<DeleteOutcome, StoreError> {
        self.ask(|reply| Command::Delete(id, token_hash, reply))
            .await
    }

    /// What is not a client's; its member is given the time that was read after the lock was held.
    pub(super) async fn work<T, M>(&self, member: M) -> Result<T, StoreError>
    where
        T: Send + 'static,
        M: for<'c> FnOnce(&'c mut SqliteConnection, i64) -> BoxFuture<'c, Member<T>>
            + Send
            + 'static,
    {
        self.ask(|reply| {
            Command::Work(Box::new(move |open, now_ms| {
                Box::pin(async move {
                    let outcome = run_member(open, async |connection: &mut _| {
                        member(connection, now_ms).await
                    });
                    answer(outcome.await, reply)
                })
            }))
        })
        .await
    }

    /// Commits what waits, then closes the connection.
    pub(super) async fn close(&self) {
        self.closing.cancel();
        if let Some(task) = self.task.lock().await.take()
            && let Err(error) = task.await
        {
            tracing::error!(error = %error, "a shard's writer ended badly");
        }
    }

    async fn ask<T>(&self, command: impl FnOnce(Reply<T>) -> Command) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.commands
            .send(command(reply))
            .await
            .map_err(|_| StoreError::Unavailable)?;
        answer.await.map_err(|_| StoreError::Unknown)?
    }
}

struct Worker {
    /// None after the connection failed; the next group opens another.
    connection: Option<SqliteConnection>,
    options: SqliteConnectOptions,
    identity: Identity,
    clock: Clock,
}

impl Worker {
    async fn run(mut self, mut commands: mpsc::Receiver<Command>, closing: CancellationToken) {
        let mut group = Vec::with_capacity(GROUP_MAX);
        loop {
            let received = tokio::select! {
                biased;
                received = commands.recv_many(&mut group, GROUP_MAX) => received,
                () = closing.cancelled() => {
                    commands.close();
                    commands.recv_many(&mut group, GROUP_MAX).await
                }
            };
            if received == 0 {
                break;
            }
            self.commit(std::mem::take(&mut group)).await;
        }
        if let Some(connection) = self.connection.take() {
            connection.close().await.ok();
        }
    }

    async fn commit(&mut self, group: Vec<Command>) {
        let mut answers = Vec::with_capacity(group.len());
        let ended = self.run_group(group, &mut answers).await;
        let outcome = ended.map_err(|failure| {
            tracing::warn!(error = %failure.cause, "a shard's commit failed");
            failure.outcome
        });
        for answer in answers {
            answer(outcome);
        }
    }

    /// Runs the members and commits. Every command leaves its answer, whatever happens.
    ///
    /// The connection is kept only after a commit that went well; dropping it rolls back.
    async fn run_group(
        &mut self,
        group: Vec<Command>,
        answers: &mut Vec<Answer>,
    ) -> Result<(), Failure> {
        let begun = self.begin().await;
        // Read only now that the lock is held: a clock read before would let a create pass its deadline in the queue.
        let now_ms = self.clock.now_ms();
        let mut open = begun.map_err(Failure::nothing_committed);
        for command in group {
            answers.push(command.run(&mut open, now_ms).await);
        }
        let mut connection = open?;
        sqlx::query("commit")
            .execute(&mut connection)
            .await
            .map_err(Failure::unknown)?;
        self.connection = Some(connection);
        Ok(())
    }

    /// Takes the writer lock.
    async fn begin(&mut self) -> Result<SqliteConnection, sqlx::Error> {
        self.identity.check()?;
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => SqliteConnection::connect_with(&self.options).await?,
        };
        sqlx::query("begin immediate")
            .execute(&mut connection)
            .await?;
        Ok(connection)
    }
}

/// Why a group failed, and what its callers may conclude.
struct Failure {
    cause: sqlx::Error,
    outcome: StoreError,
}

impl Failure {
    fn nothing_committed(cause: sqlx::Error) -> Self {
        Self {
            cause,
            outcome: StoreError::Unavailable,
        }
    }

    fn unknown(cause: sqlx::Error) -> Self {
        Self {
            cause,
            outcome: StoreError::Unknown,
        }
    }
}

/// The group's transaction, or why it is lost.
type Open = Result<SqliteConnection, Failure>;

impl Command {
    async fn run(self, open: &mut Open, now_ms: i64) -> Answer {
        match self {
            Self::Create(new, reply) => {
                let member =
                    async |connection: &mut _| create::create(connection, now_ms, &new).await;
                answer(run_member(open, member).await, reply)
            }
            Self::Delete(id, token_hash, reply) => {
                let member = async |connection: &mut _| {
                    delete::delete(connection, now_ms, id, &token_hash).await
                };
                answer(run_member(open, member).await, reply)
            }
            Self::Work(work) => work(open, now_ms).await,
        }
    }
}

/// Runs a member unless the transaction is lost already. An error that loses the transaction drops its connection.
async fn run_member<T>(
    open: &mut Open,
    member: impl AsyncFnOnce(&mut SqliteConnection) -> Member<T>,
) -> Result<T, StoreError> {
    let Ok(connection) = open else {
        return Err(StoreError::Unavailable);
    };
    match member(connection).await {
        Ok(outcome) => outcome,
        Err(error) => {
            *open = Err(Failure::nothing_committed(error));
            Err(StoreError::Unavailable)
        }
    }
}

/// The commit's failure wins over the member's outcome. A caller that no longer listens needs no answer.
fn answer<T: Send + 'static>(outcome: Result<T, StoreError>, reply: Reply<T>) -> Answer {
    Box::new(move |committed| {
        reply.send(committed.and(outcome)).ok();
    })
}
