//! The outbox as the relay works through it, as members of the writer's transaction.
//!
//! Leases travel as JSON: an array of `[n, attempts]`, or of `[n, attempts, rest_ms]`.

use super::member::{Member, in_savepoint};
use crate::clock::millis;
use crate::store::outbox::{
    BACKLOG_MAX, Backlog, LAST_PURGE_AFTER, Lease, Leased, Outcomes, PUT_OFF_MAX, Step, leased,
};
use serde_json::json;
use sqlx::{Row, SqliteConnection, SqlitePool};
use std::time::Duration;

/// What is due, and then what a wrong clock has put off too far.
const LEASE_OBJECTS: &str = "
savepoint member;
update outbox
set
  object_due_at = $1 + $2,
  object_attempts = object_attempts + 1
where n in (
  select n
  from (
    select n
    from outbox
    where object_due_at <= $1
    order by object_due_at, n
    limit $3
  )
  union all
  select n
  from (
    select n
    from outbox
    where object_due_at > $1 + $5
    order by object_due_at, n
    limit $3
  )
  limit $3
)
returning n, object_attempts as attempts, object_failures as failures, paste_id, object_key, false as is_last;
release member";

const LEASE_PURGES: &str = "
savepoint member;
update outbox
set
  purge_due_at = $1 + $2,
  purge_attempts = purge_attempts + 1
where n in (
  select n
  from (
    select n
    from outbox
    where purge_due_at <= $1
    order by purge_due_at, n
    limit $3
  )
  union all
  select n
  from (
    select n
    from outbox
    where purge_due_at > $1 + $5
    order by purge_due_at, n
    limit $3
  )
  limit $3
)
returning n, purge_attempts as attempts, purge_failures as failures, paste_id, object_key,
  coalesce(object_deleted_at + $4 <= $1, false) as is_last;
release member";

/// A first purge that succeeded before waits for this moment.
const SETTLE_OBJECTS: &str = "
savepoint member;
update outbox
set
  object_due_at = null,
  object_failures = 0,
  object_deleted_at = $1,
  purge_due_at = case when purged_at is null then purge_due_at else $1 + $2 end
from json_each($3) done
where outbox.n = done.value ->> 0
  and object_attempts = done.value ->> 1
returning 1;
delete from outbox
where (n, object_attempts) in (
  select value ->> 0, value ->> 1
  from json_each($4)
)
returning 1;
update outbox
set
  object_due_at = $1 + (failed.value ->> 2),
  object_failures = object_failures + 1
from json_each($5) failed
where outbox.n = failed.value ->> 0
  and object_attempts = failed.value ->> 1
returning 1;
release member";

/// While the object is there, minimum and sum are null, and the last purge not due. An object that will be deleted, as
/// a wrong clock has it, is gone by now.
const SETTLE_PURGES: &str = "
savepoint member;
update outbox
set
  object_deleted_at = min(object_deleted_at, $1),
  purge_due_at = min(object_deleted_at, $1) + $2,
  purge_failures = 0,
  purged_at = $1
from json_each($3) done
where outbox.n = done.value ->> 0
  and purge_attempts = done.value ->> 1
returning 1;
delete from outbox
where (n, purge_attempts) in (
  select value ->> 0, value ->> 1
  from json_each($4)
)
returning 1;
update outbox
set
  purge_due_at = $1 + (failed.value ->> 2),
  purge_failures = purge_failures + 1
from json_each($5) failed
where outbox.n = failed.value ->> 0
  and purge_attempts = failed.value ->> 1
returning 1;
release member";

/// What has been gone for long enough, and what a wrong clock has as gone far ahead.
const DROP_PURGES: &str = "
savepoint member;
delete from outbox
where n in (
  select n
  from outbox
  where object_deleted_at <= $1 - $2
    or object_deleted_at > $1 + $2
  limit $3
)
returning 1;
release member";

const BACKLOG: &str = "
select
  (select count(*) from (select 1 from outbox limit $1)) as rows,
  (select created_at from outbox order by n limit 1) as oldest_at";

/// Takes leases of a step.
pub(super) async fn lease(
    connection: &mut SqliteConnection,
    now_ms: i64,
    step: Step,
    rows_max: u32,
    lasts: Duration,
) -> Member<Vec<Leased>> {
    let statement = match step {
        Step::Object => LEASE_OBJECTS,
        Step::Purge => LEASE_PURGES,
    };
    let leasing = sqlx::query(statement)
        .bind(now_ms)
        .bind(millis(lasts))
        .bind(rows_max)
        .bind(millis(LAST_PURGE_AFTER))
        .bind(millis(PUT_OFF_MAX));
    let rows = leasing.fetch_all(&mut *connection).await;
    let rows = rows.and_then(|rows| rows.iter().map(leased).collect());
    in_savepoint(connection, "a lease", rows).await
}

/// Records how leased steps went; how many rows still had that lease.
pub(super) async fn settle(
    connection: &mut SqliteConnection,
    now_ms: i64,
    step: Step,
    outcomes: &Outcomes,
) -> Member<u64> {
    let statement = match step {
        Step::Object => SETTLE_OBJECTS,
        Step::Purge => SETTLE_PURGES,
    };
    let failed = outcomes.failed.iter();
    let failed = failed.map(|(lease, rest)| json!([lease.n, lease.attempts, millis(*rest)]));
    let settling = sqlx::query(statement)
        .bind(now_ms)
        .bind(millis(LAST_PURGE_AFTER))
        .bind(leases(&outcomes.done))
        .bind(leases(&outcomes.finished))
        .bind(failed.collect::<serde_json::Value>().to_string());
    let settled = settling.fetch_all(&mut *connection).await;
    let rows = settled.map(|rows| rows.len() as u64);
    in_savepoint(connection, "an outcome", rows).await
}

/// Removes rows whose object has been gone for a while.
pub(super) async fn drop_purges(
    connection: &mut SqliteConnection,
    now_ms: i64,
    rows_max: u32,
) -> Member<u64> {
    let dropping = sqlx::query(DROP_PURGES)
        .bind(now_ms)
        .bind(millis(LAST_PURGE_AFTER))
        .bind(rows_max);
    let dropped = dropping.fetch_all(&mut *connection).await;
    let rows = dropped.map(|rows| rows.len() as u64);
    in_savepoint(connection, "dropping purges", rows).await
}

/// Counts what is still to be carried out.
pub(super) async fn backlog(readers: &SqlitePool, now_ms: i64) -> Result<Backlog, sqlx::Error> {
    let row = sqlx::query(BACKLOG)
        .bind(BACKLOG_MAX)
        .fetch_one(readers)
        .await?;
    Ok(Backlog::of(
        row.try_get("rows")?,
        row.try_get("oldest_at")?,
        now_ms,
    ))
}

fn leases(leases: &[Lease]) -> String {
    let leases = leases.iter().map(|lease| json!([lease.n, lease.attempts]));
    leases.collect::<serde_json::Value>().to_string()
}
