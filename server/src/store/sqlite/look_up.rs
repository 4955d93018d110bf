//! The look-up of a key.

use crate::store::{Hash, IdempotencyRow, LookUp};
use app::wire::id::Slot;
use sqlx::{Row, SqlitePool};

const LOOK_UP: &str = "
select
  exists (select 1 from slot where slot = $1) as owned,
  i.digest_version,
  i.digest,
  i.answer
from (select 1) one
left join idempotency i
  on i.key_hash = $2
  and i.expires_at > $3";

/// Reads ownership and the live row of a key in one snapshot.
pub(super) async fn look_up(
    readers: &SqlitePool,
    now_ms: i64,
    slot: Slot,
    key_hash: &Hash,
) -> Result<LookUp, sqlx::Error> {
    let row = sqlx::query(LOOK_UP)
        .bind(slot.number())
        .bind(key_hash.as_slice())
        .bind(now_ms)
        .fetch_one(readers)
        .await?;
    let digest_version: Option<u8> = row.try_get("digest_version")?;
    let remembered = match digest_version {
        None => None,
        Some(digest_version) => Some(IdempotencyRow {
            digest_version,
            digest: row.try_get("digest")?,
            answer: row.try_get("answer")?,
        }),
    };
    Ok(LookUp {
        now_ms,
        owned: row.try_get("owned")?,
        row: remembered,
    })
}
