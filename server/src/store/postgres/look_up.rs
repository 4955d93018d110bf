//! The look-ups of keys.

use super::source::Question;
use crate::store::{Hash, IdempotencyRow, LookUp};
use app::wire::id::Slot;
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row};

/// All in one snapshot, in the order of the parameters. `limit 1` changes nothing of what a unique key finds, and keeps
/// the planner from reading a whole table for a group whose size it cannot know.
pub(super) const LOOK_UP: &str = "
with clock as materialized (
  select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms
)
select
  clock.now_ms,
  s.slot is not null as owned,
  i.digest_version,
  i.digest,
  i.answer
from clock
cross join unnest($1::smallint[], $2::bytea[]) with ordinality as asked (slot, key_hash, n)
left join lateral (
  select slot.slot
  from slot
  where slot.slot = asked.slot
  limit 1
) s on true
left join lateral (
  select *
  from idempotency
  where idempotency.key_hash = asked.key_hash
    and idempotency.expires_at > clock.now_ms
  limit 1
) i on true
order by asked.n";

/// A look-up of a key on its slot.
#[derive(Clone, Debug)]
pub(super) struct LookUpKey {
    pub(super) slot: Slot,
    pub(super) key_hash: Hash,
}

impl Question for LookUpKey {
    /// The clock, ownership and the live row of the key.
    type Answer = LookUp;

    async fn answer_all(
        connection: &mut PgConnection,
        look_ups: &[Self],
    ) -> Result<Vec<LookUp>, sqlx::Error> {
        let slots: Vec<_> = look_ups
            .iter()
            .map(|key| i16::from(key.slot.number()))
            .collect();
        let key_hashes: Vec<_> = look_ups.iter().map(|key| key.key_hash.as_slice()).collect();
        let rows = sqlx::query(LOOK_UP)
            .bind(slots)
            .bind(key_hashes)
            .fetch_all(connection)
            .await?;
        rows.iter().map(answer).collect()
    }
}

fn answer(row: &PgRow) -> Result<LookUp, sqlx::Error> {
    let digest_version: Option<i16> = row.try_get("digest_version")?;
    let remembered = match digest_version {
        None => None,
        Some(version) => Some(IdempotencyRow {
            digest_version: u8::try_from(version).unwrap_or(u8::MAX),
            digest: row.try_get("digest")?,
            answer: row.try_get("answer")?,
        }),
    };
    Ok(LookUp {
        now_ms: row.try_get("now_ms")?,
        owned: row.try_get("owned")?,
        row: remembered,
    })
}
