//! The create, as one member of the writer's transaction.

use super::member::{Member, undo_member};
use crate::clock::millis;
use crate::store::{CreateOutcome, NewPaste, StoreError};
use app::wire::limits::IDEMPOTENCY_SECONDS;
use sqlx::SqliteConnection;
use std::time::Duration;

/// How long the row lives, by the shard's clock.
const IDEMPOTENCY_LIFE: Duration = Duration::from_secs(IDEMPOTENCY_SECONDS);

/// The whole create in one trip to the connection's thread.
///
/// The savepoint keeps a failed member from leaving its idempotency row behind in the group's commit. An expired row
/// of the same key goes in the same step. Both inserts read `slot`: a shard that does not own it inserts nothing.
const CREATE: &str = "
savepoint member;
delete from idempotency
where key_hash = $1
  and expires_at <= $2;
insert into idempotency (key_hash, digest_version, digest, answer, expires_at)
select $1, $3, $4, $5, $6
from slot
where slot = $7;
insert into paste (id, object_key, token_hash, title, syntax, size_bytes, sha256, created_at, expires_at)
select $8, $9, $10, $11, $12, $13, $14, $15, $16
from slot
where slot = $7
returning 1;
release member";

/// Inserts both rows, or neither. `now_ms` was read after the writer lock was held.
pub(super) async fn create(
    connection: &mut SqliteConnection,
    now_ms: i64,
    new: &NewPaste,
) -> Member<CreateOutcome> {
    if now_ms >= new.deadline_ms {
        return Ok(Ok(CreateOutcome::TooLate));
    }
    match insert(connection, now_ms, new).await {
        Ok(true) => Ok(Ok(CreateOutcome::Created)),
        Ok(false) => Ok(Ok(CreateOutcome::NotOwned)),
        Err(error) => {
            undo_member(connection).await?;
            Ok(violation(&error).ok_or_else(|| {
                tracing::warn!(error = %error, "a create failed in its shard");
                StoreError::Unavailable
            }))
        }
    }
}

async fn insert(
    connection: &mut SqliteConnection,
    now_ms: i64,
    new: &NewPaste,
) -> Result<bool, sqlx::Error> {
    let paste = &new.paste;
    let rows = sqlx::query(CREATE)
        .bind(new.key_hash.as_slice())
        .bind(now_ms)
        .bind(new.remembered.digest_version)
        .bind(new.remembered.digest.as_slice())
        .bind(new.remembered.answer.as_slice())
        .bind(now_ms.saturating_add(millis(IDEMPOTENCY_LIFE)))
        .bind(paste.id.slot().number())
        .bind(paste.id.as_str())
        .bind(paste.object_key.as_str())
        .bind(new.token_hash.as_slice())
        .bind(paste.title.as_deref())
        .bind(paste.syntax.as_deref())
        .bind(i64::try_from(paste.size_bytes).unwrap_or(i64::MAX))
        .bind(paste.sha256.as_slice())
        .bind(paste.created_at_ms)
        .bind(paste.expires_at_ms)
        .fetch_all(&mut *connection)
        .await?;
    Ok(!rows.is_empty())
}

/// Tells the constraints apart. SQLite names the columns of a violated constraint, never the constraint itself.
fn violation(error: &sqlx::Error) -> Option<CreateOutcome> {
    let error = error.as_database_error()?;
    if !error.is_unique_violation() {
        return None;
    }
    match error.message().rsplit(' ').next()? {
        "idempotency.key_hash" => Some(CreateOutcome::KeyTaken),
        "paste.id" | "paste.object_key" => Some(CreateOutcome::IdTaken),
        _ => None,
    }
}
