//! The start beside a folder of objects: one that was emptied, or is not mounted, is not taken for a new one, nor are
//! new shards beside used objects.

use crate::harness::{FourShards, Process, fresh_key, open_shard, operate, text_files};
use sqlx::Executor;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use tempfile::TempDir;

/// A data folder that a server has used, and the id of its paste.
async fn used() -> (TempDir, String) {
    let data = TempDir::new().unwrap();
    let id = save(data.path(), &[]).await;
    (data, id)
}

async fn save(data: &Path, flags: &[&str]) -> String {
    let server = Process::start(data, flags);
    server.save_new("kept\n").await.created().id
}

async fn assert_kept(data: &Path, flags: &[&str], id: &str) {
    let server = Process::start(data, flags);
    assert_eq!(server.raw(id).await, "kept\n");
    assert_eq!(server.save_new("more\n").await.status, 201);
}

fn names(folder: &Path) -> Vec<PathBuf> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    names.sort();
    names
}

/// What the place of a folder looks like that is not mounted.
fn unmounted(folder: &Path, kind: usize) {
    fs::create_dir(folder).unwrap();
    if kind > 0 {
        fs::create_dir(folder.join("lost+found")).unwrap();
        fs::write(folder.join("not mounted"), "").unwrap();
    }
    if kind > 1 {
        let folders = (0..256).map(|slot| folder.join(format!("{slot:03}")));
        folders.for_each(|folder| fs::create_dir(folder).unwrap());
        fs::write(folder.join(format!("007/{}#1", fresh_key())), "half").unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_folder_in_place_of_a_used_one_is_refused_and_left_alone() {
    let (data, id) = used().await;
    let (objects, away) = (data.path().join("objects"), data.path().join("away"));
    fs::rename(&objects, &away).unwrap();
    for kind in 0..3 {
        unmounted(&objects, kind);
        let before = names(&objects);
        let line = Process::refused(data.path(), &[]);
        assert!(
            line.contains("/objects has no objects, but sqlite://") && line.contains("is in use"),
            "{line}"
        );
        let checked = operate("check", data.path(), &["--deep"]);
        assert_eq!(checked.code, 1);
        checked.assert_line(
            "wrong objects, file://",
            "it has no objects, nor its mark in-use",
        );
        checked.assert_line("wrong shard 3: ", "its rows are not compared with objects");
        let refused = operate("takedown", data.path(), &["--without-text=1"]);
        assert_eq!(refused.code, 1);
        assert!(
            refused.err.contains("nothing is taken down"),
            "{refused:#?}"
        );
        assert_eq!(names(&objects), before);
        fs::remove_dir_all(&objects).unwrap();
    }
    fs::rename(&away, &objects).unwrap();
    assert_kept(data.path(), &[], &id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_used_folder_without_a_single_text_is_known_by_its_mark() {
    let (data, _) = used().await;
    let objects = data.path().join("objects");
    let text = text_files(&objects).remove(0);
    fs::remove_file(text).unwrap();
    assert_eq!(save(data.path(), &[]).await.len(), 14);
    for text in text_files(&objects) {
        fs::remove_file(text).unwrap();
    }
    fs::remove_file(objects.join("in-use")).unwrap();
    assert!(Process::refused(data.path(), &[]).contains("make an object in-use in it"));
    fs::write(objects.join("in-use"), "").unwrap();
    save(data.path(), &[]).await;
}

/// From an older version, or by copying 000 to 255 alone.
#[tokio::test(flavor = "multi_thread")]
async fn a_folder_of_texts_without_its_mark_is_taken_over() {
    let (data, id) = used().await;
    let mark = data.path().join("objects/in-use");
    fs::remove_file(&mark).unwrap();
    let checked = operate("check", data.path(), &["--deep"]);
    checked.assert_line(
        "wrong objects, file://",
        "it has objects, but not its mark in-use",
    );
    assert_eq!(
        (checked.code, checked.not_ok().len()),
        (1, 1),
        "{checked:#?}"
    );
    assert_kept(data.path(), &[], &id).await;
    assert!(mark.exists());
    let checked = operate("check", data.path(), &["--deep"]);
    assert_eq!((checked.code, checked.not_ok()), (0, vec![]));
}

/// As after a boot, when neither the folder nor the databases are there yet.
#[tokio::test(flavor = "multi_thread")]
async fn an_empty_folder_is_not_marked_while_no_shard_can_be_asked() {
    let data = TempDir::new().unwrap();
    let objects = data.path().join("objects");
    let nowhere = "--shards=postgres://postgres@127.0.0.1:1/x";
    for _ in 0..2 {
        let lines = Process::refusal(data.path(), &[nowhere]);
        let end = lines.last().unwrap();
        assert!(end.starts_with("oncebin: shard 0 cannot be asked"), "{end}");
        assert!(!objects.exists() || names(&objects).is_empty());
        fs::create_dir_all(&objects).unwrap();
    }
}

/// The mark is set before any shard is claimed, and a start may end in between.
#[tokio::test(flavor = "multi_thread")]
async fn a_first_start_that_was_cut_short_is_followed_by_one_that_goes_on() {
    let data = TempDir::new().unwrap();
    fs::create_dir(data.path().join("objects")).unwrap();
    fs::write(data.path().join("objects/in-use"), "").unwrap();
    Process::start(data.path(), &[]).kill();
    for shard in 0..4 {
        let mut file = open_shard(&data.path().join("shards"), shard).await;
        file.execute("delete from slot").await.unwrap();
    }
    save(data.path(), &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_may_start_for_the_first_time_at_once() {
    for _ in 0..5 {
        let data = TempDir::new().unwrap();
        let shards = FourShards::of_their_own().await;
        let flag = shards.flag();
        let servers = thread::scope(|scope| {
            let start = || Process::start(data.path(), &[&flag]);
            let starting = [scope.spawn(start), scope.spawn(start)];
            starting.map(|starting| starting.join().unwrap())
        });
        let id = servers[0].save_new("kept\n").await.created().id;
        assert_eq!(servers[1].raw(&id).await, "kept\n");
    }
}

/// Beside the texts of old ones, new files would answer 404 for every paste and save a second one for every key.
#[tokio::test(flavor = "multi_thread")]
async fn no_files_are_made_where_all_of_them_were_lost() {
    let (data, id) = used().await;
    let (shards, away) = (data.path().join("shards"), data.path().join("away"));
    fs::rename(&shards, &away).unwrap();
    for _ in 0..2 {
        let line = Process::refused(data.path(), &[]);
        assert!(
            line.contains("/objects has texts, but no shard is in use: were the shards lost"),
            "{line}"
        );
        assert!(!shards.exists());
    }
    let checked = operate("check", data.path(), &[]);
    checked.assert_line(
        "wrong objects, file://",
        "it has texts, but no shard is in use",
    );
    fs::rename(&away, &shards).unwrap();
    assert_kept(data.path(), &[], &id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn new_databases_are_not_claimed_beside_the_texts_of_others() {
    let data = TempDir::new().unwrap();
    let [used, other] = [
        FourShards::of_their_own().await,
        FourShards::of_their_own().await,
    ];
    let id = save(data.path(), &[&used.flag()]).await;
    let lines = Process::refusal(data.path(), &[&other.flag()]);
    assert!(
        lines
            .last()
            .unwrap()
            .contains("has texts, but no shard is in use"),
        "{lines:?}"
    );
    let tables = "select count(*) from pg_class where relname = 'slot'";
    for database in &other.databases {
        assert_eq!(database.number(tables).await, 0);
    }
    assert_kept(data.path(), &[&used.flag()], &id).await;
}
