//! The reads of pastes' rows.

use super::source::Question;
use crate::store::{LivePaste, PasteRow};
use app::wire::id::PasteId;
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row};

/// All in one snapshot, in the order of the parameters; `limit 1` as in the look-up.
pub(super) const READ: &str = "
with clock as materialized (
  select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms
)
select
  clock.now_ms,
  s.slot is not null as owned,
  p.id is not null as live,
  p.object_key,
  p.title,
  p.syntax,
  p.size_bytes,
  p.sha256,
  p.created_at,
  p.expires_at
from clock
cross join unnest($1::smallint[], $2::text[]) with ordinality as asked (slot, id, n)
left join lateral (
  select slot.slot
  from slot
  where slot.slot = asked.slot
  limit 1
) s on true
left join lateral (
  select *
  from paste
  where paste.id = asked.id
    and paste.expires_at > clock.now_ms
  limit 1
) p on true
order by asked.n";

/// A read by id.
#[derive(Clone, Debug)]
pub(super) struct Read(pub(super) PasteId);

impl Question for Read {
    /// Whether the shard owns the slot, and the row of a paste that lives, compared with the shard's clock.
    type Answer = (bool, Option<LivePaste>);

    async fn answer_all(
        connection: &mut PgConnection,
        reads: &[Self],
    ) -> Result<Vec<Self::Answer>, sqlx::Error> {
        let slots: Vec<_> = reads
            .iter()
            .map(|Self(id)| i16::from(id.slot().number()))
            .collect();
        let ids: Vec<_> = reads.iter().map(|Self(id)| id.as_str()).collect();
        let rows = sqlx::query(READ)
            .bind(slots)
            .bind(ids)
            .fetch_all(connection)
            .await?;
        let answers = reads.iter().zip(&rows);
        answers.map(|(Self(id), row)| answer(*id, row)).collect()
    }
}

fn answer(id: PasteId, row: &PgRow) -> Result<(bool, Option<LivePaste>), sqlx::Error> {
    let live = if row.try_get("live")? {
        Some(LivePaste {
            row: paste_row(id, row)?,
            now_ms: row.try_get("now_ms")?,
        })
    } else {
        None
    };
    Ok((row.try_get("owned")?, live))
}

/// Reads the columns of `paste` but for the id, which the caller asked with.
fn paste_row(id: PasteId, row: &PgRow) -> Result<PasteRow, sqlx::Error> {
    let sha256: Vec<u8> = row.try_get("sha256")?;
    let size_bytes: i64 = row.try_get("size_bytes")?;
    Ok(PasteRow {
        id,
        object_key: row.try_get("object_key")?,
        title: row.try_get("title")?,
        syntax: row.try_get("syntax")?,
        size_bytes: u64::try_from(size_bytes).map_err(decode)?,
        sha256: sha256.as_slice().try_into().map_err(decode)?,
        created_at_ms: row.try_get("created_at")?,
        expires_at_ms: row.try_get("expires_at")?,
    })
}

fn decode(error: impl std::error::Error + Send + Sync + 'static) -> sqlx::Error {
    sqlx::Error::Decode(Box::new(error))
}
