//! The statements of the server, read from its sources: what is measured is what it sends.

use anyhow::{Context, Result};

/// The create on PostgreSQL: one statement.
pub(super) fn postgres_create() -> Result<&'static str> {
    named(
        "CREATE",
        include_str!("../../../server/src/store/postgres/create.rs"),
    )
}

/// The select of pastes on PostgreSQL, which come as two arrays.
pub(super) fn postgres_read() -> Result<&'static str> {
    named(
        "READ",
        include_str!("../../../server/src/store/postgres/read.rs"),
    )
}

/// The creates of a group on SQLite, which come as one JSON array.
pub(super) fn sqlite_create() -> Result<&'static str> {
    named(
        "CREATE",
        include_str!("../../../server/src/store/sqlite/create.rs"),
    )
}

/// The text of a constant in a Rust source.
fn named(name: &str, source: &'static str) -> Result<&'static str> {
    let begin = format!("const {name}: &str = \"");
    let (_, rest) = source
        .split_once(begin.as_str())
        .with_context(|| format!("the server has no statement {name} where it used to be"))?;
    let (text, _) = rest
        .split_once("\";")
        .context("a statement without an end")?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::{postgres_create, postgres_read, sqlite_create};

    #[test]
    fn the_statements_and_their_parameters_are_where_they_are_looked_for() {
        let create = postgres_create().unwrap();
        assert!(create.contains("slot = $1") && create.contains("key_hash = $3"));
        assert!(create.contains("select $8, $9, $10, $11, $12, $13, $14, $15, $16"));
        let read = postgres_read().unwrap();
        assert!(read.contains("unnest($1::smallint[], $2::text[])"));
        let create = sqlite_create().unwrap();
        assert!(create.contains("from json_each($1) asked") && create.contains("expires_at <= $2"));
        let names = [
            "slot",
            "key_hash",
            "digest_version",
            "digest",
            "answer",
            "id",
            "object_key",
        ];
        let more = [
            "token_hash",
            "title",
            "syntax",
            "size_bytes",
            "sha256",
            "created_at",
            "expires_at",
        ];
        for name in names.into_iter().chain(more) {
            assert!(
                create.contains(&format!("asked.value ->> '{name}'")),
                "{name}"
            );
        }
    }
}
