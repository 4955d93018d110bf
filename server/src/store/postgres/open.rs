//! How connections to a PostgreSQL shard are made.

use super::leader::Leader;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, SqlStr};
use std::sync::Arc;
use std::time::Duration;

/// The schema's steps, embedded in the binary: number, name, statements. Never edited, only added to.
const MIGRATIONS: [(i64, &str, &str); 1] = [(
    1,
    "first",
    include_str!("../../../../migrations/postgres/0001_first.sql"),
)];

/// Connections of one shard. PostgreSQL commits in groups by itself; more gain nothing on few cores.
pub(super) const CONNECTIONS_MAX: u32 = 16;

/// How long a caller waits for a connection, making one included.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(2);

/// Connections that rested this long are asked whether they still live before they are used.
const RESTED: Duration = Duration::from_secs(1);

/// What every session runs with. `random_page_cost` keeps the planner from scanning all 256 rows of `slot`; the two
/// timeouts end what a frozen server of ours would hold.
const SESSION: [(&str, &str); 5] = [
    ("default_transaction_isolation", "repeatable read"),
    ("statement_timeout", "5s"),
    ("lock_timeout", "4s"),
    ("idle_in_transaction_session_timeout", "5s"),
    ("random_page_cost", "1.1"),
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
pub(super) fn pool(options: PgConnectOptions, leader: &Arc<Leader>) -> PgPool {
    let leader = Arc::clone(leader);
    PgPoolOptions::new()
        .max_connections(CONNECTIONS_MAX)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .test_before_acquire(false)
        .before_acquire(|connection, rest| {
            Box::pin(async move {
                if rest.idle_for > RESTED {
                    connection.ping().await?;
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

/// Applies what is missing of the schema, over a connection of its own without a statement timeout.
pub(super) async fn migrate(
    options: &PgConnectOptions,
    leader: &Leader,
) -> Result<(), sqlx::Error> {
    let options = options.clone().options([("statement_timeout", "0")]);
    let mut connection = PgConnection::connect_with(&options).await?;
    leader.check(&mut connection).await?;
    let migrated = migrator().run_direct(None, &mut connection, false).await;
    connection.close().await.ok();
    Ok(migrated?)
}

fn migrator() -> Migrator {
    let migrations = MIGRATIONS.map(|(number, name, statements)| {
        Migration::new(
            number,
            name.into(),
            MigrationType::Simple,
            SqlStr::from_static(statements),
            false,
        )
    });
    let mut migrator = Migrator::with_migrations(migrations.to_vec());
    // The release before must run on the schema of the release after.
    migrator.set_ignore_missing(true);
    migrator
}
