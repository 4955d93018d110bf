//! What the errors of a real server mean, each provoked on one.

use crate::harness::fault_proxy::{Fault, FaultProxy};
use crate::harness::postgres::{Cluster, Clusters, Database, PASSWORD};
use crate::store_shard::{SLOT, sample};
use oncebin::store::postgres::{Meaning, PostgresStore};
use oncebin::store::{CreateOutcome, Store, StoreError};
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection, Executor};
use tokio::task::yield_now;

/// Statements that succeed, one that does not, its SQLSTATE and what it means.
type Case = (&'static [&'static str], &'static str, &'static str, Meaning);

const KEY: &str = "insert into idempotency values ('k', 1, '', '', 0)";
const PASTE: &str = "insert into paste values ('i', 'o', '', null, null, 0, '', 0, 0)";

const ALONE: [Case; 15] = [
    (&["begin", KEY], KEY, "23505", Meaning::KeyTaken),
    (
        &["begin", PASTE],
        "insert into paste values ('i', 'p', '', null, null, 0, '', 0, 0)",
        "23505",
        Meaning::IdTaken,
    ),
    (
        &["begin", PASTE],
        "insert into paste values ('j', 'o', '', null, null, 0, '', 0, 0)",
        "23505",
        Meaning::IdTaken,
    ),
    (
        &["begin", "insert into slot values (7)"],
        "insert into slot values (7)",
        "23505",
        Meaning::Bug,
    ),
    (&[], "insert into slot values (256)", "23514", Meaning::Bug),
    (&[], "insert into slot values (null)", "23502", Meaning::Bug),
    (
        &["set statement_timeout = '10ms'"],
        "select pg_sleep(10)",
        "57014",
        Meaning::Busy,
    ),
    (
        &["set default_transaction_read_only = on"],
        KEY,
        "25006",
        Meaning::Lost,
    ),
    (&[], "savepoint s", "25P01", Meaning::Lost),
    (&[], "select nothing", "42703", Meaning::Bug),
    (&[], "select 1 from nothing", "42P01", Meaning::Bug),
    (
        &[],
        "select pg_terminate_backend(pg_backend_pid())",
        "57P01",
        Meaning::Lost,
    ),
    (
        &[],
        "do $$ begin raise exception using errcode = '53100'; end $$",
        "53100",
        Meaning::Refused,
    ),
    (
        &[],
        "do $$ begin raise exception using errcode = '08006'; end $$",
        "08006",
        Meaning::Lost,
    ),
    (&[], "select 1 / 0", "22012", Meaning::Bug),
];

#[tokio::test]
async fn errors_of_one_session() {
    let database = prepared().await;
    for (before, statement, sqlstate, meaning) in ALONE {
        let mut session = database.connect().await;
        for statement in before {
            session.execute(*statement).await.unwrap();
        }
        assert_fails(&mut session, statement, sqlstate, meaning).await;
    }
}

/// A session whose transaction has failed, or was ended from outside.
#[tokio::test]
async fn errors_of_a_poisoned_session() {
    let database = prepared().await;
    let mut session = database.connect().await;
    session.execute("begin").await.unwrap();
    session.execute("select 1 / 0").await.unwrap_err();
    assert_fails(&mut session, "select 1", "25P02", Meaning::Lost).await;

    let mut session = over_tcp(&database).await;
    let process = process_of(&mut session).await;
    session
        .execute("set idle_in_transaction_session_timeout = '10ms'; begin")
        .await
        .unwrap();
    database
        .wait_until(&format!(
            "not exists (select from pg_stat_activity where pid = {process})"
        ))
        .await;
    assert_fails(&mut session, "select 1", "25P03", Meaning::Lost).await;
    assert_fails(&mut session, "select 1", "", Meaning::Lost).await;
}

#[tokio::test]
async fn errors_between_two_sessions() {
    let database = prepared().await;
    database.run("insert into slot values (1), (2), (3)").await;
    let (mut first, mut second) = (database.connect().await, database.connect().await);
    for session in [&mut first, &mut second] {
        session.execute("begin isolation level repeatable read; set local deadlock_timeout = '10ms'; select 1 from slot").await.unwrap();
    }
    first
        .execute("delete from slot where slot = 1")
        .await
        .unwrap();
    let held = "select 1 from slot where slot = 1 for update nowait";
    second.execute("savepoint before").await.unwrap();
    assert_fails(&mut second, held, "55P03", Meaning::Busy).await;
    second
        .execute("rollback to before; set local lock_timeout = '10ms'")
        .await
        .unwrap();
    assert_fails(
        &mut second,
        "delete from slot where slot = 1",
        "55P03",
        Meaning::Busy,
    )
    .await;
    first.execute("commit").await.unwrap();
    second.execute("rollback to before").await.unwrap();
    assert_fails(
        &mut second,
        "delete from slot where slot = 1",
        "40001",
        Meaning::Conflict,
    )
    .await;

    for (session, own) in [(&mut first, 2), (&mut second, 3)] {
        let begin = format!(
            "rollback; begin; set local deadlock_timeout = '10ms'; delete from slot where slot = {own}"
        );
        session.execute(AssertSqlSafe(begin)).await.unwrap();
    }
    // Whoever loses, its session is over, so that the other one's statement ends too.
    let cross = async |mut session: PgConnection, other: &'static str| {
        let ended = session.execute(other).await;
        session.close().await.unwrap();
        ended.err()
    };
    let (first, second) = tokio::join!(
        cross(first, "delete from slot where slot = 3"),
        cross(second, "delete from slot where slot = 2")
    );
    let victim = first.xor(second).expect("one of them is the victim");
    assert_is(&victim, "40P01", Meaning::Conflict);
}

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
    let now_ms = store.look_up(SLOT, &[0; 32]).await.unwrap().now_ms;
    let mut holder = database.connect().await;
    let hold = "begin; select 1 from slot for update";
    holder.execute(hold).await.unwrap();
    let new = sample(1, now_ms);
    let release = async {
        // The read has tried by then.
        database
            .wait_until("exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')")
            .await;
        while !Clusters::first()
            .await
            .log()
            .contains(&format!("for role \"r{name}\""))
        {
            yield_now().await;
        }
        holder.close().await.unwrap();
    };
    let (created, read, ()) =
        tokio::join!(store.create(new.clone()), store.read(new.paste.id), release);
    assert_eq!(created, Ok(CreateOutcome::Created));
    assert_eq!(read, Err(StoreError::Unavailable));
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

/// A database with the tables of a shard.
async fn prepared() -> Database {
    let database = Clusters::first().await.database().await;
    let store = PostgresStore::new(&database.socket_url()).unwrap();
    store.prepare().await.unwrap();
    database
}

/// A session that the server's last word reaches, also when it is over before the next statement.
async fn over_tcp(database: &Database) -> PgConnection {
    PgConnection::connect(&database.url()).await.unwrap()
}

async fn process_of(session: &mut PgConnection) -> i32 {
    let process = sqlx::query_scalar("select pg_backend_pid()");
    process.fetch_one(session).await.unwrap()
}

async fn assert_fails(
    session: &mut PgConnection,
    statement: &'static str,
    sqlstate: &str,
    meaning: Meaning,
) {
    assert_is(
        &session.execute(statement).await.unwrap_err(),
        sqlstate,
        meaning,
    );
}

#[track_caller]
fn assert_is(error: &sqlx::Error, sqlstate: &str, meaning: Meaning) {
    let code = error.as_database_error().and_then(|error| error.code());
    assert_eq!(code.unwrap_or_default(), sqlstate, "{error:?}");
    assert_eq!(Meaning::of(error), meaning, "{error:?}");
}
