//! One statement on a pooled connection, so that a caller's patience never leaves it half-way.
//!
//! A statement runs in a task of its own, which owns its connection until the server has answered. A caller that stops
//! waiting abandons the task, not the statement: a cancelled sqlx future would leave its connection in the middle of
//! an answer, or inside a transaction (dependencies.md T44, T45).

use super::leader::Leader;
use super::meaning::Meaning;
use super::open;
use super::places::{Place, Places};
use super::pulse::Pulse;
use super::session::Limits;
use crate::metrics::SqlMetrics;
use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use sqlx::postgres::{PgConnectOptions, PgPool};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::{Instant as Moment, sleep_until, timeout};

/// What is used together while one primary leads.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    pub(super) connections: PgPool,
    pub(super) places: Arc<Places>,
    /// The leader's generation these connections were made under.
    generation: u64,
    leader: Arc<Leader>,
    pub(super) pulse: Arc<Pulse>,
    metrics: SqlMetrics,
}

/// How long a statement may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// Until its caller stops waiting.
    pub(super) wait: Duration,
    /// Until its connection is given up. A commit's is not before the server has been asked, each time so much later.
    pub(super) abandoned: Duration,
}

/// Why a statement has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoAnswer {
    /// The server, or the way to it, said no.
    Meaning(Meaning),
    /// The caller's patience ended.
    Abandoned,
}

impl Pool {
    pub(super) fn new(
        options: &PgConnectOptions,
        limits: Limits,
        leader: &Arc<Leader>,
        pulse: &Arc<Pulse>,
        metrics: &SqlMetrics,
    ) -> Self {
        Self {
            generation: leader.generation(),
            connections: open::pool(options.clone(), limits.connections_max, leader, pulse),
            places: Arc::new(Places::new(limits.commits_max)),
            leader: Arc::clone(leader),
            pulse: Arc::clone(pulse),
            metrics: metrics.clone(),
        }
    }

    pub(super) fn is_of_newest_leader(&self) -> bool {
        self.generation == self.leader.generation()
    }

    /// Whether the newest leader is asked over these connections, and the service does not stop.
    pub(super) fn is_in_use(&self) -> bool {
        self.is_of_newest_leader() && !self.connections.is_closed()
    }

    /// Runs a statement in a task, and waits for it as long as a caller would. The task goes on.
    pub(super) async fn run<T, F>(
        self,
        statement: F,
        patience: Patience,
        place: Option<Place>,
    ) -> Result<T, NoAnswer>
    where
        T: Send + 'static,
        F: Fn(&mut PgConnection) -> BoxFuture<'_, Result<T, sqlx::Error>> + Send + 'static,
    {
        let metrics = self.metrics.clone();
        let task = tokio::spawn(self.carry_out(statement, patience, place));
        match timeout(patience.wait, task).await {
            Ok(Ok(answer)) => answer.map_err(NoAnswer::Meaning),
            Ok(Err(_)) => Err(NoAnswer::Meaning(Meaning::Bug)),
            Err(_) => {
                metrics.abandoned();
                Err(NoAnswer::Abandoned)
            }
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
        let begun = Moment::now();
        let given_up = async {
            sleep_until(begun + patience.wait).await;
            match &mut place {
                Some(kept) => {
                    kept.abandon();
                    self.until_it_is_gone(kept, patience.abandoned).await;
                    place = None;
                }
                None => sleep_until(begun + patience.abandoned).await,
            }
        };
        let answer = self.on_connection(statement, given_up).await;
        if let (Err(Meaning::Lost), Some(place)) = (&answer, place) {
            tokio::spawn(self.after_it_was_cut_off(place, begun + patience.wait));
        }
        answer
    }

    async fn on_connection<T, F>(
        &self,
        statement: F,
        given_up: impl Future<Output = ()>,
    ) -> Result<T, Meaning>
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
        let answered = tokio::select! {
            answer = statement(&mut connection) => Some(answer),
            () = given_up => None,
        };
        let answer = match answered {
            // What a primary says that was replaced meanwhile counts for nothing.
            Some(_) if !self.is_of_newest_leader() => Err(Meaning::Lost),
            Some(answer) => answer.map_err(|error| self.meaning(&error)),
            None => Err(Meaning::Lost),
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
        self.metrics.failed(&sqlstate(error));
        match Meaning::of(error) {
            _ if !self.is_of_newest_leader() => Meaning::Lost,
            Meaning::Refused => Meaning::Refused,
            _ if self.pulse.has_answered_since(asked) => Meaning::Refused,
            _ => Meaning::Unreachable,
        }
    }

    /// Counts and logs the SQLSTATE, never the server's text: it may quote a row.
    fn meaning(&self, error: &sqlx::Error) -> Meaning {
        let meaning = Meaning::of(error);
        let sqlstate = &*sqlstate(error);
        self.metrics.failed(sqlstate);
        match meaning {
            Meaning::KeyTaken | Meaning::IdTaken | Meaning::Conflict => {}
            Meaning::Bug => tracing::error!(sqlstate, "a statement failed that should not"),
            _ => tracing::warn!(sqlstate, ?meaning, "a shard did not answer as hoped"),
        }
        meaning
    }
}

/// Of an error that has none, as when the connection is gone: `none`.
fn sqlstate(error: &sqlx::Error) -> Cow<'_, str> {
    let database = error.as_database_error();
    let sqlstate = database.and_then(sqlx::error::DatabaseError::code);
    sqlstate.unwrap_or(Cow::Borrowed("none"))
}
