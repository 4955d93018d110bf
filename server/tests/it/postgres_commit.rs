//! Commits that fail, hang or come too late.

use crate::harness::fault_proxy::FaultProxy;
use crate::harness::postgres::{Cluster, Clusters, Database};
use crate::harness::{OneShard, assert_at_once, fresh_key};
use crate::store_shard::{SLOT, sample};
use futures_util::future::join_all;
use oncebin::store::postgres::{Limits, PostgresStore};
use oncebin::store::{CreateOutcome, NewPaste, Store, StoreError};
use sqlx::postgres::PgConnection;
use sqlx::{Connection, Executor};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// Fails when the statement is over and its row was sent: at the commit.
const FAIL_AT_COMMIT: &str = "
create function fail() returns trigger language plpgsql as $$
begin
  raise exception 'a fault of the test';
end $$;
create constraint trigger late after insert on paste deferrable initially deferred
for each row execute function fail();
create constraint trigger late after insert on outbox deferrable initially deferred
for each row execute function fail()";

const COMMIT_AGAIN: &str = "drop function fail cascade";

/// As many commits at once as the service lets a shard have.
const COMMITS_MAX: usize = 12;

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_at_the_commit_is_no_201_and_no_204() {
    let host = OneShard::start().await;
    let database = &host.database;
    let kept = host.save_new("kept").await.created();
    let key = fresh_key();
    database.run(FAIL_AT_COMMIT).await;
    assert_eq!(host.save(&key, "text").await.status, 503);
    assert_eq!(host.delete(&kept.id, &kept.delete_token).await.status, 503);
    assert_eq!(database.number("select count(*) from idempotency").await, 1);
    database.run(COMMIT_AGAIN).await;
    let raw = host.get(&format!("/{}/raw", kept.id)).await;
    assert_eq!(raw.text(), "kept");
    let reply = host.save(&key, "text").await;
    assert_eq!(reply.header("idempotent-replayed"), "");
    reply.created();
    assert_eq!(host.delete(&kept.id, &kept.delete_token).await.status, 204);
}

#[tokio::test(flavor = "multi_thread")]
async fn commits_that_hang_leave_reads_alone_and_are_replayed_once_when_they_end() {
    let cluster = Cluster::start(&["fsync=on"]).await;
    let host = Arc::new(OneShard::on(&cluster).await);
    let database = &host.database;
    let before = host.save_new("before").await.created();
    cluster.hang_commits().await;
    let keys: Vec<_> = (0..COMMITS_MAX).map(|_| fresh_key()).collect();
    let saves = keys.iter().map(|key| {
        let (host, key) = (Arc::clone(&host), key.clone());
        tokio::spawn(async move { host.save(&key, "text").await })
    });
    let saves: Vec<_> = saves.collect();
    database
        .wait_until(&format!(
            "(select count(*) from pg_stat_activity where wait_event = 'SyncRep') = {COMMITS_MAX}"
        ))
        .await;

    let asked = Instant::now();
    let late = fresh_key();
    assert_eq!(host.save(&late, "text").await.status, 503);
    assert!(
        asked.elapsed() < Duration::from_secs(25),
        "waits for a place, which takes 8 s at most"
    );
    // By now every commit is abandoned, and counted.
    assert_at_once(async || {
        assert_eq!(host.save(&late, "text").await.status, 503);
        assert_eq!(
            host.get(&format!("/{}/raw", before.id)).await.text(),
            "before"
        );
    })
    .await;
    let sessions = database
        .number("select count(*) from pg_stat_activity where application_name = 'oncebin'")
        .await;
    assert!(sessions <= 16, "{sessions} connections");

    cluster.let_commits_go().await;
    for (key, save) in keys.iter().zip(join_all(saves).await) {
        let (reply, retry) = (save.unwrap(), host.save_until_taken(key, "text").await);
        assert!([201, 503].contains(&reply.status), "{reply:?}");
        assert!(reply.status == 503 || reply.body == retry.body);
        assert_eq!(retry.header("idempotent-replayed"), "true");
    }
    host.save_until_taken(&late, "text").await.created();
    let pastes = i64::try_from(COMMITS_MAX + 2).unwrap();
    assert_eq!(database.number("select count(*) from paste").await, pastes);
}

/// The object of a create that waits past its deadline may be gone by then.
#[tokio::test]
async fn a_create_held_behind_its_slot_row_past_its_deadline_inserts_nothing() {
    let database = Clusters::first().await.database().await;
    let store = Arc::new(store(&database.socket_url(), Limits::default()).await);
    let now_ms = store.look_up(SLOT, &[0; 32]).await.unwrap().now_ms;
    let (mut late, mut timely) = (sample(1, now_ms), sample(2, now_ms));
    (late.deadline_ms, timely.deadline_ms) = (now_ms + 500, now_ms + 60_000);
    let held = hold_slot(&database).await;
    let waiting = [late, timely].map(|new| begin_create(&store, new));
    wait_for_creates(&database, 2).await;
    database
        .wait_until(&format!(
            "extract(epoch from clock_timestamp()) * 1000 > {}",
            now_ms + 500
        ))
        .await;
    held.close().await.unwrap();
    let [late, timely] = waiting;
    assert_eq!(late.await.unwrap(), Ok(CreateOutcome::TooLate));
    assert_eq!(timely.await.unwrap(), Ok(CreateOutcome::Created));
    for table in ["paste", "idempotency"] {
        assert_eq!(
            database
                .number(format!("select count(*) from {table}"))
                .await,
            1
        );
    }
}

/// Creates on one slot that overlap hold its row between them all the time, and overtake whoever waits for it.
#[tokio::test]
async fn a_barrier_that_creates_overtake_for_ever_is_given_up() {
    const HOLD: &str = "begin; select 1 from slot where slot = 7 for key share";
    let database = Clusters::first().await.database().await;
    let store = store(&database.socket_url(), Limits::default()).await;
    let mut sessions = [database.connect().await, database.connect().await];
    sessions[0].execute(HOLD).await.unwrap();
    let begun = Instant::now();
    let mut overtaken = 0;
    let overtaking = async {
        for next in [1, 0].into_iter().cycle() {
            sessions[next].execute(HOLD).await.unwrap();
            sessions[1 - next].execute("commit").await.unwrap();
            overtaken += 1;
        }
    };
    let asked = ["007/x".to_owned()];
    let barrier = tokio::select! {
        named = store.named_after_creates(SLOT, &asked) => named,
        () = overtaking => unreachable!(),
    };
    assert_eq!(barrier, Err(StoreError::Busy));
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "bounded by a second, not by each create"
    );
    assert!(overtaken > 2, "{overtaken} creates");
    drop(sessions);
    let named = store.named_after_creates(SLOT, &asked).await;
    assert_eq!(named.map(|named| named.len()), Ok(0));
}

/// A machine between forgets the connections of two commits under way, and the server begins anew.
#[tokio::test]
async fn commits_that_nobody_can_hear_of_give_their_places_up_when_the_server_begins_anew() {
    let cluster = Cluster::start(&[]).await;
    let database = cluster.database().await;
    let proxy = FaultProxy::to(database.port).await;
    let two = Limits {
        connections_max: 3,
        commits_max: 2,
        commit_wait: Duration::from_secs(1),
    };
    let store = Arc::new(store(&database.url_at(proxy.address), two).await);
    let now_ms = store.look_up(SLOT, &[0; 32]).await.unwrap().now_ms;
    let held = hold_slot(&database).await;
    let waiting = [1, 2].map(|number| begin_create(&store, sample(number, now_ms)));
    wait_for_creates(&database, 2).await;
    proxy.forget();
    for create in waiting {
        assert_eq!(create.await.unwrap(), Err(StoreError::Unknown));
    }
    let next = sample(3, now_ms);
    assert_eq!(
        store.create(next.clone()).await,
        Err(StoreError::Unavailable)
    );
    cluster.kill9();
    drop(held);
    cluster.restart().await;
    // What the service does before every create.
    assert!(
        store
            .look_up(SLOT, &next.key_hash)
            .await
            .unwrap()
            .row
            .is_none()
    );
    assert_eq!(store.create(next).await, Ok(CreateOutcome::Created));
}

pub(crate) async fn store(url: &str, limits: Limits) -> PostgresStore {
    let store = PostgresStore::with_limits(url, limits).unwrap();
    store.prepare().await.unwrap();
    assert_eq!(store.claim_slots(&[SLOT]).await, Ok(true));
    store
}

/// A session that holds the slot row, as the reaper does.
pub(crate) async fn hold_slot(database: &Database) -> PgConnection {
    let mut session = database.connect().await;
    let hold = "begin; select 1 from slot where slot = 7 for update";
    session.execute(hold).await.unwrap();
    session
}

pub(crate) fn begin_create(
    store: &Arc<PostgresStore>,
    new: NewPaste,
) -> JoinHandle<Result<CreateOutcome, StoreError>> {
    let store = Arc::clone(store);
    tokio::spawn(async move { store.create(new).await })
}

pub(crate) async fn wait_for_creates(database: &Database, number: u32) {
    let waiting = format!(
        "(select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') = {number}"
    );
    database.wait_until(&waiting).await;
}
