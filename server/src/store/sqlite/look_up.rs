//! The look-ups of keys.

use super::json::{self, bytes, json_array};
use super::source::Question;
use crate::store::{Hash, IdempotencyRow, LookUp};
use app::wire::id::Slot;
use data_encoding::HEXLOWER;
use serde::Deserialize;
use sqlx::SqliteConnection;

/// `$1` is a JSON array of pairs: a slot's number and a key's hash in hexadecimal. The answer is a JSON array of
/// [`Found`], in its order.
const LOOK_UP: &str = "
select json_group_array(
  json_array(
    s.slot is not null,
    case
      when i.key_hash is not null then json_array(
        i.digest_version,
        hex(i.digest),
        hex(i.answer)
      )
    end
  )
  order by asked.key
)
from json_each($1) asked
left join slot s
  on s.slot = asked.value ->> 0
left join idempotency i
  on i.key_hash = unhex(asked.value ->> 1)
  and i.expires_at > $2";

/// A look-up of a key on its slot.
#[derive(Clone, Debug)]
pub(super) struct LookUpKey {
    pub(super) slot: Slot,
    pub(super) key_hash: Hash,
}

/// Whether the shard owns the slot, and the columns of the key's row.
type Found = (u8, Option<Columns>);

/// In the statement's order.
#[derive(Deserialize)]
struct Columns {
    digest_version: u8,
    digest: String,
    answer: String,
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
        let found: String = sqlx::query_scalar(LOOK_UP)
            .bind(json_array(&asked)?)
            .bind(now_ms)
            .fetch_one(connection)
            .await?;
        let found: Vec<Found> = json::read(&found)?;
        let answer = |(owned, columns): Found| {
            Ok(LookUp {
                now_ms,
                owned: owned != 0,
                row: columns.map(Columns::row).transpose()?,
            })
        };
        found.into_iter().map(answer).collect()
    }
}

impl Columns {
    fn row(self) -> Result<IdempotencyRow, sqlx::Error> {
        Ok(IdempotencyRow {
            digest_version: self.digest_version,
            digest: bytes(&self.digest)?,
            answer: bytes(&self.answer)?,
        })
    }
}
