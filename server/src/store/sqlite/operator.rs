//! What the operator's commands ask.

use super::member::Member;
use super::{SqliteStore, delete, open, slots, unavailable};
use crate::store::operator::{Waiting, fault_of_schema, keys_of_slot};
use crate::store::{DeleteOutcome, Examination, LeftOver, OperatorStore, RowSeen, StoreError};
use app::wire::id::{PasteId, Slot};
use async_trait::async_trait;
use sqlx::{Row, SqliteConnection, SqlitePool};

const EXAMINE: &str = "
select
  sqlite_version() as version,
  (
    select count(*)
    from sqlite_schema
    where type = 'table'
      and name in ('_sqlx_migrations', 'slot')
  ) = 2 as has_tables";

const SCHEMA: &str = "
select max(version)
from _sqlx_migrations
where success";

const ROWS: &str = "
select id, object_key, size_bytes
from paste
where object_key between $1 and $2
  and object_key > $3
order by object_key
limit $4";

const LEFT_OVER: &str = "
select
  (select count(*) from outbox) as outbox,
  (select min(created_at) from outbox) as outbox_since,
  (select count(*) from paste where expires_at <= $1) as pastes,
  (select min(expires_at) from paste where expires_at <= $1) as pastes_since,
  (select count(*) from idempotency where expires_at <= $1) as keys,
  (select min(expires_at) from idempotency where expires_at <= $1) as keys_since";

const OUTBOX_FIRST: &str = "
select paste_id
from outbox
order by n
limit 3";

/// The insert goes first, as in the delete.
const TAKE_DOWN: &str = "
savepoint member;
insert into outbox (paste_id, object_key, created_at)
select id, object_key, $2
from paste
where id = $1
  and exists (select 1 from slot where slot = $3);
delete from paste
where id = $1
  and exists (select 1 from slot where slot = $3)
returning 1;
release member";

#[async_trait]
impl OperatorStore for SqliteStore {
    async fn examine(&self) -> Examination {
        let mut found = Examination::default();
        if let Err(error) = examine(&self.other, &mut found).await {
            found.faults.push(format!("it cannot be read: {error}"));
            return found;
        }
        let write = self.writer.work(|connection, _| {
            Box::pin(async move { open::write_nothing(connection).await.map(Ok) })
        });
        match write.await {
            Ok(()) => {}
            Err(_) => found.faults.push(
                "it cannot be written: another process holds its lock, or may the login not write it?"
                    .into(),
            ),
        }
        found
    }

    async fn rows_of_slot(
        &self,
        slot: Slot,
        after: Option<&str>,
        rows_max: u32,
    ) -> Result<Vec<RowSeen>, StoreError> {
        let (first, last) = keys_of_slot(slot);
        let rows: Vec<(String, String, i64)> = sqlx::query_as(ROWS)
            .bind(first)
            .bind(last)
            .bind(after.unwrap_or_default())
            .bind(rows_max)
            .fetch_all(&self.other)
            .await
            .map_err(unavailable)?;
        Ok(rows.into_iter().map(RowSeen::of).collect())
    }

    async fn left_over(&self) -> Result<LeftOver, StoreError> {
        left_over(&self.other, self.clock.now_ms())
            .await
            .map_err(unavailable)
    }

    async fn take_down(&self, id: PasteId) -> Result<DeleteOutcome, StoreError> {
        self.writer
            .work(move |connection, now_ms| Box::pin(take_down(connection, now_ms, id)))
            .await
    }
}

async fn examine(readers: &SqlitePool, found: &mut Examination) -> Result<(), sqlx::Error> {
    let row = sqlx::query(EXAMINE).fetch_one(readers).await?;
    found.product = format!("SQLite {}", row.try_get::<String, _>("version")?);
    if !row.try_get::<bool, _>("has_tables")? {
        found.faults.extend(fault_of_schema(None, open::schema()));
        return Ok(());
    }
    let applied: Option<i64> = sqlx::query_scalar(SCHEMA).fetch_one(readers).await?;
    found
        .faults
        .extend(fault_of_schema(applied, open::schema()));
    found.owned = Some(slots::owned(readers).await?);
    Ok(())
}

async fn left_over(readers: &SqlitePool, now_ms: i64) -> Result<LeftOver, sqlx::Error> {
    let row = sqlx::query(LEFT_OVER)
        .bind(now_ms)
        .fetch_one(readers)
        .await?;
    let waiting = |rows: &str, since: &str| {
        Ok::<_, sqlx::Error>(Waiting::since(
            row.try_get(rows)?,
            row.try_get(since)?,
            now_ms,
        ))
    };
    Ok(LeftOver {
        outbox: waiting("outbox", "outbox_since")?,
        outbox_first: sqlx::query_scalar(OUTBOX_FIRST).fetch_all(readers).await?,
        pastes: waiting("pastes", "pastes_since")?,
        keys: waiting("keys", "keys_since")?,
    })
}

/// Takes a paste down, as a member of the writer's transaction. `now_ms` was read after the writer lock was held.
pub(super) async fn take_down(
    connection: &mut SqliteConnection,
    now_ms: i64,
    id: PasteId,
) -> Member<DeleteOutcome> {
    let taken = sqlx::query(TAKE_DOWN)
        .bind(id.as_str())
        .bind(now_ms)
        .bind(id.slot().number())
        .fetch_all(&mut *connection)
        .await;
    delete::outcome(connection, id, "a takedown", taken).await
}
