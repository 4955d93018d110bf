//! The delete, as one member of the writer's transaction.

use super::member::{Member, in_savepoint};
use super::slots;
use crate::store::{DeleteOutcome, Hash, if_owned};
use app::wire::id::PasteId;
use sqlx::sqlite::SqliteRow;
use sqlx::{SqliteConnection, SqlitePool};

/// The paste leaves and its outbox row comes. The insert goes first because SQLite cannot feed the rows of a
/// `delete … returning` into it; both see the same snapshot under the writer lock.
const DELETE: &str = "
savepoint member;
insert into outbox (paste_id, object_key, created_at)
select id, object_key, $3
from paste
where id = $1
  and token_hash = $2
  and expires_at > $3
  and exists (select 1 from slot where slot = $4);
delete from paste
where id = $1
  and token_hash = $2
  and expires_at > $3
  and exists (select 1 from slot where slot = $4)
returning 1;
release member";

const IN_OUTBOX: &str = "
select exists (
  select 1
  from outbox
  where paste_id = $1
)";

/// Whether an outbox row names the paste.
pub(super) async fn is_in_outbox(readers: &SqlitePool, id: PasteId) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(IN_OUTBOX)
        .bind(id.as_str())
        .fetch_one(readers)
        .await
}

/// Deletes a live paste if the token hash matches. `now_ms` was read after the writer lock was held.
///
/// The comparison inside the database is of SHA-256 values: its timing tells nothing about a token.
pub(super) async fn delete(
    connection: &mut SqliteConnection,
    now_ms: i64,
    id: PasteId,
    token_hash: &Hash,
) -> Member<DeleteOutcome> {
    let deleted = sqlx::query(DELETE)
        .bind(id.as_str())
        .bind(token_hash.as_slice())
        .bind(now_ms)
        .bind(id.slot().number())
        .fetch_all(&mut *connection)
        .await;
    outcome(connection, id, "a delete", deleted).await
}

/// How a delete ended, with a token or without.
pub(super) async fn outcome(
    connection: &mut SqliteConnection,
    id: PasteId,
    what: &str,
    deleted: Result<Vec<SqliteRow>, sqlx::Error>,
) -> Member<DeleteOutcome> {
    match in_savepoint(connection, what, deleted).await? {
        Ok(rows) if rows.is_empty() => {
            let owned = slots::owns(connection, id.slot()).await?;
            Ok(if_owned((owned, DeleteOutcome::NotFound)))
        }
        deleted => Ok(deleted.map(|_| DeleteOutcome::Deleted)),
    }
}
