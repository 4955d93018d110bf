//! The look-ups of keys.

use super::reader::{Question, json_array};
use crate::store::{Hash, IdempotencyRow, LookUp};
use app::wire::id::Slot;
use data_encoding::HEXLOWER;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

/// `$1` is a JSON array of pairs: a slot's number and a key's hash in hexadecimal. The answers come in its order.
const LOOK_UP: &str = "
select
  s.slot is not null as owned,
  i.digest_version,
  i.digest,
  i.answer
from json_each($1) asked
left join slot s
  on s.slot = asked.value ->> 0
left join idempotency i
  on i.key_hash = unhex(asked.value ->> 1)
  and i.expires_at > $2
order by asked.key";

/// A look-up of a key on its slot.
#[derive(Debug)]
pub(super) struct LookUpKey {
    pub(super) slot: Slot,
    pub(super) key_hash: Hash,
}

impl Question for LookUpKey {
    /// Ownership and the live row of the key, in one snapshot.
    type Answer = LookUp;

    async fn answer_all(
        connection: &mut SqliteConnection,
        now_ms: i64,
        look_ups: &[Self],
    ) -> Result<Vec<LookUp>, sqlx::Error> {
        let asked: Vec<_> = look_ups
            .iter()
            .map(|key| (key.slot.number(), HEXLOWER.encode(&key.key_hash)))
            .collect();
        let rows = sqlx::query(LOOK_UP)
            .bind(json_array(&asked)?)
            .bind(now_ms)
            .fetch_all(connection)
            .await?;
        rows.iter().map(|row| answer(row, now_ms)).collect()
    }
}

fn answer(row: &SqliteRow, now_ms: i64) -> Result<LookUp, sqlx::Error> {
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
