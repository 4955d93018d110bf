//! The statements of the server, read from its sources: what is measured is what it sends.

use anyhow::{Context, Result};

/// The create on PostgreSQL: one statement.
pub(super) fn postgres_create() -> Result<&'static str> {
    named(
        "CREATE",
        include_str!("../../../server/src/store/postgres/create.rs"),
    )
}

/// The select of a paste on PostgreSQL.
pub(super) fn postgres_read() -> Result<&'static str> {
    named(
        "READ",
        include_str!("../../../server/src/store/postgres/read.rs"),
    )
}

/// The create on SQLite: a member of a group's transaction.
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
        assert!(read.contains("slot = $1") && read.contains("id = $2"));
        let create = sqlite_create().unwrap();
        assert!(create.contains("slot = $7") && create.contains("key_hash = $1"));
        assert!(create.contains("select $8, $9, $10, $11, $12, $13, $14, $15, $16"));
    }
}
