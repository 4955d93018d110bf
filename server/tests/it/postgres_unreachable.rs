//! Servers that take no session: what that means, and that one which serves others is not taken for gone.

use crate::harness::fault_proxy::{Fault, FaultProxy};
use crate::harness::postgres::{Cluster, Clusters, PASSWORD};
use crate::postgres_errors::{assert_fails, assert_is, over_tcp, prepared};
use crate::store_shard::sample;
use oncebin::store::postgres::{Meaning, PostgresStore};
use oncebin::store::{CreateOutcome, Store, StoreError};
use sqlx::postgres::PgConnection;
use sqlx::{Connection, Executor};
use tokio::task::yield_now;

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
    // The create must be the first to connect: a connection on its way back to the pool would be the one that is allowed.
    let store = PostgresStore::new(&url).unwrap();
    let now_ms = database
        .number("select floor(extract(epoch from clock_timestamp()) * 1000)::bigint")
        .await;
    let mut holder = database.connect().await;
    let hold = "begin; select 1 from slot for update";
    holder.execute(hold).await.unwrap();
    let new = sample(1, now_ms);
    let read = async {
        // The create has the one connection by then.
        database
            .wait_until("exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')")
            .await;
        store.read(new.paste.id).await
    };
    let release = async {
        // The read has tried by then.
        while !Clusters::first()
            .await
            .log()
            .contains(&format!("for role \"r{name}\""))
        {
            yield_now().await;
        }
        holder.close().await.unwrap();
    };
    // On a busy machine the connection may come too late for a first attempt, which commits nothing: the slot is held.
    let create = async {
        loop {
            match store.create(new.clone()).await {
                Err(StoreError::Unavailable | StoreError::Unknown) => {}
                created => return created,
            }
        }
    };
    let (created, read, ()) = tokio::join!(create, read, release);
    assert_eq!(created, Ok(CreateOutcome::Created));
    assert_eq!(read, Err(StoreError::Unavailable));
}
