//! Which slots the shard owns.

use super::worker::begin;
use app::wire::id::Slot;
use sqlx::PgConnection;

const MISSING: &str = "
select to_regclass('slot') is null";

const OWNED: &str = "
select slot
from slot
order by slot";

const LOCK: &str = "
lock table slot
in share row exclusive mode";

const CLAIM: &str = "
insert into slot (slot)
select unnest($1::smallint[])";

/// Whether there is no table of slots.
pub(super) async fn are_missing(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(MISSING).fetch_one(connection).await
}

/// The slots in the shard's table, ascending.
pub(super) async fn owned(connection: &mut PgConnection) -> Result<Vec<Slot>, sqlx::Error> {
    let numbers: Vec<i16> = sqlx::query_scalar(OWNED).fetch_all(connection).await?;
    let numbers = numbers.into_iter().map(u8::try_from);
    numbers
        .map(|number| number.map(Slot::new))
        .collect::<Result<_, _>>()
        .map_err(|error| sqlx::Error::Decode(Box::new(error)))
}

/// Inserts the slots into an empty table, in one transaction. A table that is not empty stays as it is.
///
/// Read committed, since the check must see what another server committed while this one waited for the lock.
pub(super) async fn claim(
    connection: &mut PgConnection,
    slots: Vec<Slot>,
) -> Result<bool, sqlx::Error> {
    let mut transaction = begin(connection).await?;
    sqlx::query(LOCK).execute(&mut *transaction).await?;
    let claimed = owned(&mut transaction).await?.is_empty();
    if claimed {
        let numbers: Vec<i16> = slots.iter().map(|slot| i16::from(slot.number())).collect();
        sqlx::query(CLAIM)
            .bind(numbers)
            .execute(&mut *transaction)
            .await?;
    }
    transaction.commit().await?;
    Ok(claimed)
}
