//! One member of the writer's transaction: what failed of it is undone alone.

use crate::store::StoreError;
use sqlx::SqliteConnection;

/// How one member of a group ended. The outer error means that the whole transaction is lost.
pub(super) type Member<T> = Result<Result<T, StoreError>, sqlx::Error>;

/// What a member between `savepoint member` and `release member` came to. One that failed is logged and undone.
pub(super) async fn in_savepoint<T>(
    connection: &mut SqliteConnection,
    what: &str,
    outcome: Result<T, sqlx::Error>,
) -> Member<T> {
    match outcome {
        Ok(outcome) => Ok(Ok(outcome)),
        Err(error) => {
            undo_member(connection).await?;
            tracing::warn!(%error, "{what} failed in its shard");
            Ok(Err(StoreError::Unavailable))
        }
    }
}

/// Takes back what a failed member did, so that the group's commit holds nothing of it.
///
/// SQLite may have rolled back the whole transaction on its own (disk full, I/O error). Then the savepoint is gone,
/// this fails, and the group is lost.
pub(super) async fn undo_member(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    sqlx::query("rollback to member; release member")
        .execute(connection)
        .await?;
    Ok(())
}
