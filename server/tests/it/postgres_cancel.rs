//! Callers that stop waiting at any moment, on a pool of one connection: nobody after them finds it in the middle of
//! an answer or of a transaction, and what was sent is carried out.

use crate::harness::postgres::{Clusters, Database};
use crate::store_shard::{SLOT, sample};
use app::wire::id::Slot;
use oncebin::store::outbox::{Lease, Settled, Step};
use oncebin::store::postgres::{Limits, PostgresStore};
use oncebin::store::{CreateOutcome, DeleteOutcome, Store, Upkeep};
use sqlx::Executor;
use sqlx::postgres::PgConnection;
use std::time::Duration;
use tokio::task::yield_now;

/// Each hang-up comes one turn of the runtime later than the one before it, until so many callers were answered.
const ANSWERED: u32 = 20;

/// Sessions of the store whose transaction is open although nothing runs in it.
const IN_A_TRANSACTION: &str = "
select count(*)
from pg_stat_activity
where application_name = 'oncebin'
  and datname = current_database()
  and state like 'idle in transaction%'";

#[tokio::test]
async fn a_create_that_nobody_waits_for_is_whole() {
    let (store, database) = pool_of_one().await;
    let now_ms = store.look_up(SLOT, &[0; 32]).await.unwrap().now_ms;
    let (mut turns, mut answered) = (0, 0);
    while answered < ANSWERED {
        let new = sample(turns, now_ms);
        answered += u32::from(hang_up_after(turns, store.create(new.clone())).await);
        let next = store.create(sample(1_000_000 + turns, now_ms)).await;
        assert_eq!(next, Ok(CreateOutcome::Created), "after {turns} turns");
        let again = store.create(new.clone()).await;
        assert!(
            matches!(again, Ok(CreateOutcome::Created | CreateOutcome::KeyTaken)),
            "{again:?}"
        );
        turns += 1;
    }
    assert!(turns > ANSWERED, "some were not answered");
    // Seen from another session, so they are committed.
    for table in ["paste", "idempotency"] {
        let rows = database
            .number(format!("select count(*) from {table}"))
            .await;
        assert_eq!(rows, i64::from(2 * turns));
    }
}

#[tokio::test]
async fn a_delete_that_nobody_waits_for_is_whole() {
    let (store, database) = pool_of_one().await;
    let now_ms = store.look_up(SLOT, &[0; 32]).await.unwrap().now_ms;
    let (mut turns, mut answered) = (0, 0);
    while answered < ANSWERED {
        let new = sample(turns, now_ms);
        assert_eq!(store.create(new.clone()).await, Ok(CreateOutcome::Created));
        let delete = || store.delete(new.paste.id, &new.token_hash);
        answered += u32::from(hang_up_after(turns, delete()).await);
        let again = delete().await;
        assert!(
            matches!(again, Ok(DeleteOutcome::Deleted | DeleteOutcome::NotFound)),
            "{again:?}"
        );
        assert_eq!(store.read(new.paste.id).await, Ok(None));
        turns += 1;
    }
    assert!(turns > ANSWERED);
    let rows = database.number("select count(*) from outbox").await;
    assert_eq!(rows, i64::from(turns));
}

#[tokio::test]
async fn a_claim_that_nobody_waits_for_leaves_no_transaction_open() {
    let (store, database) = pool_of_one().await;
    let mut session = database.connect().await;
    let (mut turns, mut answered) = (0, 0);
    while answered < ANSWERED {
        session.execute("delete from slot").await.unwrap();
        let slots = [SLOT, Slot::new(8)];
        answered += u32::from(hang_up_after(turns, store.claim_slots(&slots)).await);
        // Waits behind the claim, in the queue for the one connection.
        assert_eq!(store.owned_slots().await.unwrap().len() % 2, 0);
        assert_eq!(number(&mut session, IN_A_TRANSACTION).await, 0);
        store.claim_slots(&slots).await.unwrap();
        assert_eq!(number(&mut session, "select count(*) from slot").await, 2);
        turns += 1;
    }
    assert!(turns > ANSWERED);
}

/// What the workers do begins transactions of several statements.
#[tokio::test]
async fn work_that_nobody_waits_for_leaves_no_transaction_open() {
    let (store, database) = pool_of_one().await;
    let rows = "insert into outbox (paste_id, object_key, created_at)
                select 'x' || n, 'x/' || n, 0 from generate_series(1, 10000) n";
    database.run(rows).await;
    let mut session = database.connect().await;
    for work in WORK {
        let (mut turns, mut answered) = (0, 0);
        while answered < ANSWERED {
            answered += u32::from(hang_up_after(turns, carry_out(&store, work)).await);
            // Waits behind the work, in the queue for the one connection.
            assert_eq!(store.owned_slots().await, Ok(vec![SLOT]));
            assert_eq!(number(&mut session, IN_A_TRANSACTION).await, 0, "{work}");
            turns += 1;
        }
        assert!(turns > ANSWERED, "{work}: some were not answered");
    }
}

const WORK: [&str; 6] = [
    "lease",
    "settle",
    "drop purges",
    "sweep pastes",
    "sweep keys",
    "barrier",
];

async fn carry_out(store: &PostgresStore, work: &str) {
    let lease = Lease { n: 1, attempts: 0 };
    let failed = [(lease, Settled::Failed(Duration::ZERO))];
    let keys = ["x".to_owned()];
    let ended = match work {
        "lease" => store.lease(Step::Object, 1, Duration::ZERO).await.map(drop),
        "settle" => store.settle(Step::Purge, &failed).await.map(drop),
        "drop purges" => store.drop_purges(10).await.map(drop),
        "sweep pastes" => store.sweep_pastes(10).await.map(drop),
        "sweep keys" => store.sweep_keys(10).await.map(drop),
        _ => store.named_after_creates(SLOT, &keys).await.map(drop),
    };
    ended.unwrap();
}

#[tokio::test]
async fn a_look_up_and_a_read_that_nobody_waits_for_disturb_no_other() {
    let (store, _database) = pool_of_one().await;
    let now_ms = store.look_up(SLOT, &[0; 32]).await.unwrap().now_ms;
    let new = sample(1, now_ms);
    assert_eq!(store.create(new.clone()).await, Ok(CreateOutcome::Created));
    let (mut turns, mut answered) = (0, 0);
    while answered < ANSWERED {
        let look_up = hang_up_after(turns, store.look_up(SLOT, &[1; 32]));
        let read = hang_up_after(turns, store.read(new.paste.id));
        answered += u32::from(look_up.await && read.await);
        let found = store.look_up(SLOT, &new.key_hash).await.unwrap();
        assert_eq!(found.row.unwrap().answer, new.remembered.answer);
        let live = store.read(new.paste.id).await.unwrap().unwrap();
        assert_eq!(live.row, new.paste);
        turns += 1;
    }
    assert!(turns > ANSWERED);
}

async fn number(session: &mut PgConnection, statement: &'static str) -> i64 {
    let number = sqlx::query_scalar(statement).fetch_one(session);
    number.await.unwrap()
}

async fn pool_of_one() -> (PostgresStore, Database) {
    let database = Clusters::first().await.database().await;
    let one = Limits {
        connections_max: 1,
        commits_max: 1,
        commit_wait: Duration::from_secs(8),
    };
    let store = PostgresStore::with_limits(&database.url(), one).unwrap();
    store.prepare().await.unwrap();
    assert_eq!(store.claim_slots(&[SLOT]).await, Ok(true));
    (store, database)
}

/// Drops a future after so many turns of the runtime; whether it was done by then.
async fn hang_up_after(turns: u32, future: impl Future) -> bool {
    tokio::select! {
        biased;
        _ = future => true,
        () = async {
            for _ in 0..turns {
                yield_now().await;
            }
        } => false,
    }
}
