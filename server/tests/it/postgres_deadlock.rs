//! Two workers of one outbox that need the same rows: neither is ended for the other's sake.

use crate::harness::postgres::{Clusters, Database};
use crate::store_shard::{SLOT, sample};
use futures_util::future::join;
use oncebin::store::outbox::{Lease, Settled, Step};
use oncebin::store::postgres::PostgresStore;
use oncebin::store::{Store, Upkeep};
use sqlx::{AssertSqlSafe, Connection, Executor};
use std::time::Duration;

const ROWS: u32 = 3;

/// Updates take their rows in the order in which they are named: the plan of a full table, and the worst one here.
const NESTED_LOOPS: &str = "
do $$ begin
  execute format('alter database %I set enable_hashjoin = off', current_database());
  execute format('alter database %I set enable_mergejoin = off', current_database());
  execute format('alter database %I set enable_seqscan = off', current_database());
end $$";

#[tokio::test]
async fn two_steps_of_the_same_rows_are_settled_in_any_order() {
    let database = Clusters::first().await.database().await;
    let store = PostgresStore::new(&database.url()).unwrap();
    store.prepare().await.unwrap();
    delete_some(&store).await;
    database.run(NESTED_LOOPS).await;
    let store = PostgresStore::new(&database.url()).unwrap();
    let objects = leases(&store, Step::Object).await;
    let mut purges = leases(&store, Step::Purge).await;
    purges.reverse();

    let mut holder = database.connect().await;
    let hold = format!(
        "begin; select from outbox where n = {} for update",
        objects[1].0.n
    );
    holder.execute(AssertSqlSafe(hold)).await.unwrap();
    let settled = join(
        store.settle(Step::Object, &objects),
        store.settle(Step::Purge, &purges),
    );
    let let_go = async {
        until_two_wait(&database).await;
        holder.execute("commit").await.unwrap();
        holder.close().await.unwrap();
    };
    let (settled, ()) = join(settled, let_go).await;
    assert_eq!(settled, (Ok(3), Ok(3)));
}

async fn delete_some(store: &PostgresStore) {
    assert_eq!(store.claim_slots(&[SLOT]).await, Ok(true));
    let now_ms = store.look_up(SLOT, &[0; 32]).await.unwrap().now_ms;
    for number in 1..=ROWS {
        let new = sample(number, now_ms);
        store.create(new.clone()).await.unwrap();
        store.delete(new.paste.id, &new.token_hash).await.unwrap();
    }
}

/// All rows, in order.
async fn leases(store: &PostgresStore, step: Step) -> Vec<(Lease, Settled)> {
    let leased = store.lease(step, ROWS, Duration::from_secs(60)).await;
    let leases = leased.unwrap().into_iter().map(|leased| leased.lease);
    let mut done: Vec<_> = leases.map(|lease| (lease, Settled::Done)).collect();
    done.sort_by_key(|(lease, _)| lease.n);
    done
}

async fn until_two_wait(database: &Database) {
    let wait = "2 = (select count(*) from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock')";
    database.wait_until(wait).await;
}
