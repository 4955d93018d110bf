//! The read of a paste's row.

use crate::store::LivePaste;
use crate::store::paste_row::paste_row;
use app::wire::id::PasteId;
use sqlx::{Row, SqlitePool};

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
from (select 1)
left join slot s
  on s.slot = $1
left join paste p
  on p.id = $2
  and p.expires_at > $3";

/// Whether the shard owns the slot, and the row of a paste that lives.
pub(super) async fn read(
    readers: &SqlitePool,
    now_ms: i64,
    id: PasteId,
) -> Result<(bool, Option<LivePaste>), sqlx::Error> {
    let row = sqlx::query(READ)
        .bind(id.slot().number())
        .bind(id.as_str())
        .bind(now_ms)
        .fetch_one(readers)
        .await?;
    let live = if row.try_get("live")? {
        Some(LivePaste {
            row: paste_row(id, &row)?,
            now_ms,
        })
    } else {
        None
    };
    Ok((row.try_get("owned")?, live))
}
