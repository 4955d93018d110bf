//! The outbox: leases, what settles them, and what does not.

use super::MINUTE;
use crate::store_shard::{SLOT, Shard, claim, create, delete, sample};
use futures_util::future::join_all;
use oncebin::clock::millis;
use oncebin::store::CreateOutcome;
use oncebin::store::outbox::{BACKLOG_MAX, Backlog, LAST_PURGE_AFTER, Leased, Settled, Step};
use std::collections::BTreeSet;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// So many deletions in the outbox.
async fn deletions(shard: &impl Shard, number: u32) {
    let now_ms = claim(shard).await;
    for number in 1..=number {
        let new = sample(number, now_ms);
        assert_eq!(create(shard, &new).await, CreateOutcome::Created);
        delete(shard, &new).await;
    }
}

async fn lease(shard: &impl Shard, step: Step) -> Vec<Leased> {
    shard.store().lease(step, 1000, MINUTE).await.unwrap()
}

async fn lease_one(shard: &impl Shard, step: Step) -> Leased {
    let [leased] = lease(shard, step).await.try_into().unwrap();
    leased
}

/// How many rows an outcome was recorded of.
async fn settle(shard: &impl Shard, step: Step, leased: &Leased, outcome: Settled) -> u64 {
    let settled = [(leased.lease, outcome)];
    shard.store().settle(step, &settled).await.unwrap()
}

async fn carry_out(shard: &impl Shard, step: Step) {
    let leased = lease_one(shard, step).await;
    assert_eq!(settle(shard, step, &leased, Settled::Done).await, 1);
}

pub(crate) async fn a_deletion_goes_step_by_step_and_leaves_after_the_last_purge(
    shard: &impl Shard,
) {
    deletions(shard, 1).await;
    let object = lease_one(shard, Step::Object).await;
    assert_eq!(
        [(object.paste_id.clone(), object.object_key.clone())],
        shard.outbox().await[..]
    );
    assert_eq!(lease(shard, Step::Object).await, []);
    let purge = lease_one(shard, Step::Purge).await;
    assert_eq!((purge.failures, purge.is_last), (0, false));
    assert_eq!(lease(shard, Step::Purge).await, []);
    assert_eq!(settle(shard, Step::Purge, &purge, Settled::Done).await, 1);
    shard.advance(SECOND).await;
    assert_eq!(settle(shard, Step::Object, &object, Settled::Done).await, 1);
    shard.advance(LAST_PURGE_AFTER - SECOND).await;
    assert_eq!(lease(shard, Step::Purge).await, []);
    shard.advance(SECOND).await;
    let last = lease_one(shard, Step::Purge).await;
    assert!(last.is_last);
    assert_eq!(lease(shard, Step::Object).await, []);
    assert_eq!(
        settle(shard, Step::Purge, &last, Settled::Finished).await,
        1
    );
    assert_eq!(shard.outbox().await, []);
}

pub(crate) async fn the_last_purge_waits_for_an_object_that_is_deleted_late(shard: &impl Shard) {
    deletions(shard, 1).await;
    carry_out(shard, Step::Purge).await;
    shard.advance(60 * MINUTE).await;
    assert_eq!(lease(shard, Step::Purge).await, []);
    carry_out(shard, Step::Object).await;
    assert_eq!(lease(shard, Step::Purge).await, []);
    shard.advance(LAST_PURGE_AFTER).await;
    assert!(lease_one(shard, Step::Purge).await.is_last);
}

/// A CDN that was down for longer than that needs no second one.
pub(crate) async fn a_first_purge_long_after_the_object_is_gone_is_the_last(shard: &impl Shard) {
    deletions(shard, 1).await;
    carry_out(shard, Step::Object).await;
    let early = lease_one(shard, Step::Purge).await;
    assert!(!early.is_last);
    let failed = Settled::Failed(SECOND);
    assert_eq!(settle(shard, Step::Purge, &early, failed).await, 1);
    shard.advance(LAST_PURGE_AFTER).await;
    assert!(lease_one(shard, Step::Purge).await.is_last);
}

pub(crate) async fn a_lease_that_was_taken_over_settles_nothing(shard: &impl Shard) {
    deletions(shard, 1).await;
    for step in [Step::Object, Step::Purge] {
        let stale = lease_one(shard, step).await;
        shard.advance(MINUTE).await;
        let current = lease_one(shard, step).await;
        for outcome in [
            Settled::Done,
            Settled::Finished,
            Settled::Failed(Duration::ZERO),
        ] {
            assert_eq!(settle(shard, step, &stale, outcome).await, 0);
            assert_eq!(lease(shard, step).await, []);
        }
        assert_eq!(shard.outbox().await.len(), 1);
        assert_eq!(settle(shard, step, &current, Settled::Done).await, 1);
    }
}

pub(crate) async fn a_failed_step_is_counted_and_due_again_when_it_has_rested(shard: &impl Shard) {
    deletions(shard, 2).await;
    for step in [Step::Object, Step::Purge] {
        let [first, second] = lease(shard, step).await.try_into().unwrap();
        let rest = Settled::Failed(10 * SECOND);
        let settled = [(first.lease, rest), (second.lease, Settled::Done)];
        assert_eq!(shard.store().settle(step, &settled).await, Ok(2));
        assert_eq!(lease(shard, step).await, []);
        shard.advance(10 * SECOND).await;
        let again = lease_one(shard, step).await;
        assert_eq!((again.lease.n, again.failures), (first.lease.n, 1));
        assert_eq!(settle(shard, step, &again, rest).await, 1);
        shard.advance(10 * SECOND).await;
        let again = lease_one(shard, step).await;
        assert_eq!(again.failures, 2);
        assert_eq!(settle(shard, step, &again, Settled::Done).await, 1);
    }
    shard.advance(LAST_PURGE_AFTER).await;
    let last = lease(shard, Step::Purge).await;
    let failures: Vec<_> = last.iter().map(|leased| leased.failures).collect();
    assert_eq!(failures, [0, 0]);
}

pub(crate) async fn relays_at_once_lease_each_row_once(shard: &impl Shard) {
    deletions(shard, 60).await;
    for step in [Step::Object, Step::Purge] {
        let leases = (0..12).map(|_| shard.store().lease(step, 10, MINUTE));
        let leased: Vec<_> = join_all(leases).await;
        let leased: Vec<_> = leased.into_iter().flat_map(Result::unwrap).collect();
        let rows: BTreeSet<_> = leased.iter().map(|leased| leased.lease.n).collect();
        assert_eq!(rows.len(), leased.len());
        // A relay that found rows locked by another has less; nothing is left out for good.
        let left = lease(shard, step).await.len();
        assert_eq!(rows.len() + left, 60);
    }
}

/// Somebody waits for a delete; nobody waits for what expired by itself, however much that is.
pub(crate) async fn deletes_go_before_what_was_swept(shard: &impl Shard) {
    let now_ms = claim(shard).await;
    let (mut expiring, deleted) = (sample(1, now_ms), sample(2, now_ms));
    expiring.paste.expires_at_ms = now_ms + 60_000;
    for new in [&expiring, &deleted] {
        assert_eq!(create(shard, new).await, CreateOutcome::Created);
    }
    shard.advance(MINUTE + shard.stays()).await;
    assert_eq!(shard.store().sweep_pastes(10).await, Ok(1));
    delete(shard, &deleted).await;
    for step in [Step::Object, Step::Purge] {
        for new in [&deleted, &expiring] {
            let leased = shard.store().lease(step, 1, MINUTE).await.unwrap();
            assert_eq!(leased[0].object_key, new.paste.object_key);
        }
    }
}

pub(crate) async fn the_backlog_is_counted_and_its_oldest_row_has_an_age(shard: &impl Shard) {
    assert_eq!(shard.store().backlog().await, Ok(Backlog::default()));
    deletions(shard, 3).await;
    shard.advance(60 * MINUTE).await;
    let backlog = shard.store().backlog().await.unwrap();
    assert_eq!(backlog.rows, 3);
    assert_eq!(backlog.oldest_age.as_secs() / 60, 60);
}

/// However many wait, asking for their number costs no more than that.
pub(crate) async fn no_more_of_a_backlog_is_counted_than_matters(shard: &impl Shard) {
    let rows = BACKLOG_MAX + 3;
    shard
        .run(format!(
            "with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < {rows})
             insert into outbox (paste_id, object_key, created_at) select 'x' || n, 'x/' || n, 0 from numbers"
        ))
        .await;
    let backlog = shard.store().backlog().await.unwrap();
    assert_eq!(backlog.rows, u64::from(BACKLOG_MAX));
    assert!(backlog.oldest_age > 60 * DAY, "since 1970");
}

pub(crate) async fn purges_are_dropped_a_while_after_the_object_is_gone(shard: &impl Shard) {
    deletions(shard, 2).await;
    let [first, _] = lease(shard, Step::Object).await.try_into().unwrap();
    assert_eq!(settle(shard, Step::Object, &first, Settled::Done).await, 1);
    shard.advance(LAST_PURGE_AFTER - SECOND * 20).await;
    assert_eq!(shard.store().drop_purges(10).await, Ok(0));
    shard.advance(SECOND * 20).await;
    assert_eq!(shard.store().drop_purges(10).await, Ok(1));
    assert_eq!(shard.outbox().await.len(), 1);
    assert_eq!(shard.store().drop_purges(10).await, Ok(0));
}

/// A lease was taken, or a failure recorded, while the clock was ahead.
pub(crate) async fn what_a_wrong_clock_has_put_off_too_far_is_due(shard: &impl Shard) {
    deletions(shard, 2).await;
    for (ahead, are_due) in [(60 * MINUTE, false), (2 * DAY, true)] {
        let due_at = now_ms(shard).await + millis(ahead);
        shard
            .run(format!(
                "update outbox set object_due_at = {due_at}, purge_due_at = {due_at}"
            ))
            .await;
        for step in [Step::Object, Step::Purge] {
            let leased = shard.store().lease(step, 1, MINUTE).await.unwrap();
            assert_eq!(leased.len(), usize::from(are_due), "{step:?}");
            let other = lease(shard, step).await;
            assert_eq!(other.len(), usize::from(are_due), "{step:?}");
            assert_eq!(lease(shard, step).await, []);
        }
    }
}

pub(crate) async fn what_a_wrong_clock_has_as_gone_later_is_gone_now(shard: &impl Shard) {
    deletions(shard, 2).await;
    let ahead = now_ms(shard).await + millis(2 * DAY);
    shard
        .run(format!(
            "update outbox set object_due_at = null, object_deleted_at = {ahead},
             purged_at = {ahead}, purge_due_at = {ahead} + 90000"
        ))
        .await;
    let [purged, dropped] = lease(shard, Step::Purge).await.try_into().unwrap();
    assert!(!purged.is_last && !dropped.is_last);
    assert_eq!(settle(shard, Step::Purge, &purged, Settled::Done).await, 1);
    assert_eq!(lease(shard, Step::Purge).await, []);
    assert_eq!(shard.store().drop_purges(10).await, Ok(1));
    shard.advance(LAST_PURGE_AFTER).await;
    assert!(lease_one(shard, Step::Purge).await.is_last);
}

async fn now_ms(shard: &impl Shard) -> i64 {
    let found = shard.store().look_up(SLOT, &[0; 32]).await;
    found.unwrap().now_ms
}
