//! The plans of every statement that a request or a worker runs, and of those that an audit runs again and again, as the
//! server logs them: so with the parameter types really sent, on tables as full as they become, with the session's own
//! settings. Not here: who owns which slots, 256 rows that are all wanted, and what `check` counts once.

use crate::harness::postgres::{Cluster, Database};
use crate::store_shard::{SLOT, sample};
use app::wire::id::Slot;
use oncebin::store::outbox::{Settled, Step};
use oncebin::store::postgres::PostgresStore;
use oncebin::store::{CreateOutcome, DeleteOutcome, OperatorStore, Store, Upkeep};
use std::time::Duration;

/// Logs the plan of each statement of the sessions that begin now.
const LOG_PLANS: &str = "
do $$ begin
  execute format('alter database %I set session_preload_libraries = auto_explain', current_database());
  execute format('alter database %I set auto_explain.log_min_duration = 0', current_database());
end $$";

/// The server's choice of a plan for any parameters, as it makes it after five runs.
const GENERIC: &str = "
do $$ begin
  execute format('alter database %I set plan_cache_mode = force_generic_plan', current_database());
end $$";

const FILL: &str = "
insert into slot select n from generate_series(0, 255) n where n <> 7;
insert into paste
select 'id' || n, 'object' || n, sha256(n::text::bytea), null, null, n, sha256('x'), 0, 4000000000000 + n
from generate_series(1, 20000) n;
insert into idempotency
select sha256(n::text::bytea), 1, sha256('x'), repeat('answer', 50)::bytea, 4000000000000 + n
from generate_series(1, 20000) n;
insert into outbox (paste_id, object_key, created_at)
select 'gone' || n, 'gone' || n, 0
from generate_series(1, 5000) n;
vacuum analyze";

/// Texts that only one statement has, and the indexes its plan must use.
const STATEMENTS: [(&[&str], &[&str]); 22] = [
    (
        &["where idempotency.key_hash = asked.key_hash"],
        &["slot_slot", "idempotency_key_hash"],
    ),
    (
        &["insert into paste"],
        &["slot_slot", "idempotency_key_hash"],
    ),
    (&["where paste.id = asked.id"], &["slot_slot", "paste_id"]),
    (&["token_hash = $3"], &["slot_slot", "paste_id"]),
    (
        &["where id = $2\n\t  returning"],
        &["slot_slot", "paste_id"],
    ),
    (&["select exists"], &["outbox_paste_id"]),
    (
        &["object_attempts = object_attempts + 1"],
        &["outbox_object_due_at", "outbox_n"],
    ),
    (
        &["purge_attempts = purge_attempts + 1"],
        &["outbox_purge_due_at", "outbox_n"],
    ),
    (&["order by n\n\tfor update"], &["outbox_n"]),
    (&["object_due_at = null"], &["outbox_n"]),
    (&["purged_at = clock.now_ms"], &["outbox_n"]),
    (
        &["delete from outbox", "object_attempts = done.attempts"],
        &["outbox_n"],
    ),
    (
        &["delete from outbox", "purge_attempts = done.attempts"],
        &["outbox_n"],
    ),
    (&["object_failures = object_failures + 1"], &["outbox_n"]),
    (&["purge_failures = purge_failures + 1"], &["outbox_n"]),
    (
        &["object_deleted_at <= (select"],
        &["outbox_object_deleted_at", "outbox_n"],
    ),
    (&["as oldest_at"], &["outbox_n"]),
    (
        &["on conflict on constraint"],
        &["paste_expires_at", "paste_id"],
    ),
    (
        &["select key_hash"],
        &["idempotency_expires_at", "idempotency_key_hash"],
    ),
    (&["slot = $1\n\tfor update"], &["slot_slot"]),
    (&["union all"], &["paste_object_key", "outbox_object_key"]),
    (&["object_key > $3"], &["paste_object_key"]),
];

#[tokio::test]
async fn every_statement_uses_its_index() {
    let cluster = Cluster::start(&[]).await;
    let database = cluster.database().await;
    let store = PostgresStore::new(&database.url()).unwrap();
    store.prepare().await.unwrap();
    assert_eq!(store.claim_slots(&[SLOT]).await, Ok(true));
    for statement in FILL.split(';') {
        database.run(statement).await;
    }
    database.run(LOG_PLANS).await;
    for (number, mode) in ["", GENERIC].into_iter().enumerate() {
        database.run(mode).await;
        run_each(&database, u32::try_from(number).unwrap()).await;
    }
    let log = cluster.log();
    for (texts, indexes) in STATEMENTS {
        let plans: Vec<_> = plans(&log)
            .filter(|plan| texts.iter().all(|text| plan.contains(text)))
            .collect();
        // Both steps lock their rows by one statement.
        let runs = plans.len();
        assert!(runs > 0 && runs.is_multiple_of(2), "{texts:?}: {log}");
        for plan in plans {
            assert!(!plan.contains("Seq Scan"), "{plan}");
            for index in indexes {
                assert!(plan.contains(&format!(" using {index} on ")), "{plan}");
            }
        }
    }
}

async fn run_each(database: &Database, number: u32) {
    let store = PostgresStore::new(&database.url()).unwrap();
    let now_ms = store.look_up(Slot::new(9), &[0; 32]).await.unwrap().now_ms;
    let new = sample(number, now_ms);
    assert_eq!(store.create(new.clone()).await, Ok(CreateOutcome::Created));
    assert!(store.read(new.paste.id).await.unwrap().is_some());
    let deleted = store.delete(new.paste.id, &new.token_hash).await;
    assert_eq!(deleted, Ok(DeleteOutcome::Deleted));
    assert_eq!(store.is_in_outbox(new.paste.id).await, Ok(true));
    let taken = store.take_down(new.paste.id).await;
    assert_eq!(taken, Ok(DeleteOutcome::NotFound));
    assert!(store.backlog().await.unwrap().rows >= 5000);
    for step in [Step::Object, Step::Purge] {
        let minute = Duration::from_secs(60);
        let leased = store.lease(step, 4, minute).await.unwrap();
        let failed = Settled::Failed(minute);
        let settled = [
            (leased[0].lease, Settled::Done),
            (leased[1].lease, failed),
            (leased[2].lease, failed),
            (leased[3].lease, Settled::Finished),
        ];
        assert_eq!(store.settle(step, &settled).await, Ok(4));
    }
    assert_eq!(store.drop_purges(100).await, Ok(0));
    assert_eq!(store.sweep_pastes(500).await, Ok(0));
    assert_eq!(store.sweep_keys(500).await, Ok(0));
    ask_for_objects(&store).await;
    store.close().await;
}

/// As the reaper does of a page, behind the slot's barrier, and then as an audit does.
async fn ask_for_objects(store: &PostgresStore) {
    let keys: Vec<_> = (1..=100).map(|n| format!("object{n}")).collect();
    let named = store.named_after_creates(SLOT, &keys).await.unwrap();
    assert_eq!(named.len(), keys.len());
    assert_eq!(store.rows_of_slot(SLOT, None, 1000).await, Ok(vec![]));
}

/// The blocks of the log that are plans: a first line with the time, then lines that begin with a tab.
fn plans(log: &str) -> impl Iterator<Item = String> {
    let mut blocks: Vec<String> = Vec::new();
    for line in log.lines() {
        match blocks.last_mut() {
            Some(block) if line.starts_with('\t') => block.push_str(&format!("{line}\n")),
            _ => blocks.push(format!("{line}\n")),
        }
    }
    blocks
        .into_iter()
        .filter(|block| block.contains("Query Text: "))
}
