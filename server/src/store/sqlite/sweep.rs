//! The sweep of expired rows, as members of the writer's transaction.

use super::member::{Member, in_savepoint};
use crate::clock::millis;
use sqlx::SqliteConnection;
use std::time::Duration;

/// How long an expired row stays in the file, unreadable.
///
/// The file has no clock but this machine's, and a machine may start with a wrong one: up to two days ahead, it takes
/// nothing that lives.
const STAYS: Duration = Duration::from_secs(48 * 60 * 60);

/// Both statements find the same rows: nothing comes between them under the writer lock. An object that the outbox has
/// already is deleted once: the paste leaves all the same, or it would be in the way of every sweep.
const SWEEP_PASTES: &str = "
savepoint member;
insert into outbox (paste_id, object_key, created_at, object_due_at, purge_due_at)
select id, object_key, $1, $1, $1
from paste
where expires_at <= $2
order by expires_at, rowid
limit $3
on conflict (object_key) do nothing;
delete from paste
where rowid in (
  select rowid
  from paste
  where expires_at <= $2
  order by expires_at, rowid
  limit $3
)
returning 1;
release member";

const SWEEP_KEYS: &str = "
savepoint member;
delete from idempotency
where rowid in (
  select rowid
  from idempotency
  where expires_at <= $2
  order by expires_at
  limit $3
)
returning 1;
release member";

/// Replaces expired pastes by outbox rows.
pub(super) async fn pastes(
    connection: &mut SqliteConnection,
    now_ms: i64,
    rows_max: u32,
) -> Member<u64> {
    sweep(connection, SWEEP_PASTES, now_ms, rows_max).await
}

/// Removes expired idempotency rows.
pub(super) async fn keys(
    connection: &mut SqliteConnection,
    now_ms: i64,
    rows_max: u32,
) -> Member<u64> {
    sweep(connection, SWEEP_KEYS, now_ms, rows_max).await
}

async fn sweep(
    connection: &mut SqliteConnection,
    statement: &'static str,
    now_ms: i64,
    rows_max: u32,
) -> Member<u64> {
    let sweeping = sqlx::query(statement)
        .bind(now_ms)
        .bind(now_ms.saturating_sub(millis(STAYS)))
        .bind(rows_max);
    let rows = sweeping.fetch_all(&mut *connection).await;
    let swept = rows.map(|rows| rows.len() as u64);
    in_savepoint(connection, "a sweep", swept).await
}
