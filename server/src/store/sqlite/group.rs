//! One commit of a SQLite shard for all commands that waited.
//!
//! ```text
//!   [c1 c2 c3 …] ──▶ begin immediate · clock · all creates · c2 · … · commit ──▶ every caller is answered
//! ```
//!
//! Winners and losers are answered after the commit: before it, a loser's look-up would not see the winner.

use super::checkpoint::Checkpoints;
use super::create;
use super::identity::Identity;
use super::link::Link;
use super::member::Member;
use super::writer::{Answer, Command, Reply};
use crate::clock::Clock;
use crate::store::{CreateOutcome, NewPaste, StoreError};
use futures_util::future::BoxFuture;
use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteConnectOptions;

/// The writer's connection, and what its commits need to know.
pub(super) struct Worker {
    link: Link,
    checkpoints: Checkpoints,
    identity: Identity,
    clock: Clock,
}

/// A create and where its outcome goes.
type Create = (Box<NewPaste>, Reply<CreateOutcome>);

/// The group's transaction, or why it is lost.
pub(super) type Open = Result<SqliteConnection, Failure>;

/// Why a group failed, and what its callers may conclude.
pub(super) struct Failure {
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

impl Worker {
    pub(super) fn new(
        connection: SqliteConnection,
        options: SqliteConnectOptions,
        identity: Identity,
        clock: Clock,
    ) -> Self {
        let options = options.create_if_missing(false);
        Self {
            checkpoints: Checkpoints::start(options.clone()),
            link: Link::new(Some(connection), options),
            identity,
            clock,
        }
    }

    /// Commits a group and answers its callers.
    pub(super) async fn commit(&mut self, group: Vec<Command>) {
        let commands = group.len();
        let mut answers = Vec::with_capacity(commands);
        let ended = self.run_group(group, &mut answers).await;
        let outcome = ended.map_err(|failure| {
            tracing::warn!(error = %failure.cause, "a shard's commit failed");
            failure.outcome
        });
        for answer in answers {
            answer(outcome);
        }
        if outcome.is_ok() {
            self.checkpoints.committed(commands);
        }
    }

    pub(super) async fn close(self) {
        self.checkpoints.close().await;
        self.link.close().await;
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
        let (mut creates, mut works) = (Vec::with_capacity(group.len()), Vec::new());
        for command in group {
            match command {
                Command::Create(new, reply) => creates.push((new, reply)),
                Command::Work(work) => works.push(work),
            }
        }
        run_creates(creates, &mut open, now_ms, answers).await;
        for work in works {
            answers.push(work(&mut open, now_ms).await);
        }
        let mut connection = open?;
        sqlx::query("commit")
            .execute(&mut connection)
            .await
            .map_err(Failure::unknown)?;
        self.link.put_back(connection);
        Ok(())
    }

    /// Takes the writer lock.
    async fn begin(&mut self) -> Result<SqliteConnection, sqlx::Error> {
        self.identity.check()?;
        let mut connection = self.link.take().await?;
        sqlx::query("begin immediate")
            .execute(&mut connection)
            .await?;
        Ok(connection)
    }
}

/// All creates in one trip. What stands in their way as a whole stands in the way of the whole group.
async fn run_creates(
    creates: Vec<Create>,
    open: &mut Open,
    now_ms: i64,
    answers: &mut Vec<Answer>,
) {
    if creates.is_empty() {
        return;
    }
    let news: Vec<_> = creates.iter().map(|(new, _)| new.as_ref()).collect();
    let outcomes = run(open, async |connection: &mut _| {
        create::create_all(connection, now_ms, &news).await
    });
    let outcomes = outcomes.await.unwrap_or_default();
    let mut outcomes = outcomes.into_iter();
    for (_, reply) in creates {
        let outcome = outcomes.next().ok_or(StoreError::Unavailable);
        answers.push(answer(outcome, reply));
    }
}

/// A command whose member is given the transaction and the time that was read after the lock was held.
pub(super) fn work<T, M>(member: M, reply: Reply<T>) -> Command
where
    T: Send + 'static,
    M: for<'c> FnOnce(&'c mut SqliteConnection, i64) -> BoxFuture<'c, Member<T>> + Send + 'static,
{
    Command::Work(Box::new(move |open, now_ms| {
        Box::pin(async move {
            let outcome = run(open, async |connection: &mut _| {
                member(connection, now_ms).await
            });
            answer(outcome.await.flatten(), reply)
        })
    }))
}

/// Runs a member unless the transaction is lost already. An error loses it, and drops its connection.
async fn run<T>(
    open: &mut Open,
    member: impl AsyncFnOnce(&mut SqliteConnection) -> Result<T, sqlx::Error>,
) -> Result<T, StoreError> {
    let Ok(connection) = open else {
        return Err(StoreError::Unavailable);
    };
    member(connection).await.map_err(|error| {
        *open = Err(Failure::nothing_committed(error));
        StoreError::Unavailable
    })
}

/// The commit's failure wins over the member's outcome. A caller that no longer listens needs no answer.
fn answer<T: Send + 'static>(outcome: Result<T, StoreError>, reply: Reply<T>) -> Answer {
    Box::new(move |committed| {
        reply.send(committed.and(outcome)).ok();
    })
}
