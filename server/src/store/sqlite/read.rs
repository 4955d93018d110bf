//! The reads of pastes' rows.

use super::reader::{Question, json_array};
use crate::store::LivePaste;
use crate::store::paste_row::paste_row;
use app::wire::id::PasteId;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

/// `$1` is a JSON array of pairs: a slot's number and an id. The answers come in its order.
const READ: &str = "
select
  s.slot is not null as owned,
  p.id is not null as live,
  p.object_key,
  p.title,
  p.syntax,
  p.size_bytes,
  p.sha256,
  p.created_at,
  p.expires_at
from json_each($1) asked
left join slot s
  on s.slot = asked.value ->> 0
left join paste p
  on p.id = asked.value ->> 1
  and p.expires_at > $2
order by asked.key";

/// A read by id.
#[derive(Debug)]
pub(super) struct Read(pub(super) PasteId);

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
        let rows = sqlx::query(READ)
            .bind(json_array(&asked)?)
            .bind(now_ms)
            .fetch_all(connection)
            .await?;
        let answers = reads.iter().zip(&rows);
        answers
            .map(|(Self(id), row)| answer(*id, row, now_ms))
            .collect()
    }
}

fn answer(
    id: PasteId,
    row: &SqliteRow,
    now_ms: i64,
) -> Result<(bool, Option<LivePaste>), sqlx::Error> {
    let live = if row.try_get("live")? {
        let row = paste_row(id, row)?;
        Some(LivePaste { row, now_ms })
    } else {
        None
    };
    Ok((row.try_get("owned")?, live))
}
