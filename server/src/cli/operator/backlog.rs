//! What of relay and sweeper is still to be done, for `check --deep`.

use super::report::{Report, many, names};
use crate::store::{OperatorStore, Waiting};
use app::wire::expiry::human;
use std::time::Duration;

/// Workers that run are through with everything sooner, unless what they need is down.
const OVERDUE: Duration = Duration::from_secs(60 * 60);

/// One line for each kind of work that waits. It is wrong when it waits too long.
pub(super) async fn report_backlog(report: &mut Report, shard: &str, store: &dyn OperatorStore) {
    let Ok(backlog) = store.left_over().await else {
        return report.wrong(shard, "it cannot be asked what waits for the workers");
    };
    let mut line = |waiting: Waiting, what: String, why: &str| {
        if waiting.rows > 0 {
            let since = human(waiting.oldest_seconds);
            let is_late = waiting.oldest_seconds > OVERDUE.as_secs();
            let why = if is_late { why } else { "normal" };
            report.wrong_if(is_late, shard, format!("{what}, the oldest {since}: {why}"));
        }
    };
    let deletions = many(backlog.outbox.rows, "deletion");
    let first = names(&backlog.outbox_first, backlog.outbox.rows);
    line(
        backlog.outbox,
        format!("{deletions} to be carried out on the CDN and the objects ({first})"),
        "the relay does not get on; see the log of a service with --workers on",
    );
    let sweeper = "no sweeper gets on; see the log of a service with --workers on";
    let pastes = many(backlog.pastes.rows, "expired paste");
    line(backlog.pastes, format!("{pastes} still there"), sweeper);
    let keys = many(backlog.keys.rows, "expired idempotency row");
    line(backlog.keys, format!("{keys} still there"), sweeper);
}
