//! A slot that is given up while creates, deletes and takedowns of it are under way, as when it moves to another shard.

use crate::harness::postgres::Database;
use crate::harness::{Host, Reply, TestServer, fresh_key};
use crate::postgres_slots::{count, serve, shard};
use app::wire::created::Created;
use app::wire::id::PasteId;
use app::wire::token::DeleteToken;
use data_encoding::HEXLOWER;
use oncebin::shard::slot_of_key;
use oncebin::store::postgres::PostgresStore;
use oncebin::store::{DeleteOutcome, OperatorStore, Store, StoreError};
use sha2::{Digest, Sha256};
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection, Executor};
use tokio::task::JoinHandle;
use uuid::Uuid;

fn slot_of(key: &str) -> u8 {
    slot_of_key(Uuid::parse_str(key).unwrap().as_bytes()).number()
}

fn hash_of(key: &str) -> [u8; 32] {
    Sha256::digest(Uuid::parse_str(key).unwrap()).into()
}

/// `delete from slot` waits for the creates that hold the slot's row.
#[tokio::test(flavor = "multi_thread")]
async fn a_slot_is_given_up_after_the_create_that_came_first() {
    let database = shard().await;
    let server = serve(&[&database]).await;
    let key = fresh_key();
    // The create stands behind a twin that does not commit.
    let twin = Held::by(
        &database,
        format!(
            "insert into idempotency values (decode('{}', 'hex'), 1, '', '', 9000000000000000)",
            HEXLOWER.encode(&hash_of(&key))
        ),
    )
    .await;
    let saving = begin_save(&server, &key);
    twin.wait_for_waiter(&database).await;
    let give_up = give_up(slot_of(&key));
    let giving_up = {
        let (database, give_up) = (database.clone(), give_up.clone());
        tokio::spawn(async move { database.run(give_up).await })
    };
    let waits = "select from pg_stat_activity where wait_event_type = 'Lock' and query";
    database
        .wait_until(&format!("exists ({waits} = '{give_up}')"))
        .await;
    twin.end("rollback").await;
    let first = saving.await.unwrap();
    first.created();
    giving_up.await.unwrap();
    assert_eq!(server.save(&key, "text\n").await.status, 503);
    let back = format!("insert into slot values ({})", slot_of(&key));
    database.run(back).await;
    assert_eq!(server.save(&key, "text\n").await.body, first.body);
    assert_eq!(count(&database, "paste").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_create_behind_a_slot_that_is_given_up_inserts_nothing_and_is_503() {
    let database = shard().await;
    let server = serve(&[&database]).await;
    let key = fresh_key();
    let giving_up = Held::by(&database, give_up(slot_of(&key))).await;
    let saving = begin_save(&server, &key);
    giving_up.wait_for_waiter(&database).await;
    giving_up.end("commit").await;
    let reply = saving.await.unwrap();
    assert_eq!((reply.status, &*reply.code()), (503, "shard_unavailable"));
    assert_ne!(reply.header("retry-after"), "");
    assert_eq!(count(&database, "paste").await, 0);
    assert_eq!(count(&database, "idempotency").await, 0);
}

/// Else the slot's new shard could be given a paste that is then deleted on the old one.
#[tokio::test(flavor = "multi_thread")]
async fn a_slot_is_given_up_after_the_delete_or_takedown_that_came_first() {
    let database = shard().await;
    let server = serve(&[&database]).await;
    for removal in [Removal::Delete, Removal::TakeDown] {
        let paste = server.save_new("text\n").await.created();
        let row = format!("select from paste where id = '{}' for update", paste.id);
        let reader = Held::by(&database, row).await;
        let removing = removal.begin(&database, &paste);
        reader.wait_for_waiter(&database).await;
        let give_up = give_up(slot_of_id(&paste.id));
        let giving_up = {
            let (database, give_up) = (database.clone(), give_up.clone());
            tokio::spawn(async move { database.run(give_up).await })
        };
        let waits = "select from pg_stat_activity where wait_event_type = 'Lock' and query";
        database
            .wait_until(&format!("exists ({waits} = '{give_up}')"))
            .await;
        reader.end("rollback").await;
        assert_eq!(removing.await.unwrap(), Ok(DeleteOutcome::Deleted));
        giving_up.await.unwrap();
    }
    assert_eq!(count(&database, "paste").await, 0);
    assert_eq!(count(&database, "outbox").await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delete_or_takedown_behind_a_slot_that_is_given_up_changes_nothing() {
    let database = shard().await;
    let server = serve(&[&database]).await;
    for removal in [Removal::Delete, Removal::TakeDown] {
        let paste = server.save_new("text\n").await.created();
        let giving_up = Held::by(&database, give_up(slot_of_id(&paste.id))).await;
        let removing = removal.begin(&database, &paste);
        giving_up.wait_for_waiter(&database).await;
        giving_up.end("commit").await;
        assert_eq!(removing.await.unwrap(), Err(StoreError::NotOwned));
    }
    assert_eq!(count(&database, "paste").await, 2);
    assert_eq!(count(&database, "outbox").await, 0);
}

/// How a paste goes.
#[derive(Clone, Copy, Debug)]
enum Removal {
    Delete,
    TakeDown,
}

impl Removal {
    fn begin(
        self,
        database: &Database,
        paste: &Created,
    ) -> JoinHandle<Result<DeleteOutcome, StoreError>> {
        let store = PostgresStore::new(&database.socket_url()).unwrap();
        let id: PasteId = paste.id.parse().unwrap();
        let token: DeleteToken = paste.delete_token.parse().unwrap();
        let token_hash = Sha256::digest(token.reveal()).into();
        tokio::spawn(async move {
            match self {
                Self::Delete => store.delete(id, &token_hash).await,
                Self::TakeDown => store.take_down(id).await,
            }
        })
    }
}

fn slot_of_id(id: &str) -> u8 {
    id.parse::<PasteId>().unwrap().slot().number()
}

fn give_up(slot: u8) -> String {
    format!("delete from slot where slot = {slot}")
}

fn begin_save(server: &TestServer, key: &str) -> JoinHandle<Reply> {
    let (host, key) = (Host::clone(server), key.to_owned());
    tokio::spawn(async move { host.save(&key, "text\n").await })
}

/// A statement whose transaction is open.
struct Held {
    session: PgConnection,
    process: i32,
}

impl Held {
    async fn by(database: &Database, statement: String) -> Self {
        let mut session = database.connect().await;
        let statement = AssertSqlSafe(format!("begin; {statement}"));
        session.execute(statement).await.unwrap();
        let process = sqlx::query_scalar("select pg_backend_pid()");
        let process = process.fetch_one(&mut session).await.unwrap();
        Self { session, process }
    }

    async fn wait_for_waiter(&self, database: &Database) {
        let process = self.process;
        let waits = "select from pg_stat_activity where";
        database
            .wait_until(&format!(
                "exists ({waits} {process} = any(pg_blocking_pids(pid)))"
            ))
            .await;
    }

    async fn end(mut self, how: &'static str) {
        self.session.execute(how).await.unwrap();
        self.session.close().await.unwrap();
    }
}
