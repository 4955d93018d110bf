//! Which server leads: what every new connection is asked before it is used (database.md §11).
//!
//! It narrows the damage a forgotten old primary can do. What fences is synchronous replication.

use sqlx::{PgConnection, Row};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The timeline comes from the log's position: the control file lags behind a promotion until the first checkpoint.
const ASK: &str = "
select
  pg_is_in_recovery() as in_recovery,
  case
    when not pg_is_in_recovery()
    then ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int
  end as timeline,
  (select system_identifier from pg_control_system()) as system_identifier,
  (extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint as started,
  current_setting('transaction_isolation') as isolation,
  current_setting('synchronous_commit') as synchronous_commit,
  current_setting('fsync') as fsync";

/// The newest leader this server has seen on a shard.
#[derive(Debug, Default)]
pub(super) struct Leader {
    seen: Mutex<Seen>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// None before the first connection.
    cluster: Option<i64>,
    timeline: i32,
    /// When the server's process began: one that began anew has ended every connection made before.
    started: i64,
    /// Grows with every newer timeline and every start: connections made before are of no use.
    generation: u64,
}

impl Leader {
    /// Asks a new connection who it leads to, and refuses it unless that is the newest leader seen.
    pub(super) async fn check(&self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        let row = sqlx::query(ASK).fetch_one(connection).await?;
        let text = |name: &str| row.try_get::<String, _>(name);
        if row.try_get("in_recovery")? {
            return refuse("it is a standby");
        }
        if text("isolation")? != "repeatable read" {
            return refuse("its isolation is not repeatable read");
        }
        if text("synchronous_commit")? == "off" {
            return refuse("its synchronous_commit is off: an acknowledged save could be lost");
        }
        if text("fsync")? == "off" {
            tracing::warn!("a shard runs with fsync off: a power loss can lose acknowledged saves");
        }
        let timeline: Option<i32> = row.try_get("timeline")?;
        self.note(
            row.try_get("system_identifier")?,
            timeline.unwrap_or(0),
            row.try_get("started")?,
        )
    }

    /// How many changes of the leader have been seen.
    pub(super) fn generation(&self) -> u64 {
        self.lock().generation
    }

    fn note(&self, cluster: i64, timeline: i32, started: i64) -> Result<(), sqlx::Error> {
        let mut seen = self.lock();
        let known = *seen;
        if known.cluster.is_some_and(|known| known != cluster) {
            return refuse("it is another database cluster than before");
        }
        if timeline < known.timeline {
            return refuse("a newer primary has been seen: this one was replaced");
        }
        if timeline > known.timeline || started != known.started {
            *seen = Seen {
                cluster: Some(cluster),
                timeline,
                started,
                generation: known.generation + u64::from(known.cluster.is_some()),
            };
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn refuse(why: &str) -> Result<(), sqlx::Error> {
    tracing::error!("a connection to a shard is refused: {why}");
    Err(sqlx::Error::Protocol(why.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_timeline_is_refused_and_a_newer_one_or_a_restart_begins_a_generation() {
        let leader = Leader::default();
        for (cluster, timeline, started, is_taken, generation) in [
            (7, 1, 100, true, 0),
            (7, 1, 100, true, 0),
            (7, 1, 200, true, 1),
            (7, 2, 150, true, 2),
            (7, 1, 200, false, 2),
            (8, 3, 300, false, 2),
            (7, 2, 150, true, 2),
        ] {
            let noted = leader.note(cluster, timeline, started);
            assert_eq!(noted.is_ok(), is_taken);
            assert_eq!(leader.generation(), generation);
        }
    }
}
