//! Servers that take no session: what that means, and that one which serves others is not taken for gone.

use crate::harness::fault_proxy::{Fault, FaultProxy};
use crate::harness::postgres::{Cluster, Clusters, Database, PASSWORD};
use crate::harness::until;
use crate::postgres_errors::{assert_fails, assert_is, over_tcp, prepared};
use crate::store_shard::sample;
use oncebin::store::postgres::{Meaning, PostgresStore};
use oncebin::store::{CreateOutcome, LivePaste, Store, StoreError};
use sqlx::postgres::PgConnection;
use sqlx::{Connection, Executor};
use std::pin::pin;

#[tokio::test]
async fn errors_of_connecting() {
    let database = prepared().await;
    let name = &database.name;
    database
        .run(format!(
            "create role r{name} login password 'x' connection limit 0"
        ))
        .await;
    for (user, path, sqlstate, meaning) in [
        (
            format!("r{name}:x"),
            name.as_str(),
            "53300",
            Meaning::Refused,
        ),
        (
            format!("r{name}:wrong"),
            name,
            "28P01",
            Meaning::Unreachable,
        ),
        (
            format!("nobody{name}:x"),
            name,
            "28P01",
            Meaning::Unreachable,
        ),
        (
            format!("postgres:{PASSWORD}"),
            "nothing",
            "3D000",
            Meaning::Unreachable,
        ),
    ] {
        let url = format!("postgres://{user}@127.0.0.1:{}/{path}", database.port);
        let error = PgConnection::connect(&url).await.unwrap_err();
        assert_is(&error, sqlstate, meaning);
        let asked = PostgresStore::new(&url).unwrap().owned_slots().await;
        assert_eq!(asked, Err(StoreError::Unreachable));
    }
    let proxy = FaultProxy::to(database.port).await;
    proxy.set(Fault::Down);
    let error = PgConnection::connect(&database.url_at(proxy.address))
        .await
        .unwrap_err();
    assert_is(&error, "", Meaning::Lost);
}

#[tokio::test]
async fn errors_of_a_server_that_stops() {
    let cluster = Cluster::start(&[]).await;
    let database = cluster.database().await;
    let mut session = over_tcp(&database).await;
    cluster.begin_to_stop();
    let connecting = async || PgConnection::connect(&database.url()).await;
    let error = loop {
        // Until the signal has arrived, sessions begin.
        if let Err(error) = connecting().await {
            break error;
        }
    };
    assert_is(&error, "57P03", Meaning::Refused);
    cluster.stop();
    assert_fails(&mut session, "select 1", "57P01", Meaning::Lost).await;
    let error = connecting().await.unwrap_err();
    assert_is(&error, "", Meaning::Lost);
}

#[test]
fn errors_of_a_pool() {
    for (error, meaning) in [
        (sqlx::Error::PoolTimedOut, Meaning::Unreachable),
        (sqlx::Error::PoolClosed, Meaning::Unreachable),
        (sqlx::Error::WorkerCrashed, Meaning::Lost),
        (sqlx::Error::Protocol("out of step".into()), Meaning::Lost),
        (sqlx::Error::RowNotFound, Meaning::Bug),
    ] {
        assert_is(&error, "", meaning);
    }
}

/// A shard that answers others is not down, only it has no connection to spare.
#[tokio::test]
async fn a_server_without_a_connection_to_spare_is_busy_and_not_gone() {
    let database = prepared().await;
    let name = &database.name;
    database
        .run(format!(
            "insert into slot values (7);
             create role r{name} login password 'x' connection limit 1;
             grant all on all tables in schema public to r{name}"
        ))
        .await;
    let url = format!("postgres://r{name}:x@127.0.0.1:{}/{name}", database.port);
    let store = PostgresStore::new(&url).unwrap();
    // On a busy machine the read may find the connection free, between two tries of the create, or nobody may be
    // answered while it waits.
    for number in 1..=5 {
        let read = read_beside_a_create(&database, &store, number).await;
        if read.err() == Some(StoreError::Unavailable) {
            return;
        }
    }
    panic!("busy is taken for something else");
}

/// Reads while a create has the one connection, and is answered once the read was refused one.
async fn read_beside_a_create(
    database: &Database,
    store: &PostgresStore,
    number: u32,
) -> Result<Option<LivePaste>, StoreError> {
    const CREATE_WAITS: &str = "exists (
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')";
    const NOW_MS: &str = "select floor(extract(epoch from clock_timestamp()) * 1000)::bigint";
    let new = sample(number, database.number(NOW_MS).await);
    let mut holder = database.connect().await;
    let hold = "begin; select 1 from slot for update";
    holder.execute(hold).await.unwrap();
    let create = async {
        loop {
            match store.create(new.clone()).await {
                // It came too late for its connection, or for its lock, and commits nothing.
                Err(StoreError::Unavailable | StoreError::Unknown) => {}
                created => return created,
            }
        }
    };
    let read = async {
        database.wait_until(CREATE_WAITS).await;
        let before = refusals(database).await;
        let refused = async || refusals(database).await > before;
        let mut read = pin!(store.read(new.paste.id));
        let early = tokio::select! {
            read = read.as_mut() => Some(read),
            () = until("a refusal", refused) => None,
        };
        holder.close().await.unwrap();
        match early {
            Some(read) => read,
            None => read.await,
        }
    };
    let (created, read) = tokio::join!(create, read);
    assert_eq!(created, Ok(CreateOutcome::Created));
    read
}

/// How often the database's role was refused a connection.
async fn refusals(database: &Database) -> usize {
    let log = Clusters::first().await.log();
    log.matches(&format!("for role \"r{}\"", database.name))
        .count()
}
