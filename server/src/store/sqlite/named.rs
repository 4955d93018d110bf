//! Which objects have rows: what the reaper asks before it takes one.

use super::json::json_array;
use super::slots;
use crate::store::{StoreError, if_owned};
use app::wire::id::Slot;
use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteExecutor;
use std::collections::HashSet;

/// The outbox counts too: what it names is the relay's. The names come as one parameter, a list in JSON.
const NAMED: &str = "
select asked.value
from json_each($1) asked
where exists (select 1 from paste where object_key = asked.value)
  or exists (select 1 from outbox where object_key = asked.value)";

/// The objects among these that have rows, at one moment.
pub(super) async fn named(
    executor: impl SqliteExecutor<'_>,
    object_keys: &[String],
) -> Result<HashSet<String>, sqlx::Error> {
    let named: Vec<String> = sqlx::query_scalar(NAMED)
        .bind(json_array(&object_keys)?)
        .fetch_all(executor)
        .await?;
    Ok(named.into_iter().collect())
}

/// [`named`], as a member of the writer's transaction: under its lock no create is under way.
pub(super) async fn after_creates(
    connection: &mut SqliteConnection,
    slot: Slot,
    object_keys: &[String],
) -> Result<Result<HashSet<String>, StoreError>, sqlx::Error> {
    let owned = slots::owns(connection, slot).await?;
    Ok(if_owned((owned, named(connection, object_keys).await?)))
}
