//! How the connections of a SQLite shard are opened.

use super::checkpoint::LOG_MAX_PAGES;
use crate::store::schema::{Step, migrator};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection};
use std::path::Path;
use std::time::Duration;

/// The schema's steps, embedded in the binary: number, name, statements. Never edited, only added to.
const MIGRATIONS: [Step; 3] = [
    (
        1,
        "first",
        include_str!("../../../../migrations/sqlite/0001_first.sql"),
    ),
    (
        2,
        "relay",
        include_str!("../../../../migrations/sqlite/0002_relay.sql"),
    ),
    (
        3,
        "gone",
        include_str!("../../../../migrations/sqlite/0003_gone.sql"),
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

/// How long a statement waits for another process that holds the file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a question waits for the one reader.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(2);

const WRITE_NOTHING: &str = "
delete from slot
where slot is null";

/// Options of the writer: WAL for readers that never wait, and FULL so that a commit survives a power loss.
pub(super) fn writer_options(file: &Path) -> SqliteConnectOptions {
    base(file)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .pragma("wal_autocheckpoint", LOG_MAX_PAGES.to_string())
}

/// The writer's connection, after migrations. It comes first: switching to WAL needs the file alone.
pub(super) async fn migrated(file: &Path) -> Result<SqliteConnection, sqlx::Error> {
    let mut connection = SqliteConnection::connect_with(&writer_options(file)).await?;
    migrator(&MIGRATIONS)
        .run_direct(None, &mut connection, false)
        .await?;
    // A file that cannot be written must stop the start, not every save.
    let mut nothing = connection.begin().await?;
    write_nothing(&mut nothing).await?;
    nothing.rollback().await?;
    Ok(connection)
}

/// Fails where a write would fail. To begin is not enough: of a file it may only read, SQLite begins to read.
pub(super) async fn write_nothing(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    sqlx::query(WRITE_NOTHING).execute(connection).await?;
    Ok(())
}

/// A writer's connection to a file that is there already; its schema stays as it is.
pub(super) async fn as_it_is(file: &Path) -> Result<SqliteConnection, sqlx::Error> {
    SqliteConnection::connect_with(&writer_options(file).create_if_missing(false)).await
}

/// Pages that a reader keeps, in KiB: those on the way to a row. The rows' own are the operating system's to keep; of
/// SQLite's default, 2 MB for each connection, four shards would hold 24 MB.
const READER_CACHE_KIB: u32 = 512;

/// Options of the readers. They see every commit that was answered before their statement began.
pub(super) fn reader_options(file: &Path) -> SqliteConnectOptions {
    base(file)
        .pragma("query_only", "on")
        .pragma("cache_size", format!("-{READER_CACHE_KIB}"))
}

/// A reader that is waited for. Each connection is an operating system thread.
pub(super) async fn one_reader(options: SqliteConnectOptions) -> Result<SqlitePool, sqlx::Error> {
    SqlitePoolOptions::new()
        .max_connections(1)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .connect_with(options)
        .await
}

fn base(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(file)
        .busy_timeout(BUSY_TIMEOUT)
        .disable_statement_logging()
}
