//! Running statements on pooled connections so that a caller's patience never leaves one half-way.
//!
//! A statement runs in a task of its own, which owns its connection until the server has answered. A caller that stops
//! waiting abandons the task, not the statement: a cancelled sqlx future would leave its connection in the middle of
//! an answer, or inside a transaction (dependencies.md T44, T45).

use super::leader::Leader;
use super::meaning::Meaning;
use super::open;
use super::places::{Place, Places};
use super::pulse::Pulse;
use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use sqlx::postgres::{PgConnectOptions, PgPool};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// How long a read is waited for, and how long it keeps its connection.
const READ: Patience = Patience {
    wait: Duration::from_secs(4),
    abandoned: Duration::from_secs(30),
};

/// How long an abandoned commit keeps its connection: as long as TCP itself would. Closing earlier would free nothing
/// on the server, where it still waits, and would let the next ones pile up there.
const COMMIT_ABANDONED: Duration = Duration::from_secs(15 * 60);

/// Reads repeated on a fresh connection when theirs turns out to be dead.
const READS_MAX: u32 = 3;

/// How much of a shard one server uses. The defaults are the service's; tests need less.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections. PostgreSQL commits in groups by itself; more gain nothing on few cores.
    pub connections_max: u32,
    /// Commits at once, fewer than connections.
    pub commits_max: usize,
    /// How long a caller waits for a commit. One that waits for a standby is bounded by no server timeout.
    pub commit_wait: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections_max: 16,
            commits_max: 12,
            commit_wait: Duration::from_secs(8),
        }
    }
}

/// The connections to one shard.
#[derive(Debug)]
pub(super) struct Sessions {
    options: PgConnectOptions,
    limits: Limits,
    leader: Arc<Leader>,
    pulse: Arc<Pulse>,
    pool: Mutex<Pool>,
}

/// What is used together while one primary leads.
#[derive(Clone, Debug)]
struct Pool {
    connections: PgPool,
    places: Arc<Places>,
    /// The leader's generation these connections were made under.
    generation: u64,
    leader: Arc<Leader>,
    pulse: Arc<Pulse>,
}

/// How long a statement may take.
#[derive(Clone, Copy, Debug)]
struct Patience {
    /// Until its caller stops waiting.
    wait: Duration,
    /// Until its connection is given up.
    abandoned: Duration,
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
    pub(super) fn new(options: PgConnectOptions, limits: Limits) -> Self {
        let (leader, pulse) = <(Arc<Leader>, Arc<Pulse>)>::default();
        let pool = Pool::new(&options, limits, &leader, &pulse);
        Self {
            options,
            limits,
            leader,
            pulse,
            pool: Mutex::new(pool),
        }
    }

    pub(super) async fn is_new(&self) -> Result<bool, sqlx::Error> {
        open::is_new(&self.options, &self.leader).await
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
            match self.pool().run(statement.clone(), READ, None).await {
                Err(NoAnswer::Meaning(Meaning::Lost)) => {}
                answered => return answered,
            }
        }
        self.pool().run(statement, READ, None).await
    }

    /// Runs a statement that commits. Its place among the commits is held until the server has answered.
    pub(super) async fn commit<T, F>(&self, statement: F) -> Result<T, NoAnswer>
    where
        T: Send + 'static,
        F: Fn(&mut PgConnection) -> BoxFuture<'_, Result<T, sqlx::Error>> + Send + 'static,
    {
        let pool = self.pool();
        let patience = Patience {
            wait: self.limits.commit_wait,
            abandoned: COMMIT_ABANDONED,
        };
        match pool.places.take(patience.wait).await {
            Some(place) => pool.run(statement, patience, Some(place)).await,
            None => Err(NoAnswer::Meaning(Meaning::Refused)),
        }
    }

    pub(super) async fn close(&self) {
        self.pool().connections.close().await;
    }

    /// The pool under the newest leader. Connections made under an older one are not used again.
    fn pool(&self) -> Pool {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if !pool.is_of_newest_leader() {
            let newest = Pool::new(&self.options, self.limits, &self.leader, &self.pulse);
            let old = std::mem::replace(&mut *pool, newest);
            tokio::spawn(async move { old.connections.close().await });
        }
        pool.clone()
    }
}

impl Pool {
    fn new(
        options: &PgConnectOptions,
        limits: Limits,
        leader: &Arc<Leader>,
        pulse: &Arc<Pulse>,
    ) -> Self {
        Self {
            generation: leader.generation(),
            connections: open::pool(options.clone(), limits.connections_max, leader, pulse),
            places: Arc::new(Places::new(limits.commits_max)),
            leader: Arc::clone(leader),
            pulse: Arc::clone(pulse),
        }
    }

    fn is_of_newest_leader(&self) -> bool {
        self.generation == self.leader.generation()
    }

    /// Runs a statement in a task, and waits for it as long as a caller would. The task goes on.
    async fn run<T, F>(
        self,
        statement: F,
        patience: Patience,
        place: Option<Place>,
    ) -> Result<T, NoAnswer>
    where
        T: Send + 'static,
        F: Fn(&mut PgConnection) -> BoxFuture<'_, Result<T, sqlx::Error>> + Send + 'static,
    {
        let task = tokio::spawn(self.carry_out(statement, patience, place));
        match timeout(patience.wait, task).await {
            Ok(Ok(answer)) => answer.map_err(NoAnswer::Meaning),
            Ok(Err(_)) => Err(NoAnswer::Meaning(Meaning::Bug)),
            Err(_) => Err(NoAnswer::Abandoned),
        }
    }

    async fn carry_out<T, F>(
        self,
        statement: F,
        patience: Patience,
        mut place: Option<Place>,
    ) -> Result<T, Meaning>
    where
        F: Fn(&mut PgConnection) -> BoxFuture<'_, Result<T, sqlx::Error>>,
    {
        let mut running = pin!(self.on_connection(statement, patience.abandoned));
        if let Ok(answer) = timeout(patience.wait, &mut running).await {
            return answer;
        }
        place.as_mut().map(Place::abandon);
        running.await
    }

    async fn on_connection<T, F>(&self, statement: F, abandoned: Duration) -> Result<T, Meaning>
    where
        F: Fn(&mut PgConnection) -> BoxFuture<'_, Result<T, sqlx::Error>>,
    {
        let asked = Instant::now();
        let acquired = self.connections.acquire().await;
        let mut connection = acquired.map_err(|error| self.unreached(&error, asked))?;
        if !self.is_of_newest_leader() {
            drop(connection.detach());
            return Err(Meaning::Lost);
        }
        let answer = match timeout(abandoned, statement(&mut connection)).await {
            Ok(answer) => answer.map_err(|error| log(&error, Meaning::of(&error))),
            Err(_) => Err(Meaning::Lost),
        };
        let failure = answer.as_ref().err().copied();
        self.pulse.note(failure);
        if failure.is_some_and(|meaning| !meaning.leaves_connection()) {
            drop(connection.detach());
        }
        answer
    }

    /// Whatever went wrong while connecting, no statement was sent. A shard that answered others meanwhile is there,
    /// only it has no connection to spare.
    fn unreached(&self, error: &sqlx::Error, asked: Instant) -> Meaning {
        // No row is quoted here: the server has not read any yet.
        tracing::warn!(%error, "no connection to a shard");
        match Meaning::of(error) {
            Meaning::Refused => Meaning::Refused,
            _ if self.pulse.has_answered_since(asked) => Meaning::Refused,
            _ => Meaning::Unreachable,
        }
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
