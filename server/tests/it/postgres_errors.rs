//! What the errors of a real server mean, each provoked on one.

use crate::harness::postgres::{Clusters, Database};
use oncebin::store::Store;
use oncebin::store::postgres::{Meaning, PostgresStore};
use sqlx::error::DatabaseError;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection, Executor};

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

/// A database with the tables of a shard.
pub(crate) async fn prepared() -> Database {
    let database = Clusters::first().await.database().await;
    let store = PostgresStore::new(&database.socket_url()).unwrap();
    store.prepare().await.unwrap();
    database
}

/// A session that the server's last word reaches, also when it is over before the next statement.
pub(crate) async fn over_tcp(database: &Database) -> PgConnection {
    PgConnection::connect(&database.url()).await.unwrap()
}

async fn process_of(session: &mut PgConnection) -> i32 {
    let process = sqlx::query_scalar("select pg_backend_pid()");
    process.fetch_one(session).await.unwrap()
}

pub(crate) async fn assert_fails(
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
pub(crate) fn assert_is(error: &sqlx::Error, sqlstate: &str, meaning: Meaning) {
    let code = error.as_database_error().and_then(DatabaseError::code);
    assert_eq!(code.unwrap_or_default(), sqlstate, "{error:?}");
    assert_eq!(Meaning::of(error), meaning, "{error:?}");
}
