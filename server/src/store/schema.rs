//! The steps of a shard's schema, as both databases apply them.

use sqlx::SqlStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

/// One step: number, name, statements. Never edited, only added to.
pub(super) type Step = (i64, &'static str, &'static str);

/// Built here and not by `sqlx::migrate!`, which would compile SQLite a second time for the build machine.
pub(super) fn migrator(steps: &[Step]) -> Migrator {
    let migrations = steps.iter().map(|&(number, name, statements)| {
        Migration::new(
            number,
            name.into(),
            MigrationType::Simple,
            SqlStr::from_static(statements),
            false,
        )
    });
    let mut migrator = Migrator::with_migrations(migrations.collect());
    // The release before must run on the schema of the release after.
    migrator.set_ignore_missing(true);
    migrator
}
