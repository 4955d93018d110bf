//! What becomes of a commit that nobody waits for any more: it keeps its place for as long as it may hang on the server.
//!
//! A backend that waits for a standby does not notice that its client has gone. If its place were free before it is
//! done, the next commit would hang beside it, and the next, until the server has no connection left. On the other hand
//! the connection may have been forgotten by a machine between, and then no answer ever comes. So the server is asked,
//! over another connection.

use super::places::Place;
use super::pool::{NoAnswer, Pool};
use super::session::READ;
use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use std::time::Duration;
use tokio::time::sleep;

/// Whose commits they are does not matter: what hangs one commit hangs them all. No other statement works that long.
const HANGING: &str = "
select count(*)
from pg_stat_activity
where application_name = current_setting('application_name')
  and datname = current_database()
  and pid <> pg_backend_pid()
  and state = 'active'
  and query_start < statement_timestamp() - make_interval(secs => $1)";

impl Pool {
    /// Until an abandoned commit can be given up: fewer commits hang on the server than are held to hang there, or the
    /// server is not used any more. One that cannot be asked tells nothing.
    pub(super) async fn until_it_is_gone(&self, place: &mut Place, ask_each: Duration) {
        loop {
            sleep(ask_each).await;
            if !self.is_in_use() {
                return;
            }
            place.doubt();
            if let Ok(hanging) = self.hanging(ask_each / 2).await
                && place.is_beyond(hanging)
            {
                tracing::warn!("the server knows nothing more of a commit: its answer was lost");
                return;
            }
        }
    }

    /// How many commits have been at work for so long. One that is doubted has been for longer.
    fn hanging(&self, at_least: Duration) -> BoxFuture<'static, Result<usize, NoAnswer>> {
        let asking = self.clone().run(
            move |connection| Box::pin(hanging(connection, at_least)),
            READ,
            None,
        );
        Box::pin(asking)
    }
}

async fn hanging(connection: &mut PgConnection, at_least: Duration) -> Result<usize, sqlx::Error> {
    let counting = sqlx::query_scalar::<_, i64>(HANGING).bind(at_least.as_secs_f64());
    let hanging = counting.fetch_one(connection).await?;
    Ok(usize::try_from(hanging).unwrap_or(usize::MAX))
}
