//! What the operator's commands ask.

use super::{CONFLICT_PAUSE_MAX, CONFLICTS_MAX, Meaning, NoAnswer};
use super::{PostgresStore, commit_failed, delete, open, read_failed, slots};
use crate::jitter::pause;
use crate::store::operator::{Waiting, fault_of_schema, keys_of_slot};
use crate::store::{
    DeleteOutcome, Examination, LeftOver, OperatorStore, RowSeen, StoreError, if_owned,
};
use app::wire::id::{PasteId, Slot};
use async_trait::async_trait;
use sqlx::{Connection, PgConnection, Row};

const EXAMINE: &str = "
select
  current_setting('server_version') as version,
  pg_is_in_recovery() as in_recovery,
  case
    when not pg_is_in_recovery()
    then ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int
  end as timeline,
  current_setting('transaction_isolation') as isolation,
  current_setting('default_transaction_read_only')::boolean as read_only,
  current_setting('synchronous_commit') as synchronous_commit,
  current_setting('fsync') as fsync,
  current_setting('full_page_writes') as full_page_writes,
  current_setting('synchronous_standby_names') as standbys,
  (
    select count(*)
    from pg_stat_replication
    where coalesce(sync_state, 'sync') in ('sync', 'quorum')
  ) as standbys_there,
  to_regclass('_sqlx_migrations') is not null and to_regclass('slot') is not null as has_tables";

const SCHEMA: &str = "
select
  (select max(version) from _sqlx_migrations where success) as step,
  has_table_privilege('paste', 'insert')
    and has_table_privilege('paste', 'delete')
    and has_table_privilege('idempotency', 'insert')
    and has_table_privilege('idempotency', 'delete')
    and has_table_privilege('outbox', 'insert')
    and has_table_privilege('outbox', 'delete')
    and has_table_privilege('slot', 'update') as may_write,
  current_user::text as login";

/// The range has the shape of every object key, so that it holds in any collation that puts digits before letters.
pub(super) const ROWS: &str = "
select id, object_key, size_bytes
from paste
where object_key >= $1
  and object_key <= $2
  and object_key > $3
order by object_key
limit $4";

const LEFT_OVER: &str = "
select
  clock.now_ms,
  (select count(*) from outbox) as outbox,
  (select min(created_at) from outbox) as outbox_since,
  (select count(*) from paste where expires_at <= clock.now_ms) as pastes,
  (select min(expires_at) from paste where expires_at <= clock.now_ms) as pastes_since,
  (select count(*) from idempotency where expires_at <= clock.now_ms) as keys,
  (select min(expires_at) from idempotency where expires_at <= clock.now_ms) as keys_since,
  array(select paste_id from outbox order by n limit 3) as first
from (
  select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms
) clock";

/// Locked as by a delete.
pub(super) const TAKE_DOWN: &str = "
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

#[async_trait]
impl OperatorStore for PostgresStore {
    /// On a connection of its own that is not asked who leads: that it is a standby is what the operator must read.
    async fn examine(&self) -> Examination {
        match open::connect_to_any(self.sessions.options()).await {
            Ok(mut connection) => {
                let mut found = Examination::default();
                if let Err(error) = examine(&mut connection, &mut found).await {
                    found.faults.push(format!("it cannot be asked: {error}"));
                }
                connection.close().await.ok();
                found
            }
            Err(error) => Examination {
                faults: vec![format!("it cannot be reached: {error}")],
                ..Examination::default()
            },
        }
    }

    async fn rows_of_slot(
        &self,
        slot: Slot,
        after: Option<&str>,
        rows_max: u32,
    ) -> Result<Vec<RowSeen>, StoreError> {
        let after = after.unwrap_or_default().to_owned();
        let read = self.sessions.read(move |connection| {
            let after = after.clone();
            Box::pin(async move { rows(connection, slot, &after, rows_max).await })
        });
        read.await.map_err(read_failed)
    }

    async fn left_over(&self) -> Result<LeftOver, StoreError> {
        let read = self
            .sessions
            .read(|connection| Box::pin(left_over(connection)));
        read.await.map_err(read_failed)
    }

    /// As a delete: after 40001 the next attempt finds no row and settles it.
    async fn take_down(&self, id: PasteId) -> Result<DeleteOutcome, StoreError> {
        for _ in 0..CONFLICTS_MAX {
            let commit = self
                .sessions
                .commit(move |connection| Box::pin(take_down(connection, id)));
            match commit.await {
                Err(NoAnswer::Meaning(Meaning::Conflict)) => pause(CONFLICT_PAUSE_MAX).await,
                answer => return if_owned(answer.map_err(commit_failed)?),
            }
        }
        Err(StoreError::Unavailable)
    }
}

async fn examine(
    connection: &mut PgConnection,
    found: &mut Examination,
) -> Result<(), sqlx::Error> {
    let row = sqlx::query(EXAMINE).fetch_one(&mut *connection).await?;
    let text = |name: &str| row.try_get::<String, _>(name);
    found.product = format!("PostgreSQL {}", text("version")?);
    if let Some(timeline) = row.try_get::<Option<i32>, _>("timeline")? {
        found.product.push_str(&format!(", timeline {timeline}"));
    }
    let (names, there): (_, i64) = (text("standbys")?, row.try_get("standbys_there")?);
    let isolation = text("isolation")?;
    let wrong = [
        (
            row.try_get("in_recovery")?,
            "it is a standby: name its primary in --shards",
        ),
        (
            row.try_get("read_only")?,
            "its transactions are read-only: default_transaction_read_only is on for the login, the database or the server",
        ),
        (
            isolation != "repeatable read",
            "its sessions do not begin with repeatable read: a pooler between drops the settings of sessions",
        ),
        (
            text("synchronous_commit")? == "off",
            "synchronous_commit is off: an acknowledged save could be lost, so every connection is refused",
        ),
        (
            text("fsync")? == "off",
            "fsync is off: a power loss can lose acknowledged saves",
        ),
        (
            text("full_page_writes")? == "off",
            "full_page_writes is off: a power loss can damage its tables",
        ),
        (
            !names.is_empty() && there == 0,
            "no synchronous standby is connected: commits wait until one is",
        ),
    ];
    let wrong = wrong.into_iter().filter(|(is_so, _)| *is_so);
    found
        .faults
        .extend(wrong.map(|(_, fault)| fault.to_owned()));
    if row.try_get("has_tables")? {
        examine_schema(connection, found).await
    } else {
        found.faults.extend(fault_of_schema(None, open::schema()));
        Ok(())
    }
}

async fn examine_schema(
    connection: &mut PgConnection,
    found: &mut Examination,
) -> Result<(), sqlx::Error> {
    let row = sqlx::query(SCHEMA).fetch_one(&mut *connection).await?;
    let fault = fault_of_schema(row.try_get("step")?, open::schema());
    found.faults.extend(fault);
    if !row.try_get::<bool, _>("may_write")? {
        let login: String = row.try_get("login")?;
        let fault = format!("the login {login} may not write its tables");
        found.faults.push(fault);
    }
    found.owned = Some(slots::owned(connection).await?);
    Ok(())
}

async fn rows(
    connection: &mut PgConnection,
    slot: Slot,
    after: &str,
    rows_max: u32,
) -> Result<Vec<RowSeen>, sqlx::Error> {
    let (first, last) = keys_of_slot(slot);
    let rows: Vec<(String, String, i64)> = sqlx::query_as(ROWS)
        .bind(first)
        .bind(last)
        .bind(after)
        .bind(i64::from(rows_max))
        .fetch_all(connection)
        .await?;
    Ok(rows.into_iter().map(RowSeen::of).collect())
}

async fn left_over(connection: &mut PgConnection) -> Result<LeftOver, sqlx::Error> {
    let row = sqlx::query(LEFT_OVER).fetch_one(connection).await?;
    let now_ms = row.try_get("now_ms")?;
    let waiting = |rows: &str, since: &str| {
        Ok::<_, sqlx::Error>(Waiting::since(
            row.try_get(rows)?,
            row.try_get(since)?,
            now_ms,
        ))
    };
    Ok(LeftOver {
        outbox: waiting("outbox", "outbox_since")?,
        outbox_first: row.try_get("first")?,
        pastes: waiting("pastes", "pastes_since")?,
        keys: waiting("keys", "keys_since")?,
    })
}

/// Whether the shard owns the slot, and then takes the paste down. `fetch_all` reads past the commit.
async fn take_down(
    connection: &mut PgConnection,
    id: PasteId,
) -> Result<(bool, DeleteOutcome), sqlx::Error> {
    let rows = sqlx::query(TAKE_DOWN)
        .bind(i16::from(id.slot().number()))
        .bind(id.as_str())
        .fetch_all(connection)
        .await?;
    delete::outcome(&rows)
}
