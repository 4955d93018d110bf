//! The delete: one statement, one transaction.

use crate::store::{DeleteOutcome, Hash};
use app::wire::id::PasteId;
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row};

/// The slot row is locked as by a create: giving the slot up waits for the delete, or the delete finds that it is given
/// up. Otherwise the row could be copied to the slot's new shard, and then be deleted here.
pub(super) const DELETE: &str = "
with s as materialized (
  select slot
  from slot
  where slot = $1
  for key share
),
d as (
  delete from paste
  using s
  where id = $2
    and token_hash = $3
    and expires_at > floor(extract(epoch from clock_timestamp()) * 1000)::bigint
  returning id, object_key
),
o as (
  insert into outbox (paste_id, object_key, created_at)
  select id, object_key, floor(extract(epoch from clock_timestamp()) * 1000)::bigint
  from d
  returning 1
)
select
  (select count(*) from s) as owned,
  (select count(*) from o) as deleted";

pub(super) const IN_OUTBOX: &str = "
select exists (
  select 1
  from outbox
  where paste_id = $1
)";

/// Whether the shard owns the slot, and then deletes a live paste if the token hash matches. `fetch_all` reads past the
/// commit.
pub(super) async fn delete(
    connection: &mut PgConnection,
    id: PasteId,
    token_hash: Hash,
) -> Result<(bool, DeleteOutcome), sqlx::Error> {
    let rows = sqlx::query(DELETE)
        .bind(i16::from(id.slot().number()))
        .bind(id.as_str())
        .bind(token_hash.to_vec())
        .fetch_all(connection)
        .await?;
    outcome(&rows)
}

/// What the counts of a delete say, with a token or without: whether the shard owns the slot, and how it ended.
pub(super) fn outcome(rows: &[PgRow]) -> Result<(bool, DeleteOutcome), sqlx::Error> {
    let row = rows.first().ok_or(sqlx::Error::RowNotFound)?;
    let (owned, deleted): (i64, i64) = (row.try_get("owned")?, row.try_get("deleted")?);
    let outcome = if deleted == 1 {
        DeleteOutcome::Deleted
    } else {
        DeleteOutcome::NotFound
    };
    Ok((owned == 1, outcome))
}

/// Whether an outbox row names the paste.
pub(super) async fn is_in_outbox(
    connection: &mut PgConnection,
    id: PasteId,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(IN_OUTBOX)
        .bind(id.as_str())
        .fetch_one(connection)
        .await
}
