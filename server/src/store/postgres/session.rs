//! Running statements on pooled connections so that a caller's patience never leaves one half-way.
//!
//! A statement runs in a task of its own, which owns its connection until the server has answered. A caller that stops
//! waiting abandons the task, not the statement: a cancelled sqlx future would leave its connection in the middle of
//! an answer, or inside a transaction (dependencies.md T44, T45).

use super::leader::Leader;
use super::meaning::Meaning;
use super::open;
use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use sqlx::postgres::{PgConnectOptions, PgPool};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Commits at once, fewer than connections: commits that hang (a standby is gone) leave connections for reads.
const COMMITS_MAX: usize = 12;

/// How long a caller waits for a read.
const READ_WAIT: Duration = Duration::from_secs(4);

/// How long a caller waits for a commit. A commit that waits for a standby is bounded by no server timeout.
const COMMIT_WAIT: Duration = Duration::from_secs(8);

/// How long an abandoned read keeps its connection.
const READ_ABANDONED: Duration = Duration::from_secs(30);

/// How long an abandoned commit keeps its connection: as long as TCP itself would. Closing earlier would free nothing
/// on the server, where it still waits, and would let the next ones pile up there.
const COMMIT_ABANDONED: Duration = Duration::from_secs(15 * 60);

/// Reads repeated on a fresh connection when theirs turns out to be dead.
const READS_MAX: u32 = 3;

/// The connections to one shard.
#[derive(Debug)]
pub(super) struct Sessions {
    options: PgConnectOptions,
    leader: Arc<Leader>,
    pool: Mutex<Pool>,
    commits: Arc<Semaphore>,
}

#[derive(Clone, Debug)]
struct Pool {
    connections: PgPool,
    /// The leader's generation these connections were made under.
    generation: u64,
}

/// Why a statement has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoAnswer {
    /// The server, or the way to it, said no.
    Meaning(Meaning),
    /// The caller's patience ended.
    Abandoned,
}

impl Sessions {
    pub(super) fn new(options: PgConnectOptions) -> Self {
        let leader = Arc::new(Leader::default());
        let pool = Pool {
            connections: open::pool(options.clone(), &leader),
            generation: 0,
        };
        Self {
            options,
            leader,
            pool: Mutex::new(pool),
            commits: Arc::new(Semaphore::new(COMMITS_MAX)),
        }
    }

    pub(super) async fn migrate(&self) -> Result<(), sqlx::Error> {
        open::migrate(&self.options, &self.leader).await
    }

    /// Runs a statement that changes nothing.
    pub(super) async fn read<T, F>(&self, statement: F) -> Result<T, NoAnswer>
    where
        T: Send + 'static,
        F: Fn(&mut PgConnection) -> BoxFuture<'_, Result<T, sqlx::Error>> + Clone + Send + 'static,
    {
        for _ in 1..READS_MAX {
            match self
                .run(statement.clone(), READ_WAIT, READ_ABANDONED, ())
                .await
            {
                Err(NoAnswer::Meaning(Meaning::Lost)) => {}
                answered => return answered,
            }
        }
        self.run(statement, READ_WAIT, READ_ABANDONED, ()).await
    }

    /// Runs a statement that commits. Its place among the commits is held until the server has answered.
    pub(super) async fn commit<T, F>(&self, statement: F) -> Result<T, NoAnswer>
    where
        T: Send + 'static,
        F: Fn(&mut PgConnection) -> BoxFuture<'_, Result<T, sqlx::Error>> + Send + 'static,
    {
        let place = Arc::clone(&self.commits).acquire_owned();
        let Ok(Ok(place)) = timeout(COMMIT_WAIT, place).await else {
            return Err(NoAnswer::Meaning(Meaning::Refused));
        };
        self.run(statement, COMMIT_WAIT, COMMIT_ABANDONED, place)
            .await
    }

    pub(super) async fn close(&self) {
        self.pool().connections.close().await;
    }

    async fn run<T, F, P>(
        &self,
        statement: F,
        wait: Duration,
        abandoned: Duration,
        place: P,
    ) -> Result<T, NoAnswer>
    where
        T: Send + 'static,
        F: Fn(&mut PgConnection) -> BoxFuture<'_, Result<T, sqlx::Error>> + Send + 'static,
        P: Send + 'static,
    {
        let pool = self.pool();
        let leader = Arc::clone(&self.leader);
        let task = tokio::spawn(async move {
            let answer = on_connection(&pool, &leader, statement, abandoned).await;
            drop(place);
            answer
        });
        match timeout(wait, task).await {
            Ok(Ok(answer)) => answer.map_err(NoAnswer::Meaning),
            Ok(Err(_)) => Err(NoAnswer::Meaning(Meaning::Bug)),
            Err(_) => Err(NoAnswer::Abandoned),
        }
    }

    /// The pool under the newest leader. Connections made under an older one are not used again.
    fn pool(&self) -> Pool {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        let generation = self.leader.generation();
        if pool.generation != generation {
            let old = std::mem::replace(
                &mut *pool,
                Pool {
                    connections: open::pool(self.options.clone(), &self.leader),
                    generation,
                },
            );
            tokio::spawn(async move { old.connections.close().await });
        }
        pool.clone()
    }
}

async fn on_connection<T, F>(
    pool: &Pool,
    leader: &Leader,
    statement: F,
    abandoned: Duration,
) -> Result<T, Meaning>
where
    F: Fn(&mut PgConnection) -> BoxFuture<'_, Result<T, sqlx::Error>>,
{
    let acquired = pool.connections.acquire().await;
    let mut connection = acquired.map_err(|error| log(&error, unreached(Meaning::of(&error))))?;
    if leader.generation() != pool.generation {
        drop(connection.detach());
        return Err(Meaning::Unreachable);
    }
    let answer = timeout(abandoned, statement(&mut connection)).await;
    let meaning = match answer {
        Ok(Ok(answer)) => return Ok(answer),
        Ok(Err(error)) => log(&error, Meaning::of(&error)),
        Err(_) => Meaning::Lost,
    };
    if !meaning.leaves_connection() {
        drop(connection.detach());
    }
    Err(meaning)
}

/// Whatever went wrong while connecting, no statement was sent.
fn unreached(meaning: Meaning) -> Meaning {
    match meaning {
        Meaning::Refused => Meaning::Refused,
        _ => Meaning::Unreachable,
    }
}

/// Logs the SQLSTATE, never the server's text: it may quote a row.
fn log(error: &sqlx::Error, meaning: Meaning) -> Meaning {
    let sqlstate = error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code);
    let sqlstate = sqlstate.as_deref().unwrap_or("none");
    match meaning {
        Meaning::KeyTaken | Meaning::IdTaken | Meaning::Conflict => {}
        Meaning::Bug => tracing::error!(sqlstate, "a statement failed that should not"),
        _ => tracing::warn!(sqlstate, ?meaning, "a shard did not answer as hoped"),
    }
    meaning
}
