//! Back-up and restore by the commands of docs/postgres.md, taken while saves go on.

use crate::harness::postgres::Database;
use crate::harness::{FourShards, OperatorsPage, TestServer, fresh_key};
use app::wire::created::Created;
use futures_util::future::join_all;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;

const CLIENTS: usize = 8;

#[tokio::test(flavor = "multi_thread")]
async fn a_back_up_under_load_comes_back_with_the_text_of_every_paste() {
    let backup = TempDir::new().unwrap();
    let shards = FourShards::of_their_own().await;
    let server = TestServer::start_with(&[&shards.flag()], |_| {}).await;
    let objects = server.data().join("objects");
    let key = fresh_key();
    let first = server.save(&key, "before\n").await;
    let stop = AtomicBool::new(false);
    let saving = (0..CLIENTS).map(|_| save_until(&server, &stop));
    let backing_up = async {
        let urls = urls(&shards);
        let (backup, objects) = (backup.path().to_owned(), objects.clone());
        let done = tokio::task::spawn_blocking(move || {
            carry_out("back up", &urls, &backup, &objects);
        });
        done.await.unwrap();
        stop.store(true, Ordering::SeqCst);
    };
    let (saved, ()) = tokio::join!(join_all(saving), backing_up);
    server.stop().await;

    let restored = FourShards::of_their_own().await;
    let objects = TempDir::new().unwrap();
    carry_out("restore", &urls(&restored), backup.path(), objects.path());
    let flags = [
        restored.flag(),
        format!("--objects=file://{}", objects.path().display()),
    ];
    let flags = flags.each_ref().map(|flag| &**flag);
    let server = TestServer::start_with(&flags, |_| {}).await;
    assert_eq!(server.save(&key, "before\n").await.body, first.body);
    let ids = restored.rows().await.ids();
    let saved: Vec<_> = saved.into_iter().flatten().collect();
    let kept = saved.iter().filter(|paste| ids.contains(&paste.id));
    assert_eq!(kept.count() + 1, ids.len());
    assert!(ids.len() < saved.len(), "saves went on after the dumps");
    for paste in saved {
        let raw = server.get(&format!("/{}/raw", paste.id)).await;
        let expected = if ids.contains(&paste.id) { 200 } else { 404 };
        assert_eq!(raw.status, expected);
    }
}

async fn save_until(server: &TestServer, stop: &AtomicBool) -> Vec<Created> {
    let mut saved = Vec::new();
    while !stop.load(Ordering::SeqCst) {
        saved.push(server.save_new("meanwhile\n").await.created());
    }
    saved
}

fn urls(shards: &FourShards) -> String {
    let urls = shards.databases.iter().map(Database::socket_url);
    urls.collect::<Vec<_>>().join(" ")
}

fn carry_out(mark: &str, shards: &str, backup: &Path, objects: &Path) {
    let [backup, objects] = [backup, objects].map(|path| path.to_str().unwrap());
    let variables = [("SHARDS", shards), ("BACKUP", backup), ("OBJECTS", objects)];
    OperatorsPage::carry_out(mark, &variables);
}
