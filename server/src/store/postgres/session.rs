//! The sessions with one shard: reads are repeated when their connection turns out to be dead, commits never are.

use super::leader::Leader;
use super::meaning::Meaning;
use super::open;
use super::pool::{NoAnswer, Patience, Pool};
use super::pulse::Pulse;
use crate::metrics::SqlMetrics;
use crate::store::Connections;
use app::wire::id::Slot;
use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use sqlx::postgres::PgConnectOptions;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long a read is waited for, and how long it keeps its connection. Longer than a statement may take: what is merely
/// slow ends as PostgreSQL's own error, and only a server that says nothing is taken for gone.
pub(super) const READ: Patience = Patience {
    wait: Duration::from_secs(6),
    abandoned: Duration::from_secs(30),
};

/// Reads repeated on a fresh connection when theirs turns out to be dead.
const READS_MAX: u32 = 3;

/// How much of a shard one server uses. The defaults are the service's; tests need less.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections. PostgreSQL commits in groups by itself; more gain nothing on few cores.
    pub connections_max: u32,
    /// Commits at once, fewer than connections.
    pub commits_max: usize,
    /// How long a caller waits for a commit. One that waits for a standby is bounded by no server timeout. So often
    /// the server is then asked whether it still hangs.
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
    metrics: SqlMetrics,
    pool: Mutex<Pool>,
}

impl Sessions {
    pub(super) fn new(options: PgConnectOptions, limits: Limits, metrics: SqlMetrics) -> Self {
        let (leader, pulse) = <(Arc<Leader>, Arc<Pulse>)>::default();
        let pool = Pool::new(&options, limits, &leader, &pulse, &metrics);
        Self {
            options,
            limits,
            leader,
            pulse,
            metrics,
            pool: Mutex::new(pool),
        }
    }

    pub(super) fn options(&self) -> &PgConnectOptions {
        &self.options
    }

    pub(super) async fn is_new(&self) -> Result<bool, sqlx::Error> {
        open::is_new(&self.options, &self.leader).await
    }

    pub(super) async fn migrate(&self) -> Result<(), sqlx::Error> {
        open::migrate(&self.options, &self.leader).await
    }

    pub(super) async fn bring_up(&self) -> Result<Option<Vec<Slot>>, sqlx::Error> {
        open::bring_up(&self.options, &self.leader).await
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

    /// Runs a statement that commits. Its place among the commits is held until the server has answered, or the commit
    /// does not hang there any more. The place is waited for as long as the answer.
    pub(super) async fn commit<T, F>(&self, statement: F) -> Result<T, NoAnswer>
    where
        T: Send + 'static,
        F: Fn(&mut PgConnection) -> BoxFuture<'_, Result<T, sqlx::Error>> + Send + 'static,
    {
        let pool = self.pool();
        let patience = Patience {
            wait: self.limits.commit_wait,
            abandoned: self.limits.commit_wait,
        };
        match pool.places.take(patience.wait).await {
            Some(place) => pool.run(statement, patience, Some(place)).await,
            None => {
                tracing::warn!("a commit got no place: those before it hang, or are too many");
                Err(NoAnswer::Meaning(Meaning::Refused))
            }
        }
    }

    pub(super) fn connections(&self) -> Connections {
        Connections::of(&self.pool().connections)
    }

    pub(super) async fn close(&self) {
        self.pool().connections.close().await;
    }

    /// The pool under the newest leader. Connections made under an older one are not used again.
    fn pool(&self) -> Pool {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if !pool.is_of_newest_leader() {
            let newest = Pool::new(
                &self.options,
                self.limits,
                &self.leader,
                &self.pulse,
                &self.metrics,
            );
            let old = std::mem::replace(&mut *pool, newest);
            tokio::spawn(async move { old.connections.close().await });
        }
        pool.clone()
    }
}
