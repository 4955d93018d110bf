//! The outbox as the relay works through it.
//!
//! Read committed throughout: rows that another relay has locked are skipped, not failed on.

use super::worker::begin;
use crate::clock::millis;
use crate::store::outbox::{
    BACKLOG_MAX, Backlog, LAST_PURGE_AFTER, Lease, Leased, Outcomes, PUT_OFF_MAX, Step, leased,
};
use sqlx::{PgConnection, Row};
use std::time::Duration;

/// What is due, and then what a wrong clock has put off too far.
const LEASE_OBJECTS: &str = "
with clock as materialized (
  select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms
),
due as materialized (
  select n
  from outbox
  where object_due_at <= (select now_ms from clock)
  order by object_due_at, n
  limit $1
  for update skip locked
),
astray as materialized (
  select n
  from outbox
  where object_due_at > (select now_ms + $3 from clock)
  order by object_due_at, n
  limit $1
  for update skip locked
)
update outbox
set
  object_due_at = clock.now_ms + $2,
  object_attempts = object_attempts + 1
from clock
where n = any ((array(select n from due) || array(select n from astray))[1:$1::int])
returning n, object_attempts as attempts, object_failures as failures, paste_id, object_key, false as is_last";

const LEASE_PURGES: &str = "
with clock as materialized (
  select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms
),
due as materialized (
  select n
  from outbox
  where purge_due_at <= (select now_ms from clock)
  order by purge_due_at, n
  limit $1
  for update skip locked
),
astray as materialized (
  select n
  from outbox
  where purge_due_at > (select now_ms + $4 from clock)
  order by purge_due_at, n
  limit $1
  for update skip locked
)
update outbox
set
  purge_due_at = clock.now_ms + $2,
  purge_attempts = purge_attempts + 1
from clock
where n = any ((array(select n from due) || array(select n from astray))[1:$1::int])
returning n, purge_attempts as attempts, purge_failures as failures, paste_id, object_key,
  coalesce(object_deleted_at + $3 <= clock.now_ms, false) as is_last";

/// In one order, whatever is settled: an update locks rows in the order of its plan, and the relay of objects and that
/// of purges, each with rows the other waits for, would be a deadlock.
const LOCK: &str = "
select n
from outbox
where n = any ($1)
order by n
for update";

/// A first purge that succeeded before waits for this moment.
const OBJECTS_DONE: &str = "
update outbox
set
  object_due_at = null,
  object_failures = 0,
  object_deleted_at = clock.now_ms,
  purge_due_at = case when purged_at is null then purge_due_at else clock.now_ms + $3 end
from
  unnest($1::bigint[], $2::bigint[]) as done (n, attempts),
  (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms) clock
where outbox.n = done.n
  and object_attempts = done.attempts";

/// While the object is there, the sum is null, and the last purge not due. An object that will be deleted, as a wrong
/// clock has it, is gone by now.
const PURGES_DONE: &str = "
update outbox
set
  object_deleted_at = case when object_deleted_at > clock.now_ms then clock.now_ms else object_deleted_at end,
  purge_due_at = case when object_deleted_at > clock.now_ms then clock.now_ms else object_deleted_at end + $3,
  purge_failures = 0,
  purged_at = clock.now_ms
from
  unnest($1::bigint[], $2::bigint[]) as done (n, attempts),
  (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms) clock
where outbox.n = done.n
  and purge_attempts = done.attempts";

const OBJECTS_FINISHED: &str = "
delete from outbox
using unnest($1::bigint[], $2::bigint[]) as done (n, attempts)
where outbox.n = done.n
  and object_attempts = done.attempts";

const PURGES_FINISHED: &str = "
delete from outbox
using unnest($1::bigint[], $2::bigint[]) as done (n, attempts)
where outbox.n = done.n
  and purge_attempts = done.attempts";

const OBJECTS_FAILED: &str = "
update outbox
set
  object_due_at = clock.now_ms + failed.rest_ms,
  object_failures = object_failures + 1
from
  unnest($1::bigint[], $2::bigint[], $3::bigint[]) as failed (n, attempts, rest_ms),
  (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms) clock
where outbox.n = failed.n
  and object_attempts = failed.attempts";

const PURGES_FAILED: &str = "
update outbox
set
  purge_due_at = clock.now_ms + failed.rest_ms,
  purge_failures = purge_failures + 1
from
  unnest($1::bigint[], $2::bigint[], $3::bigint[]) as failed (n, attempts, rest_ms),
  (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms) clock
where outbox.n = failed.n
  and purge_attempts = failed.attempts";

/// What has been gone for long enough, and what a wrong clock has as gone far ahead.
const DROP_PURGES: &str = "
with clock as materialized (
  select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms
),
gone as materialized (
  select n
  from outbox
  where object_deleted_at <= (select now_ms - $2 from clock)
  limit $1
  for update skip locked
),
astray as materialized (
  select n
  from outbox
  where object_deleted_at > (select now_ms + $2 from clock)
  limit $1
  for update skip locked
)
delete from outbox
where n = any ((array(select n from gone) || array(select n from astray))[1:$1::int])";

/// In the order of the key, which is nearly that of the times, and never sorts.
const BACKLOG: &str = "
select
  (select count(*) from (select from outbox order by n limit $1) counted) as rows,
  (select created_at from outbox order by n limit 1) as oldest_at,
  floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms";

/// Takes leases of a step.
pub(super) async fn lease(
    connection: &mut PgConnection,
    step: Step,
    rows_max: i64,
    lasts: Duration,
) -> Result<Vec<Leased>, sqlx::Error> {
    let mut transaction = begin(connection).await?;
    let leasing = match step {
        Step::Object => sqlx::query(LEASE_OBJECTS)
            .bind(rows_max)
            .bind(millis(lasts))
            .bind(millis(PUT_OFF_MAX)),
        Step::Purge => sqlx::query(LEASE_PURGES)
            .bind(rows_max)
            .bind(millis(lasts))
            .bind(millis(LAST_PURGE_AFTER))
            .bind(millis(PUT_OFF_MAX)),
    };
    let rows = leasing.fetch_all(&mut *transaction).await?;
    transaction.commit().await?;
    rows.iter().map(leased).collect()
}

/// Records how leased steps went; how many rows still had that lease.
pub(super) async fn settle(
    connection: &mut PgConnection,
    step: Step,
    outcomes: &Outcomes,
) -> Result<u64, sqlx::Error> {
    let (done, finished, failed) = match step {
        Step::Object => (OBJECTS_DONE, OBJECTS_FINISHED, OBJECTS_FAILED),
        Step::Purge => (PURGES_DONE, PURGES_FINISHED, PURGES_FAILED),
    };
    let mut rows = 0;
    let mut transaction = begin(connection).await?;
    let locking = sqlx::query(LOCK).bind(outcomes.numbers());
    locking.execute(&mut *transaction).await?;
    if !outcomes.done.is_empty() {
        let (n, attempts) = columns(&outcomes.done);
        let recording = sqlx::query(done).bind(n).bind(attempts);
        let recording = recording.bind(millis(LAST_PURGE_AFTER));
        rows += recording.execute(&mut *transaction).await?.rows_affected();
    }
    if !outcomes.finished.is_empty() {
        let (n, attempts) = columns(&outcomes.finished);
        let removing = sqlx::query(finished).bind(n).bind(attempts);
        rows += removing.execute(&mut *transaction).await?.rows_affected();
    }
    if !outcomes.failed.is_empty() {
        let (leases, rests): (Vec<_>, Vec<_>) = outcomes.failed.iter().copied().unzip();
        let (n, attempts) = columns(&leases);
        let rests_ms: Vec<_> = rests.into_iter().map(millis).collect();
        let postponing = sqlx::query(failed).bind(n).bind(attempts).bind(rests_ms);
        rows += postponing.execute(&mut *transaction).await?.rows_affected();
    }
    transaction.commit().await?;
    Ok(rows)
}

/// Removes rows whose object has been gone for a while.
pub(super) async fn drop_purges(
    connection: &mut PgConnection,
    rows_max: i64,
) -> Result<u64, sqlx::Error> {
    let mut transaction = begin(connection).await?;
    let dropping = sqlx::query(DROP_PURGES)
        .bind(rows_max)
        .bind(millis(LAST_PURGE_AFTER));
    let rows = dropping.execute(&mut *transaction).await?.rows_affected();
    transaction.commit().await?;
    Ok(rows)
}

/// Counts what is still to be carried out.
pub(super) async fn backlog(connection: &mut PgConnection) -> Result<Backlog, sqlx::Error> {
    let row = sqlx::query(BACKLOG)
        .bind(i64::from(BACKLOG_MAX))
        .fetch_one(connection)
        .await?;
    Ok(Backlog::of(
        row.try_get("rows")?,
        row.try_get("oldest_at")?,
        row.try_get("now_ms")?,
    ))
}

fn columns(leases: &[Lease]) -> (Vec<i64>, Vec<i64>) {
    leases.iter().map(|lease| (lease.n, lease.attempts)).unzip()
}
