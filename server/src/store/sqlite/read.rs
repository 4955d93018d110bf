//! The read of a paste's row.

use crate::store::{LivePaste, PasteRow};
use app::wire::id::PasteId;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqlitePool};

const READ: &str = "
select
  object_key,
  title,
  syntax,
  size_bytes,
  sha256,
  created_at,
  expires_at
from paste
where id = $1
  and expires_at > $2";

/// Reads the row of a paste that lives.
pub(super) async fn read(
    readers: &SqlitePool,
    now_ms: i64,
    id: PasteId,
) -> Result<Option<LivePaste>, sqlx::Error> {
    sqlx::query(READ)
        .bind(id.as_str())
        .bind(now_ms)
        .fetch_optional(readers)
        .await?
        .map(|row| {
            Ok(LivePaste {
                row: paste(id, &row)?,
                now_ms,
            })
        })
        .transpose()
}

fn paste(id: PasteId, row: &SqliteRow) -> Result<PasteRow, sqlx::Error> {
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
