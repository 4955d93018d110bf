//! Commits that hang on the server while nobody waits for them any more.

use crate::harness::fault_proxy::{Fault, FaultProxy};
use crate::harness::postgres::{Cluster, Clusters, Database};
use crate::harness::{OneShard, assert_refused, fresh_key, until};
use crate::postgres_commit::{begin_create, hold_slot, store, wait_for_creates};
use crate::store_shard::{SLOT, sample};
use oncebin::store::postgres::Limits;
use oncebin::store::{CreateOutcome, Store, StoreError};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Two commits and a connection to spare. The server is asked about abandoned ones each second.
const TWO: Limits = Limits {
    connections_max: 3,
    commits_max: 2,
    commit_wait: Duration::from_secs(1),
};

/// The standby is away for several times as long as a commit is waited for.
#[tokio::test]
async fn commits_that_hang_keep_their_places_and_no_more_of_them_pile_up() {
    let cluster = Cluster::start(&["fsync=on"]).await;
    let database = cluster.database().await;
    let store = store(&database.socket_url(), TWO).await;
    let now_ms = store.look_up(SLOT, &[0; 32]).await.unwrap().now_ms;
    cluster.hang_commits().await;
    let mut numbers = 1..;
    let mut create = async || {
        let new = sample(numbers.next().unwrap(), now_ms);
        store.create(new).await
    };
    for _ in 0..TWO.commits_max {
        assert_eq!(create().await, Err(StoreError::Unknown));
    }
    for _ in 0..3 {
        let_pass(&database, 2 * TWO.commit_wait).await;
        assert_eq!(create().await, Err(StoreError::Unavailable));
        assert_eq!(database.number(HANGING).await, 2);
    }
    cluster.let_commits_go().await;
    while create().await != Ok(CreateOutcome::Created) {
        let_pass(&database, Duration::from_millis(20)).await;
    }
    assert_eq!(database.number(HANGING).await, 0);
}

/// Longer than one try of a commit waits.
const DEADLINE: Duration = Duration::from_secs(10);

const HANGING: &str = "select count(*) from pg_stat_activity where wait_event = 'SyncRep'";

/// What docs/postgres.md says of them: a save is tried again until its deadline, here a shorter one, and a delete once.
#[tokio::test(flavor = "multi_thread")]
async fn a_save_and_a_delete_that_hang_alone_are_refused_in_the_end_and_settled_by_a_retry() {
    let cluster = Cluster::start(&["fsync=on"]).await;
    let host = OneShard::on_with(&cluster, |settings| {
        settings.policy.create_deadline = DEADLINE;
    })
    .await;
    let paste = host.save_new("to be deleted").await.created();
    cluster.hang_commits().await;
    let key = fresh_key();
    let asked = Instant::now();
    let saving = async { (host.save(&key, "text").await, asked.elapsed()) };
    let deleting = async {
        let hangs = "exists (select from pg_stat_activity where wait_event = 'SyncRep')";
        host.database.wait_until(hangs).await;
        let asked = Instant::now();
        let reply = host.delete(&paste.id, &paste.delete_token).await;
        (reply, asked.elapsed())
    };
    let ((saved, save_took), (deleted, delete_took)) = tokio::join!(saving, deleting);
    assert_refused(&saved);
    assert_refused(&deleted);
    assert!(save_took >= DEADLINE, "{save_took:?}");
    assert!(delete_took >= Duration::from_secs(11), "{delete_took:?}");
    cluster.let_commits_go().await;
    let retry = host.save_until_taken(&key, "text").await;
    assert_eq!(retry.header("idempotent-replayed"), "true");
    let path = format!("/{}/raw", paste.id);
    assert_eq!(
        host.get(&path).await.status,
        404,
        "the first one was committed"
    );
}

/// A proxy between ends connections that are silent; the server carries their commits on, and waits for its standby.
#[tokio::test(flavor = "multi_thread")]
async fn commits_that_are_cut_off_keep_their_places_for_as_long_as_they_hang() {
    let cluster = Cluster::start(&["fsync=on"]).await;
    let database = cluster.database().await;
    let proxy = FaultProxy::to(database.port).await;
    let store = Arc::new(store(&database.url_at(proxy.address), TWO).await);
    let now_ms = store.look_up(SLOT, &[0; 32]).await.unwrap().now_ms;
    cluster.hang_commits().await;
    let cut_off = [1, 2].map(|number| begin_create(&store, sample(number, now_ms)));
    let hang = format!("({HANGING}) = 2");
    database.wait_until(&hang).await;
    proxy.set(Fault::Down);
    for create in cut_off {
        assert_eq!(create.await.unwrap(), Err(StoreError::Unknown));
    }
    proxy.set(Fault::Pass);
    let next = sample(3, now_ms);
    for _ in 0..3 {
        let answers = async || store.look_up(SLOT, &[0; 32]).await.is_ok();
        until("the shard answers", answers).await;
        let refused = store.create(next.clone()).await;
        assert_eq!(refused, Err(StoreError::Unavailable));
        assert_eq!(database.number(HANGING).await, 2);
        let_pass(&database, TWO.commit_wait).await;
    }
    cluster.let_commits_go().await;
    let is_created = async || store.create(next.clone()).await == Ok(CreateOutcome::Created);
    until("a place is free", is_created).await;
}

/// A machine between forgets the connections of two commits, which the server then carries to their end.
#[tokio::test]
async fn commits_whose_answers_are_lost_give_their_places_up() {
    let database = Clusters::first().await.database().await;
    let proxy = FaultProxy::to(database.port).await;
    let store = Arc::new(store(&database.url_at(proxy.address), TWO).await);
    let now_ms = store.look_up(SLOT, &[0; 32]).await.unwrap().now_ms;
    let held = hold_slot(&database).await;
    let waiting = [1, 2].map(|number| begin_create(&store, sample(number, now_ms)));
    wait_for_creates(&database, 2).await;
    proxy.forget();
    for create in waiting {
        assert_eq!(create.await.unwrap(), Err(StoreError::Unknown));
    }
    let next = sample(3, now_ms);
    let is_created = async || store.create(next.clone()).await == Ok(CreateOutcome::Created);
    assert!(!is_created().await, "no place is free");
    drop(held);
    until("a place is free", is_created).await;
}

/// By the server's clock.
async fn let_pass(database: &Database, span: Duration) {
    let clock = "(extract(epoch from clock_timestamp()) * 1000)::bigint";
    let then_ms =
        database.number(format!("select {clock}")).await + i64::try_from(span.as_millis()).unwrap();
    database.wait_until(&format!("{clock} > {then_ms}")).await;
}
