//! The slot map and the files it was made with: another map stops the start, and changes nothing.

use crate::harness::{Process, Rows, fresh_key, open_shard};
use futures_util::future::join_all;
use sqlx::Row;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// `--shards` with these files of the embedded default, in this order.
fn shards(data: &Path, files: &[usize]) -> String {
    let urls = files
        .iter()
        .map(|file| format!("sqlite://{}/shards/{file}.sqlite", data.display()));
    format!("--shards={}", urls.collect::<Vec<_>>().join(","))
}

/// First and last slot and their number, as a file has them.
async fn owned(data: &Path, shard: usize) -> (Option<i64>, Option<i64>, i64) {
    let mut file = open_shard(&data.join("shards"), shard).await;
    let row = sqlx::query("select min(slot), max(slot), count(*) from slot");
    let row = row.fetch_one(&mut file).await.unwrap();
    (row.get(0), row.get(1), row.get(2))
}

async fn assert_owns_nothing(data: &Path, shard: usize) {
    let mut file = open_shard(&data.join("shards"), shard).await;
    let owned = sqlx::query_scalar("select count(*) from slot");
    // A refused start may have come to this file, or not.
    let owned: i64 = owned.fetch_one(&mut file).await.unwrap_or(0);
    assert_eq!(owned, 0);
}

/// A data folder that a server has used, and the id of a paste in each shard.
async fn used() -> (TempDir, [String; 4]) {
    let data = TempDir::new().unwrap();
    let server = Process::start(data.path(), &[]);
    let mut ids = [const { None }; 4];
    while ids.contains(&None) {
        let id = server.save_new("text\n").await.created().id;
        let parsed: app::wire::id::PasteId = id.parse().unwrap();
        ids[usize::from(parsed.slot().number()) / 64] = Some(id);
    }
    server.ask_to_stop();
    assert!(server.wait().status.success());
    (data, ids.map(Option::unwrap))
}

async fn assert_unchanged(data: &Path, ids: &[String]) {
    for (shard, first) in [0, 64, 128, 192].into_iter().enumerate() {
        assert_eq!(
            owned(data, shard).await,
            (Some(first), Some(first + 63), 64)
        );
    }
    let server = Process::start(data, &[]);
    for id in ids {
        assert_eq!(server.get(&format!("/{id}/raw")).await.text(), "text\n");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_number_or_order_of_files_stops_the_start_with_one_clear_line() {
    let (data, ids) = used().await;
    // Files that are there and empty, as databases made beforehand are.
    for file in 4..8 {
        fs::write(data.path().join(format!("shards/{file}.sqlite")), "").unwrap();
    }
    for files in [
        [0, 1].as_slice(),
        &[1, 0, 2, 3],
        &[0, 1, 3, 2],
        &[0, 1, 2, 3, 4],
        &[4, 5, 6, 7, 0, 1, 2, 3],
    ] {
        let line = Process::refused(data.path(), &[&shards(data.path(), files)]);
        assert!(line.starts_with("oncebin: s"), "{line}");
        assert!(
            line.contains("shards changed? Pastes do not move"),
            "{line}"
        );
        for file in 4..8 {
            assert_owns_nothing(data.path(), file).await;
        }
        assert_unchanged(data.path(), &ids).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_was_not_there_before_is_not_made() {
    let (data, ids) = used().await;
    let line = Process::refused(data.path(), &[&shards(data.path(), &[0, 1, 2, 3, 4])]);
    assert!(line.contains("4.sqlite is not there"), "{line}");
    assert!(!data.path().join("shards/4.sqlite").exists());
    assert_unchanged(data.path(), &ids).await;
}

/// An empty file in its place would answer 404 for its pastes and save a second paste for its keys.
#[tokio::test(flavor = "multi_thread")]
async fn a_lost_file_stops_the_start_until_it_is_back() {
    let (data, ids) = used().await;
    for shard in 0..4 {
        let file = data.path().join(format!("shards/{shard}.sqlite"));
        let away = data.path().join("away");
        fs::rename(&file, &away).unwrap();
        for _ in 0..2 {
            let line = Process::refused(data.path(), &[]);
            assert!(
                line.contains(&format!("{shard}.sqlite is not there")),
                "{line}"
            );
            assert!(line.contains("was the file lost"), "{line}");
            assert!(!file.exists());
        }
        fs::rename(&away, &file).unwrap();
    }
    assert_unchanged(data.path(), &ids).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_on_the_same_files_save_each_key_once() {
    let data = TempDir::new().unwrap();
    let one = Process::start(data.path(), &[]);
    let other = Process::start(data.path(), &[]);
    let keys: Vec<_> = (0..16).map(|_| fresh_key()).collect();
    let saves = keys.iter().map(|key| async {
        let (one, other) = tokio::join!(one.save(key, "text\n"), other.save(key, "text\n"));
        assert_eq!(one.body, other.body);
        one.created()
    });
    let pastes = join_all(saves).await;
    let rows = Rows::of(data.path()).await;
    rows.assert_paired(data.path());
    assert_eq!(rows.pastes.len(), keys.len());
    for paste in &pastes {
        let deleted = one.delete(&paste.id, &paste.delete_token).await;
        assert_eq!(deleted.status, 204);
        assert_eq!(other.get(&format!("/{}/raw", paste.id)).await.status, 404);
    }
}
