//! What a connection is asked before it is used: only the newest primary of the right cluster, with settings under
//! which an acknowledged save is kept.

use crate::harness::fault_proxy::{Fault, FaultProxy};
use crate::harness::postgres::{Cluster, Clusters, Database};
use crate::harness::{Process, TestServer, fresh_key};
use oncebin::store::postgres::PostgresStore;
use oncebin::store::{Store, StoreError};
use tempfile::TempDir;

async fn shard() -> Database {
    let cluster = Clusters::first().await;
    cluster.database_named("postgres").schema().await
}

/// Ends the connections that lead to one database, and leads the next ones to another.
async fn lead(proxy: &FaultProxy, from: &Database, to: &Database) {
    proxy.set(Fault::Down);
    let sessions = "select from pg_stat_activity where application_name = 'oncebin'";
    let own = "datname = current_database()";
    from.wait_until(&format!("not exists ({sessions} and {own})"))
        .await;
    proxy.lead_to(to.port);
    proxy.set(Fault::Pass);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_standby_is_not_used_until_it_is_promoted() {
    let primary = Cluster::start(&[]).await;
    let database = primary.database().await;
    let server = TestServer::start_with(&[&format!("--shards={}", database.url())], |_| {}).await;
    let paste = server.save_new("text\n").await.created();
    server.stop().await;
    let standby = primary.standby("standby").await;
    let copied = database.on(&standby);
    copied.wait_until("exists (select from paste)").await;
    let store = PostgresStore::new(&copied.url()).unwrap();
    assert_eq!(store.prepare().await, Err(StoreError::Unreachable));
    assert_eq!(store.owned_slots().await, Err(StoreError::Unreachable));
    let id = paste.id.parse().unwrap();
    assert_eq!(store.read(id).await, Err(StoreError::Unreachable));
    primary.kill9();
    standby.promote().await;
    assert!(store.read(id).await.unwrap().is_some());
    assert_eq!(store.owned_slots().await.unwrap().len(), 256);
}

/// It has the same tables and slots, as a database does that was restored beside the first.
#[tokio::test(flavor = "multi_thread")]
async fn another_cluster_behind_the_same_address_is_refused() {
    let [cluster, other, ..] = Clusters::shared().await;
    let database = cluster.database().await;
    let proxy = FaultProxy::to(database.port).await;
    let flag = format!("--shards={}", database.url_at(proxy.address));
    let server = TestServer::start_with(&[&flag], |_| {}).await;
    let key = fresh_key();
    let first = server.save(&key, "text\n").await;
    let raw = format!("/{}/raw", first.created().id);
    other
        .run(&format!("create database {}", database.name))
        .await;
    let twin = database.on(other);
    let others = TestServer::start_with(&[&format!("--shards={}", twin.url())], |_| {}).await;
    others.stop().await;

    lead(&proxy, &database, &twin).await;
    assert_eq!(server.get(&raw).await.status, 503);
    for _ in 0..3 {
        assert_eq!(server.save(&key, "text\n").await.status, 503);
        assert_eq!(server.save_new("other\n").await.status, 503);
    }
    assert_eq!(twin.number("select count(*) from paste").await, 0);
    lead(&proxy, &twin, &database).await;
    server.admin().until_it_says("shard 0 up").await;
    assert_eq!(server.get(&raw).await.status, 200);
    assert_eq!(server.save(&key, "text\n").await.body, first.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_does_not_wait_for_the_disk_is_refused_and_said_why() {
    let database = shard().await;
    let url = format!("{}&options[synchronous_commit]=off", database.url());
    let data = TempDir::new().unwrap();
    let flag = format!("--shards={url}");
    let store = PostgresStore::new(&url).unwrap();
    assert_eq!(store.prepare().await, Err(StoreError::Unreachable));
    let lines = Process::refusal(data.path(), &[&flag, "--log=error"]);
    let why = "a connection to a shard is refused: its synchronous_commit is off";
    assert!(lines[0].contains(why), "{lines:?}");
    let end = lines.last().unwrap();
    assert!(end.starts_with("oncebin: shard 0 cannot be asked"), "{end}");
}

/// The clusters of the tests run so.
#[tokio::test(flavor = "multi_thread")]
async fn fsync_off_is_warned_of() {
    let database = shard().await;
    let data = TempDir::new().unwrap();
    let flag = format!("--shards={}", database.url());
    let server = Process::start(data.path(), &[&flag]);
    server.save_new("text\n").await.created();
    server.ask_to_stop();
    let ended = server.wait();
    assert!(ended.log.contains("fsync off"), "{}", ended.log);
}
