//! The sweep of expired rows, by the shard's clock.

use super::worker::begin;
use sqlx::PgConnection;

/// A row that a delete, or another sweeper, has locked is skipped. An object that the outbox has already is deleted
/// once: the paste leaves all the same, or it would be in the way of every sweep.
const SWEEP_PASTES: &str = "
with clock as materialized (
  select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms
),
expired as materialized (
  select id
  from paste
  where expires_at <= (select now_ms from clock)
  order by expires_at
  limit $1
  for update skip locked
),
swept as (
  delete from paste
  where id = any (array(select id from expired))
  returning id, object_key
),
scheduled as (
  insert into outbox (paste_id, object_key, created_at, object_due_at, purge_due_at)
  select swept.id, swept.object_key, clock.now_ms, clock.now_ms, clock.now_ms
  from swept, clock
  on conflict on constraint outbox_object_key do nothing
)
select count(*)
from swept";

const SWEEP_KEYS: &str = "
with clock as materialized (
  select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms
),
expired as materialized (
  select key_hash
  from idempotency
  where expires_at <= (select now_ms from clock)
  order by expires_at
  limit $1
  for update skip locked
),
swept as (
  delete from idempotency
  where key_hash = any (array(select key_hash from expired))
  returning 1
)
select count(*)
from swept";

/// Replaces expired pastes by outbox rows, in one commit.
pub(super) async fn pastes(
    connection: &mut PgConnection,
    rows_max: i64,
) -> Result<i64, sqlx::Error> {
    sweep(connection, SWEEP_PASTES, rows_max).await
}

/// Removes expired idempotency rows.
pub(super) async fn keys(connection: &mut PgConnection, rows_max: i64) -> Result<i64, sqlx::Error> {
    sweep(connection, SWEEP_KEYS, rows_max).await
}

async fn sweep(
    connection: &mut PgConnection,
    statement: &'static str,
    rows_max: i64,
) -> Result<i64, sqlx::Error> {
    let mut transaction = begin(connection).await?;
    let sweeping = sqlx::query_scalar(statement).bind(rows_max);
    let swept = sweeping.fetch_one(&mut *transaction).await?;
    transaction.commit().await?;
    Ok(swept)
}
