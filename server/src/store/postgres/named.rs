//! Which objects have rows: what the reaper asks before it takes one.

use app::wire::id::Slot;
use sqlx::{Connection, PgConnection};
use std::collections::HashSet;

/// The outbox counts too: what it names is the relay's.
pub(super) const NAMED: &str = "
select object_key
from paste
where object_key = any($1::text[])
union all
select object_key
from outbox
where object_key = any($1::text[])";

/// Creates hold the row `for key share` until they end, and overtake whoever waits for it: each one that ends starts
/// `lock_timeout` anew, so that only `statement_timeout` bounds the wait (database.md §4). What a frozen server of ours
/// holds is freed by `idle_in_transaction_session_timeout`, which every session has.
pub(super) const BARRIER: &str = "
select slot
from slot
where slot = $1
for update";

const BOUND: &str = "
set local statement_timeout = '1s'";

/// The objects among these that have rows, at one moment.
pub(super) async fn named(
    connection: &mut PgConnection,
    object_keys: &[String],
) -> Result<HashSet<String>, sqlx::Error> {
    let named: Vec<String> = sqlx::query_scalar(NAMED)
        .bind(object_keys)
        .fetch_all(connection)
        .await?;
    Ok(named.into_iter().collect())
}

/// Whether the shard owns the slot, and then which objects have rows once every create under way there has ended.
///
/// Two statements, and read committed: the second one must see what committed while the first one waited. The answer
/// counts only after the commit, which waits for a synchronous standby and so proves that this primary still leads.
pub(super) async fn after_creates(
    connection: &mut PgConnection,
    slot: Slot,
    object_keys: &[String],
) -> Result<(bool, HashSet<String>), sqlx::Error> {
    let mut transaction = connection
        .begin_with("begin isolation level read committed")
        .await?;
    sqlx::query(BOUND).execute(&mut *transaction).await?;
    let held: Option<i16> = sqlx::query_scalar(BARRIER)
        .bind(i16::from(slot.number()))
        .fetch_optional(&mut *transaction)
        .await?;
    let found = named(&mut transaction, object_keys).await?;
    transaction.commit().await?;
    Ok((held.is_some(), found))
}
