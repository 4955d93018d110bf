//! The read of a paste's row.

use crate::store::{LivePaste, PasteRow};
use app::wire::id::PasteId;
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row};

pub(super) const READ: &str = "
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
from (
  select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms
) clock
left join slot s
  on s.slot = $1
left join paste p
  on p.id = $2
  and p.expires_at > clock.now_ms";

/// Whether the shard owns the slot, and the row of a paste that lives, compared with the shard's clock.
pub(super) async fn read(
    connection: &mut PgConnection,
    id: PasteId,
) -> Result<(bool, Option<LivePaste>), sqlx::Error> {
    let row = sqlx::query(READ)
        .bind(i16::from(id.slot().number()))
        .bind(id.as_str())
        .fetch_one(connection)
        .await?;
    let live = if row.try_get("live")? {
        Some(LivePaste {
            row: paste(id, &row)?,
            now_ms: row.try_get("now_ms")?,
        })
    } else {
        None
    };
    Ok((row.try_get("owned")?, live))
}

fn paste(id: PasteId, row: &PgRow) -> Result<PasteRow, sqlx::Error> {
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
