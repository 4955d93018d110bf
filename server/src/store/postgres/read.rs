//! The read of a paste's row.

use crate::store::LivePaste;
use crate::store::paste_row::paste_row;
use app::wire::id::PasteId;
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
            row: paste_row(id, &row)?,
            now_ms: row.try_get("now_ms")?,
        })
    } else {
        None
    };
    Ok((row.try_get("owned")?, live))
}
