//! What of relay and sweeper is still to be done, for `check --deep`.

use super::report::{Report, many, names};
use crate::store::{OperatorStore, Waiting};
use app::wire::expiry::human;
use std::time::Duration;

/// A relay that runs is through with a deletion sooner, unless what it needs is down.
const DELETION_OVERDUE: Duration = Duration::from_secs(60 * 60);

/// A sweeper that runs is through with a row sooner: a SQLite file keeps it for two days, in case its clock is wrong.
const EXPIRED_OVERDUE: Duration = Duration::from_secs(50 * 60 * 60);

/// One line for each kind of work that waits. It is wrong when it waits too long.
pub(super) async fn report_backlog(report: &mut Report, shard: &str, store: &dyn OperatorStore) {
    let Ok(backlog) = store.left_over().await else {
        return report.wrong(shard, "it cannot be asked what waits for the workers");
    };
    let mut line = |waiting: Waiting, overdue: Duration, what: String, why: &str| {
        if waiting.rows > 0 {
            let since = human(waiting.oldest_seconds);
            let is_late = waiting.oldest_seconds > overdue.as_secs();
            let why = if is_late { why } else { "normal" };
            report.wrong_if(is_late, shard, format!("{what}, the oldest {since}: {why}"));
        }
    };
    let deletions = many(backlog.outbox.rows, "deletion");
    let first = names(&backlog.outbox_first, backlog.outbox.rows);
    line(
        backlog.outbox,
        DELETION_OVERDUE,
        format!("{deletions} to be carried out on the CDN and the objects ({first})"),
        "the relay does not get on; see the log of a service with --workers on",
    );
    let sweeper = "no sweeper gets on; see the log of a service with --workers on";
    let pastes = many(backlog.pastes.rows, "expired paste");
    line(
        backlog.pastes,
        EXPIRED_OVERDUE,
        format!("{pastes} still there"),
        sweeper,
    );
    let keys = many(backlog.keys.rows, "expired idempotency row");
    line(
        backlog.keys,
        EXPIRED_OVERDUE,
        format!("{keys} still there"),
        sweeper,
    );
}
