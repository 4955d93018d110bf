//! The create: one statement, one transaction.

use crate::clock::millis;
use crate::store::{CreateOutcome, NewPaste};
use app::wire::limits::IDEMPOTENCY_SECONDS;
use sqlx::{PgConnection, Row};
use std::time::Duration;

/// How long the row lives, by the shard's clock.
const IDEMPOTENCY_LIFE: Duration = Duration::from_secs(IDEMPOTENCY_SECONDS);

/// Each step is a materialized CTE fed by the one before, so that the clock is read after the slot row is locked and
/// the key is the first constraint to fire. A clock in the same `where`, in a plain subquery, or a lock left to a
/// foreign key is evaluated in the wrong order, and commits a paste whose object the reaper has deleted (shown in
/// database.md §2).
pub(super) const CREATE: &str = "
with s as materialized (
  select slot
  from slot
  where slot = $1
  for key share
),
ok as materialized (
  select clock.now_ms
  from s, lateral (
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms, s.slot
  ) clock
  where clock.now_ms < $2
),
expired as (
  delete from idempotency
  using ok
  where key_hash = $3
    and expires_at <= ok.now_ms
  returning 1
),
cleared as materialized (
  select count(*) as n
  from expired
),
i as (
  insert into idempotency (key_hash, digest_version, digest, answer, expires_at)
  select $3, $4, $5, $6, ok.now_ms + $7
  from ok, cleared
  returning 1
),
p as (
  insert into paste (id, object_key, token_hash, title, syntax, size_bytes, sha256, created_at, expires_at)
  select $8, $9, $10, $11, $12, $13, $14, $15, $16
  from ok, i
  returning 1
)
select
  (select count(*) from s) as owned,
  (select count(*) from ok) as in_time,
  (select count(*) from p) as created";

/// Inserts both rows, or neither.
///
/// The answer counts only once the server is ready again, after the commit; `fetch_all` reads that far.
pub(super) async fn create(
    connection: &mut PgConnection,
    new: &NewPaste,
) -> Result<CreateOutcome, sqlx::Error> {
    let paste = &new.paste;
    let rows = sqlx::query(CREATE)
        .bind(i16::from(paste.id.slot().number()))
        .bind(new.deadline_ms)
        .bind(new.key_hash.as_slice())
        .bind(i16::from(new.remembered.digest_version))
        .bind(new.remembered.digest.as_slice())
        .bind(new.remembered.answer.as_slice())
        .bind(millis(IDEMPOTENCY_LIFE))
        .bind(paste.id.as_str())
        .bind(paste.object_key.as_str())
        .bind(new.token_hash.as_slice())
        .bind(paste.title.as_deref())
        .bind(paste.syntax.as_deref())
        .bind(i64::try_from(paste.size_bytes).unwrap_or(i64::MAX))
        .bind(paste.sha256.as_slice())
        .bind(paste.created_at_ms)
        .bind(paste.expires_at_ms)
        .fetch_all(connection)
        .await?;
    let row = rows.first().ok_or(sqlx::Error::RowNotFound)?;
    let counts: (i64, i64, i64) = (
        row.try_get("owned")?,
        row.try_get("in_time")?,
        row.try_get("created")?,
    );
    match counts {
        (1, 1, 1) => Ok(CreateOutcome::Created),
        (0, _, _) => Ok(CreateOutcome::NotOwned),
        _ => Ok(CreateOutcome::TooLate),
    }
}
