//! The look-up of a key.

use crate::store::{Hash, IdempotencyRow, LookUp};
use app::wire::id::Slot;
use sqlx::{PgConnection, Row};

pub(super) const LOOK_UP: &str = "
select
  clock.now_ms,
  s.slot is not null as owned,
  i.digest_version,
  i.digest,
  i.answer
from (
  select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms
) clock
left join slot s
  on s.slot = $1
left join idempotency i
  on i.key_hash = $2
  and i.expires_at > clock.now_ms";

/// Reads the clock, ownership and the live row of a key in one snapshot.
pub(super) async fn look_up(
    connection: &mut PgConnection,
    slot: Slot,
    key_hash: Hash,
) -> Result<LookUp, sqlx::Error> {
    let row = sqlx::query(LOOK_UP)
        .bind(i16::from(slot.number()))
        .bind(key_hash.to_vec())
        .fetch_one(connection)
        .await?;
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
