//! What becomes of a commit that nobody waits for any more: it keeps its place for as long as it may hang on the server.
//!
//! A backend that waits for a standby does not notice that its client has gone. If its place were free before it is
//! done, the next commit would hang beside it, and the next, until the server has no connection left. On the other hand
//! the connection may have been forgotten by a machine between, and then no answer ever comes; or cut off, as by a proxy
//! that ends what is silent, and then the commit goes on without it. So the server is asked, over another connection.

use super::places::Place;
use super::pool::{NoAnswer, Pool};
use super::session::READ;
use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use std::time::{Duration, Instant};
use tokio::time::{Instant as Moment, sleep};

/// A commit that has been at work for so long counts as one that hangs. Most are at their end long before, and every one
/// that the server is asked about is older, so that none of these is missed.
const HANGS_AFTER: Duration = Duration::from_millis(500);

/// How long after a commit was cut off the server is asked about it: longer than [`HANGS_AFTER`], or it would be missed.
const CUT_OFF_AGE: Duration = Duration::from_secs(1);

/// How often that is done then: as soon after a standby's return may others commit.
const CUT_OFF_EACH: Duration = Duration::from_millis(500);

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
            if self.is_at_its_end(place).await {
                tracing::warn!("the server knows nothing more of a commit: its answer was lost");
                return;
            }
        }
    }

    /// Keeps the place of a commit whose connection ended before its answer, until it does not hang on the server any
    /// more. A shard that does not answer others is not asked: after a crash there is nothing to ask about.
    pub(super) async fn after_it_was_cut_off(self, mut place: Place, abandoned: Moment) {
        let mut since = Instant::now();
        sleep(CUT_OFF_AGE).await;
        while self.is_in_use() {
            if Moment::now() >= abandoned {
                place.abandon();
            }
            if self.pulse.has_answered_since(since) {
                since = Instant::now();
                if self.is_at_its_end(&mut place).await {
                    return;
                }
            }
            sleep(CUT_OFF_EACH).await;
        }
    }

    /// Asks the server about a commit.
    async fn is_at_its_end(&self, place: &mut Place) -> bool {
        place.doubt();
        match self.hanging().await {
            Ok(hanging) => place.is_beyond(hanging),
            Err(_) => false,
        }
    }

    /// How many commits hang.
    fn hanging(&self) -> BoxFuture<'static, Result<usize, NoAnswer>> {
        let asking = self
            .clone()
            .run(|connection| Box::pin(hanging(connection)), READ, None);
        Box::pin(asking)
    }
}

async fn hanging(connection: &mut PgConnection) -> Result<usize, sqlx::Error> {
    let counting = sqlx::query_scalar::<_, i64>(HANGING).bind(HANGS_AFTER.as_secs_f64());
    let hanging = counting.fetch_one(connection).await?;
    Ok(usize::try_from(hanging).unwrap_or(usize::MAX))
}
