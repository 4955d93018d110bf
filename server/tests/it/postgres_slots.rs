//! Slot maps over PostgreSQL: a shard decides itself what it owns, whatever a server believes.

use crate::harness::postgres::{Clusters, Database};
use crate::harness::{Process, TestServer};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};
use tempfile::TempDir;

/// A new, empty shard.
pub(crate) async fn shard() -> Database {
    let cluster = Clusters::first().await;
    cluster.database_named("postgres").schema().await
}

/// `--shards` with an even split.
fn flag(shards: &[&Database]) -> String {
    let urls = shards.iter().map(|shard| shard.socket_url());
    format!("--shards={}", urls.collect::<Vec<_>>().join(","))
}

/// One folder for all servers over any of the same shards: a folder with the texts of others is refused.
fn objects(shards: &[&Database]) -> String {
    static FOLDERS: LazyLock<Mutex<HashMap<String, Arc<TempDir>>>> = LazyLock::new(Mutex::default);
    let mut folders = FOLDERS.lock().unwrap();
    let urls: Vec<_> = shards.iter().map(|shard| shard.socket_url()).collect();
    let known = urls.iter().find_map(|url| folders.get(url).cloned());
    let folder = known.unwrap_or_else(|| Arc::new(TempDir::new().unwrap()));
    folders.extend(urls.into_iter().map(|url| (url, Arc::clone(&folder))));
    format!("--objects=file://{}", folder.path().display())
}

/// The one line a start with these shards ends with.
fn refused(shards: &[&Database]) -> String {
    let data = TempDir::new().unwrap();
    let flags = [&flag(shards), &objects(shards), "--log=error"];
    Process::refused(data.path(), &flags)
}

pub(crate) async fn serve(shards: &[&Database]) -> TestServer {
    TestServer::start_with(&[&flag(shards), &objects(shards)], |_| {}).await
}

async fn assert_owned_halves(one: &Database, two: &Database) {
    for (shard, first) in [(one, 0), (two, 128)] {
        let range = format!("min(slot) = {first} and max(slot) = {first} + 127");
        let halves = format!("select (count(*) = 128 and {range})::int::bigint from slot");
        assert_eq!(shard.number(halves).await, 1);
    }
}

pub(crate) async fn count(shard: &Database, table: &str) -> i64 {
    shard.number(format!("select count(*) from {table}")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn another_map_stops_the_start_with_one_clear_line() {
    let (one, two, empty) = (shard().await, shard().await, shard().await);
    serve(&[&one, &two]).await;
    for shards in [
        [&two, &one].as_slice(),
        &[&one],
        &[&one, &two, &empty],
        &[&empty, &one],
    ] {
        let line = refused(shards);
        assert!(line.contains("owns slots"), "{line}");
        assert!(line.contains("the number or order of shards"), "{line}");
    }
    assert_owned_halves(&one, &two).await;
    serve(&[&one, &two]).await;
}

/// Served, it would answer 404 for the pastes of the database whose place it takes, and save second pastes.
#[tokio::test(flavor = "multi_thread")]
async fn an_empty_database_in_the_place_of_a_used_one_stops_the_start() {
    let (one, two, empty) = (shard().await, shard().await, shard().await);
    serve(&[&one, &two]).await;
    for _ in 0..2 {
        let line = refused(&[&one, &empty]);
        assert!(
            line.contains("shard 1 is empty, but shard 0 is in use"),
            "{line}"
        );
    }
    let missing = "(to_regclass('slot') is null)::int::bigint";
    assert_eq!(empty.number(format!("select {missing}")).await, 1);
}

/// The one that does not answer may own the same slots: two owners of a slot are two pastes of a key.
#[tokio::test(flavor = "multi_thread")]
async fn a_first_start_claims_nothing_while_a_shard_cannot_be_asked() {
    let (used, other, new) = (shard().await, shard().await, shard().await);
    serve(&[&used, &other]).await;
    let data = TempDir::new().unwrap();
    let away = "postgres://postgres@127.0.0.1:1/away";
    let flag = format!(
        "--shards=0-127={},128-191={away},192-255={}",
        used.socket_url(),
        new.socket_url()
    );
    let lines = Process::refusal(
        data.path(),
        &[&flag, &objects(&[&used, &new]), "--log=error"],
    );
    let end = lines.last().unwrap();
    assert!(
        end.contains("shard 2 owns no slots yet, and shard 1 cannot be asked"),
        "{end}"
    );
    let missing = "select (to_regclass('slot') is null)::int::bigint";
    assert_eq!(new.number(missing).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_start_that_was_cut_short_is_finished() {
    let (one, two) = (shard().await, shard().await);
    serve(&[&one, &two]).await;
    two.run("delete from slot").await;
    serve(&[&one, &two]).await;
    assert_owned_halves(&one, &two).await;
}

/// One of them has claimed slots when the other comes, and then that one's map is wrong.
#[tokio::test(flavor = "multi_thread")]
async fn of_servers_that_start_at_once_with_different_maps_at_most_one_starts() {
    for _ in 0..4 {
        let (one, two) = (shard().await, shard().await);
        let start = |first: &Database, second: &Database| {
            let (first, second) = (first.clone(), second.clone());
            // A start that is refused is a panic in its task.
            tokio::spawn(async move { serve(&[&first, &second]).await })
        };
        let (ours, theirs) = tokio::join!(start(&one, &two), start(&two, &one));
        assert!(ours.is_err() || theirs.is_err(), "both started");
    }
}
