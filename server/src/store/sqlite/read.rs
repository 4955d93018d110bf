//! The reads of pastes' rows.

use super::json::{self, hash, json_array};
use super::source::Question;
use crate::store::{LivePaste, PasteRow};
use app::wire::id::PasteId;
use serde::Deserialize;
use sqlx::SqliteConnection;

/// `$1` is a JSON array of pairs: a slot's number and an id. The answer is a JSON array of [`Found`], in its order.
const READ: &str = "
select json_group_array(
  json_array(
    s.slot is not null,
    case
      when p.id is not null then json_array(
        p.object_key,
        p.title,
        p.syntax,
        p.size_bytes,
        hex(p.sha256),
        p.created_at,
        p.expires_at
      )
    end
  )
  order by asked.key
)
from json_each($1) asked
left join slot s
  on s.slot = asked.value ->> 0
left join paste p
  on p.id = asked.value ->> 1
  and p.expires_at > $2";

/// A read by id.
#[derive(Clone, Debug)]
pub(super) struct Read(pub(super) PasteId);

/// Whether the shard owns the slot, and the columns of a paste that lives.
type Found = (u8, Option<Columns>);

/// In the statement's order.
#[derive(Deserialize)]
struct Columns {
    object_key: String,
    title: Option<String>,
    syntax: Option<String>,
    size_bytes: u64,
    sha256: String,
    created_at_ms: i64,
    expires_at_ms: i64,
}

impl Question for Read {
    /// Whether the shard owns the slot, and the row of a paste that lives.
    type Answer = (bool, Option<LivePaste>);

    async fn answer_all(
        connection: &mut SqliteConnection,
        now_ms: i64,
        reads: &[Self],
    ) -> Result<Vec<Self::Answer>, sqlx::Error> {
        let asked: Vec<_> = reads
            .iter()
            .map(|Self(id)| (id.slot().number(), id.as_str()))
            .collect();
        let found: String = sqlx::query_scalar(READ)
            .bind(json_array(&asked)?)
            .bind(now_ms)
            .fetch_one(connection)
            .await?;
        let found: Vec<Found> = json::read(&found)?;
        let answer = |(Self(id), (owned, columns)): (&Self, Found)| {
            let row = columns.map(|columns| columns.row(*id)).transpose()?;
            Ok((owned != 0, row.map(|row| LivePaste { row, now_ms })))
        };
        reads.iter().zip(found).map(answer).collect()
    }
}

impl Columns {
    fn row(self, id: PasteId) -> Result<PasteRow, sqlx::Error> {
        Ok(PasteRow {
            id,
            object_key: self.object_key,
            title: self.title,
            syntax: self.syntax,
            size_bytes: self.size_bytes,
            sha256: hash(&self.sha256)?,
            created_at_ms: self.created_at_ms,
            expires_at_ms: self.expires_at_ms,
        })
    }
}
