//! How connections to a PostgreSQL shard are made.

use super::leader::Leader;
use super::pulse::Pulse;
use super::slots;
use crate::store::schema::{Step, migrator};
use app::wire::id::Slot;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions, Connection};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The schema's steps, embedded in the binary: number, name, statements. Never edited, only added to.
const MIGRATIONS: [Step; 3] = [
    (
        1,
        "first",
        include_str!("../../../../migrations/postgres/0001_first.sql"),
    ),
    (
        2,
        "relay",
        include_str!("../../../../migrations/postgres/0002_relay.sql"),
    ),
    (
        3,
        "gone",
        include_str!("../../../../migrations/postgres/0003_gone.sql"),
    ),
];

/// The number of the last step.
pub(super) fn schema() -> i64 {
    MIGRATIONS
        .iter()
        .map(|(number, ..)| *number)
        .max()
        .unwrap_or(0)
}

/// How long a caller waits for a connection, making one included.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(2);

/// How long making a connection may take where there is no pool to bound it.
const CONNECT_WAIT: Duration = Duration::from_secs(2);

/// Connections that rested this long, or while another one was lost, are asked whether they still live before they are used.
const RESTED: Duration = Duration::from_secs(1);

/// How long they may take to answer; then another connection is made.
const PING_WAIT: Duration = Duration::from_millis(500);

/// What every session runs with. A plan is made once: of a statement that takes arrays the server thinks a plan for any
/// number of them dear and would make one for each run, which costs more than the run. `random_page_cost` keeps the
/// planner from scanning all 256 rows of `slot`; the two timeouts end what a frozen server of ours would hold.
const SESSION: [(&str, &str); 6] = [
    ("default_transaction_isolation", "repeatable read"),
    ("statement_timeout", "5s"),
    ("lock_timeout", "4s"),
    ("idle_in_transaction_session_timeout", "5s"),
    ("random_page_cost", "1.1"),
    ("plan_cache_mode", "force_generic_plan"),
];

/// The options of a URL.
pub(super) fn options(url: &str) -> Result<PgConnectOptions, sqlx::Error> {
    let options: PgConnectOptions = url.parse()?;
    Ok(options
        .application_name("oncebin")
        .options(SESSION)
        .disable_statement_logging())
}

/// A pool that connects when it is needed, and asks every connection who it leads to.
pub(super) fn pool(
    options: PgConnectOptions,
    connections_max: u32,
    leader: &Arc<Leader>,
    pulse: &Arc<Pulse>,
) -> PgPool {
    let (leader, pulse) = (Arc::clone(leader), Arc::clone(pulse));
    PgPoolOptions::new()
        .max_connections(connections_max)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .test_before_acquire(false)
        .before_acquire(move |connection, rest| {
            let is_doubtful = rest.idle_for > RESTED || pulse.has_lost_within(rest.idle_for);
            Box::pin(async move {
                if is_doubtful {
                    let asking = timeout(PING_WAIT, connection.ping());
                    asking.await.map_err(|_| sqlx::Error::PoolTimedOut)??;
                }
                Ok(true)
            })
        })
        .after_connect(move |connection, _| {
            let leader = Arc::clone(&leader);
            Box::pin(async move { leader.check(connection).await })
        })
        .connect_lazy_with(options)
}

/// Whether there are no tables yet.
pub(super) async fn is_new(
    options: &PgConnectOptions,
    leader: &Leader,
) -> Result<bool, sqlx::Error> {
    alone(options, leader, are_missing).await
}

/// Applies what is missing of the schema.
pub(super) async fn migrate(
    options: &PgConnectOptions,
    leader: &Leader,
) -> Result<(), sqlx::Error> {
    alone(options, leader, apply).await
}

/// [`is_new`], [`migrate`] unless it is, and which slots the shard owns: a start waits for one connection, not for three.
pub(super) async fn bring_up(
    options: &PgConnectOptions,
    leader: &Leader,
) -> Result<Option<Vec<Slot>>, sqlx::Error> {
    alone(options, leader, owned_by_a_shard).await
}

/// Works on a connection of its own: a pool would try again and again one that is refused. It has no statement timeout,
/// since a step of the schema may take long.
async fn alone<T>(
    options: &PgConnectOptions,
    leader: &Leader,
    work: impl AsyncFnOnce(&mut PgConnection) -> Result<T, sqlx::Error>,
) -> Result<T, sqlx::Error> {
    let options = options.clone().options([("statement_timeout", "0")]);
    let mut connection = connect(&options, leader).await?;
    let done = work(&mut connection).await;
    connection.close().await.ok();
    done
}

async fn owned_by_a_shard(connection: &mut PgConnection) -> Result<Option<Vec<Slot>>, sqlx::Error> {
    if are_missing(connection).await? {
        return Ok(None);
    }
    apply(connection).await?;
    slots::owned(connection).await.map(Some)
}

async fn are_missing(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    let are_missing = timeout(CONNECT_WAIT, slots::are_missing(connection)).await;
    are_missing.map_err(|_| sqlx::Error::PoolTimedOut)?
}

async fn apply(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    Ok(migrator(&MIGRATIONS)
        .run_direct(None, connection, false)
        .await?)
}

/// A connection outside the pool, to whatever is there: only for looking at it.
pub(super) async fn connect_to_any(
    options: &PgConnectOptions,
) -> Result<PgConnection, sqlx::Error> {
    let connected = timeout(CONNECT_WAIT, PgConnection::connect_with(options)).await;
    connected.map_err(|_| sqlx::Error::PoolTimedOut)?
}

/// A connection outside the pool, to the newest leader.
async fn connect(options: &PgConnectOptions, leader: &Leader) -> Result<PgConnection, sqlx::Error> {
    let connecting = async {
        let mut connection = PgConnection::connect_with(options).await?;
        leader.check(&mut connection).await?;
        Ok(connection)
    };
    let connected = timeout(CONNECT_WAIT, connecting).await;
    connected.map_err(|_| sqlx::Error::PoolTimedOut)?
}

#[cfg(test)]
mod tests {
    use super::super::READ_WITHIN;
    use super::super::session::{Limits, READ};
    use super::*;

    fn of_session(name: &str) -> Duration {
        let (_, seconds) = SESSION.iter().find(|(set, _)| *set == name).unwrap();
        let seconds = seconds.strip_suffix('s').unwrap();
        Duration::from_secs(seconds.parse().unwrap())
    }

    #[test]
    fn each_deadline_is_below_the_next() {
        let statement = of_session("statement_timeout");
        let commit = Limits::default().commit_wait;
        let ordered = [
            PING_WAIT,
            ACQUIRE_TIMEOUT,
            of_session("lock_timeout"),
            statement,
            READ.wait,
            READ_WITHIN,
            commit,
        ];
        assert!(ordered.is_sorted_by(|one, next| one < next), "{ordered:?}");
        assert!(READ.wait < READ.abandoned);
        assert!(ACQUIRE_TIMEOUT + statement < commit);
        assert!(of_session("idle_in_transaction_session_timeout") <= statement);
    }
}
