//! The delete: one statement, one transaction.

use crate::store::{DeleteOutcome, Hash};
use app::wire::id::PasteId;
use sqlx::PgConnection;

pub(super) const DELETE: &str = "
with d as (
  delete from paste
  where id = $1
    and token_hash = $2
    and expires_at > floor(extract(epoch from clock_timestamp()) * 1000)::bigint
  returning id, object_key
)
insert into outbox (paste_id, object_key, created_at)
select id, object_key, floor(extract(epoch from clock_timestamp()) * 1000)::bigint
from d
returning 1";

pub(super) const IN_OUTBOX: &str = "
select exists (
  select 1
  from outbox
  where paste_id = $1
)";

/// Deletes a live paste if the token hash matches. `fetch_all` reads past the commit.
pub(super) async fn delete(
    connection: &mut PgConnection,
    id: PasteId,
    token_hash: Hash,
) -> Result<DeleteOutcome, sqlx::Error> {
    let rows = sqlx::query(DELETE)
        .bind(id.as_str())
        .bind(token_hash.to_vec())
        .fetch_all(connection)
        .await?;
    Ok(if rows.is_empty() {
        DeleteOutcome::NotFound
    } else {
        DeleteOutcome::Deleted
    })
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
