//! The logins of docs/postgres.md, made by its own statements.

use crate::harness::postgres::{Cluster, Database};
use crate::harness::{OperatorsPage, TestServer};
use oncebin::store::outbox::Step;
use oncebin::store::postgres::PostgresStore;
use oncebin::store::{Store, Upkeep};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn the_second_login_does_a_workers_work_and_makes_and_gives_away_nothing() {
    let cluster = Cluster::start(&[]).await;
    carry_out(
        &cluster.database_named("postgres"),
        "the login of the service",
    )
    .await;
    let shard = cluster.database_named("shard0");
    let flag = format!("--shards={}", url_of(&shard, "oncebin"));
    let server = TestServer::start_with(&[&flag], |_| {}).await;
    let expired = server.save_new("expired\n").await.created();
    let kept = server.save_new("kept\n").await.created();
    carry_out(&shard, "the second login").await;
    let expire = format!(
        "update paste set expires_at = 1 where id = '{}'",
        expired.id
    );
    shard.run(expire).await;

    let url = url_of(&shard, "oncebin_operator");
    let mut session = PgConnection::connect(&url).await.unwrap();
    for (setting, limit) in [
        ("statement_timeout", "30s"),
        ("idle_in_transaction_session_timeout", "5s"),
    ] {
        let show = AssertSqlSafe(format!("show {setting}"));
        let shown: String = sqlx::query_scalar(show)
            .fetch_one(&mut session)
            .await
            .unwrap();
        assert_eq!(shown, limit, "{setting}");
    }
    for statement in [
        "insert into paste select * from paste",
        "insert into idempotency select * from idempotency",
        "insert into slot values (1)",
        "delete from slot",
        "truncate paste",
        "drop table paste",
        "create table mine ()",
    ] {
        let error = session.execute(statement).await.unwrap_err();
        let error = error.into_database_error().unwrap();
        assert_eq!(error.code().unwrap(), "42501", "{statement}");
    }
    let store = PostgresStore::new(&url).unwrap();
    assert_eq!(store.sweep_pastes(10).await, Ok(1));
    assert_eq!(store.sweep_keys(10).await, Ok(0));
    let leased = store.lease(Step::Object, 10, Duration::ZERO).await.unwrap();
    let id: app::wire::id::PasteId = kept.id.parse().unwrap();
    let object = [leased[0].object_key.clone()];
    let named = store.named_after_creates(id.slot(), &object).await.unwrap();
    assert_eq!((leased.len(), named.len()), (1, 1), "the outbox names it");
    assert_eq!(
        server.get(&format!("/{}/raw", kept.id)).await.text(),
        "kept\n"
    );
}

/// One after another: a database is not made in a transaction with anything else.
async fn carry_out(database: &Database, mark: &str) {
    let statements = OperatorsPage::POSTGRES.below(mark, "sql");
    for statement in statements.split_inclusive(";\n") {
        database.run(statement).await;
    }
}

/// Over the socket, where the clusters of the tests ask for no password.
fn url_of(database: &Database, login: &str) -> String {
    database
        .socket_url()
        .replace("//postgres@", &format!("//{login}@"))
}
