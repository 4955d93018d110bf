//! Which slots the shard owns.

use app::wire::id::Slot;
use sqlx::{SqliteConnection, SqlitePool};

const OWNED: &str = "
select slot
from slot
order by slot";

const OWNS: &str = "
select exists (
  select 1
  from slot
  where slot = $1
)";

const CLAIM: &str = "
insert into slot (slot)
values ($1)";

/// The slots in the shard's table, ascending.
pub(super) async fn owned(readers: &SqlitePool) -> Result<Vec<Slot>, sqlx::Error> {
    let numbers: Vec<u8> = sqlx::query_scalar(OWNED).fetch_all(readers).await?;
    Ok(numbers.into_iter().map(Slot::new).collect())
}

/// Whether the shard owns a slot, as the writer's transaction sees it.
pub(super) async fn owns(
    connection: &mut SqliteConnection,
    slot: Slot,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(OWNS)
        .bind(slot.number())
        .fetch_one(connection)
        .await
}

/// Inserts the slots into an empty table, inside the writer's transaction. A table that is not empty stays as it is.
pub(super) async fn claim(
    connection: &mut SqliteConnection,
    slots: &[Slot],
) -> Result<bool, sqlx::Error> {
    let taken: Option<u8> = sqlx::query_scalar(OWNED)
        .fetch_optional(&mut *connection)
        .await?;
    if taken.is_some() {
        return Ok(false);
    }
    for slot in slots {
        sqlx::query(CLAIM)
            .bind(slot.number())
            .execute(&mut *connection)
            .await?;
    }
    Ok(true)
}
