//! Transactions of the workers.

use sqlx::{Connection, PgConnection, Postgres, Transaction};

/// Read committed, said explicitly: a bare `begin` inherits the session's repeatable read, under which a row that
/// another worker has just changed is an error, and what was committed during a wait is invisible.
pub(super) async fn begin(
    connection: &mut PgConnection,
) -> Result<Transaction<'_, Postgres>, sqlx::Error> {
    connection
        .begin_with("begin isolation level read committed")
        .await
}
