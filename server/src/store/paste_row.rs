//! A paste's row as either database returns it. The columns have the same names and meanings in both.

use super::PasteRow;
use app::wire::id::PasteId;
use sqlx::{ColumnIndex, Decode, Row, Type};

/// Reads the columns of `paste` but for the id, which the caller asked with.
pub(super) fn paste_row<'r, R>(id: PasteId, row: &'r R) -> Result<PasteRow, sqlx::Error>
where
    R: Row,
    &'static str: ColumnIndex<R>,
    i64: Decode<'r, R::Database> + Type<R::Database>,
    String: Decode<'r, R::Database> + Type<R::Database>,
    Vec<u8>: Decode<'r, R::Database> + Type<R::Database>,
{
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
