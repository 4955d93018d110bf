//! `oncebin check`: what it says of shards and objects that are as they should be, and of such as are not.

use crate::harness::postgres::{Cluster, Clusters};
use crate::harness::{Process, Rows, fresh_key, operate};
use std::collections::BTreeSet;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

const DAYS: Duration = Duration::from_secs(3 * 24 * 60 * 60);

#[tokio::test(flavor = "multi_thread")]
async fn beside_a_running_service_all_is_ok_and_nothing_changes() {
    let data = TempDir::new().unwrap();
    let server = Process::start(data.path(), &["--workers=off"]);
    let (key, text) = (fresh_key(), "text\n");
    let paste = server.save(&key, text).await.created();
    let before = files(data.path());
    for (arguments, lines) in [(&[][..], 5), (&["--deep"][..], 9)] {
        let printed = operate("check", data.path(), arguments);
        assert_eq!(
            (printed.code, printed.not_ok()),
            (0, vec![]),
            "{printed:#?}"
        );
        assert_eq!((printed.out.lines().count(), &*printed.err), (lines, ""));
    }
    assert_eq!(files(data.path()), before);
    let again = server.save(&key, text).await;
    assert_eq!(again.header("idempotent-replayed"), "true");
    let raw = server.get(&format!("/{}/raw", paste.id)).await;
    assert_eq!(raw.text(), text);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_fit_is_named() {
    let data = TempDir::new().unwrap();
    let server = Process::start(data.path(), &["--workers=off"]);
    let lost = server.save_new("lost\n").await.created();
    let deleted = server.save_new("deleted\n").await.created();
    server.delete(&deleted.id, &deleted.delete_token).await;
    let rows = Rows::of(data.path()).await;
    let objects = data.path().join("objects");
    fs::remove_file(objects.join(&rows.pastes[0].object_key)).unwrap();
    let (old, young, staged) = (fresh_key(), fresh_key(), fresh_key());
    write(&objects.join("000").join(&old), DAYS);
    write(&objects.join("000").join(&young), Duration::ZERO);
    write(&objects.join("001").join(format!("{staged}#1")), DAYS);
    write(&objects.join("001/readme"), DAYS);
    let printed = operate("check", data.path(), &["--deep"]);
    assert_eq!(printed.code, 1);
    printed.assert_line(
        "wrong shard ",
        &format!("1 paste without its text ({})", lost.id),
    );
    printed.assert_line("wrong shard 0: 1 orphan ", &format!("(000/{old})"));
    printed.assert_line("note  shard 0: 1 orphan ", &format!("(000/{young})"));
    printed.assert_line("wrong shard 0: 1 half-written file ", "");
    printed.assert_line("note  shard 0: 1 name ", "(001/readme)");
    printed.assert_line(
        "note  shard ",
        &format!(
            "1 deletion to be carried out on the CDN and the objects ({})",
            deleted.id
        ),
    );
    assert_eq!(printed.not_ok().len(), 6, "{printed:#?}");
    assert!(printed.err.contains("3 things are wrong"));
}

/// As where an older back-up of a database stands beside the objects of today. Each folder is of one slot.
#[test]
fn so_many_orphans_that_the_reaper_would_not_take_them_are_wrong_from_the_first_day() {
    let data = TempDir::new().unwrap();
    Process::start(data.path(), &["--workers=off"]).kill();
    let folder = data.path().join("objects/000");
    for orphans in 1..=11 {
        write(&folder.join(fresh_key()), Duration::ZERO);
        let checked = operate("check", data.path(), &["--deep"]);
        let line = if orphans <= 10 { "note  " } else { "wrong " };
        checked.assert_line(&format!("{line}shard 0: {orphans} orphan"), "");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_of_another_size_than_was_saved_are_named() {
    let data = TempDir::new().unwrap();
    let server = Process::start(data.path(), &["--workers=off"]);
    for text in ["whole\n", "cut off\n", "made longer\n"] {
        server.save_new(text).await.created();
    }
    let rows = Rows::of(data.path()).await;
    let mut damaged = Vec::new();
    for paste in &rows.pastes {
        let object = data.path().join("objects").join(&paste.object_key);
        let text = fs::read_to_string(&object).unwrap();
        let put = match &*text {
            "cut off\n" => "cut".to_owned(),
            "made longer\n" => text.repeat(2),
            _ => continue,
        };
        fs::write(&object, put).unwrap();
        damaged.push(paste.id.clone());
    }
    let checked = operate("check", data.path(), &["--deep"]);
    assert_eq!(checked.code, 1);
    for id in &damaged {
        checked.assert_line("wrong shard ", id);
        checked.assert_line("wrong shard ", "with a damaged text (");
    }
    assert!(!checked.out.contains("without its text"), "{checked:#?}");
    let untouched = operate("takedown", data.path(), &["--without-text=2"]);
    assert_eq!(untouched.code, 0);
    assert!(!untouched.out.contains("taken down"), "{untouched:#?}");
    for id in &damaged {
        assert_eq!(operate("takedown", data.path(), &[id]).code, 0);
    }
    let checked = operate("check", data.path(), &["--deep"]);
    assert_eq!(checked.code, 0, "{checked:#?}");
}

#[test]
fn where_nothing_was_ever_started_everything_is_missing_and_nothing_is_made() {
    let data = TempDir::new().unwrap();
    let printed = operate("check", data.path(), &["--deep"]);
    assert_eq!(
        (printed.code, printed.not_ok().len()),
        (1, 5),
        "{printed:#?}"
    );
    printed.assert_line("wrong shard 3, sqlite://", "the file is not there");
    printed.assert_line("wrong objects, file://", "the folder is not there");
    assert_eq!(files(data.path()), BTreeSet::new());
}

/// As where root has restored a file: everybody sees it, and the service's user may not read it.
#[test]
fn a_file_that_this_user_may_not_read_is_told_as_that() {
    let data = TempDir::new().unwrap();
    Process::start(data.path(), &[]).kill();
    let (shard, binary) = (
        data.path().join("shards/1.sqlite"),
        data.path().join("oncebin"),
    );
    // Where root builds, nobody else may reach the binary.
    fs::copy(env!("CARGO_BIN_EXE_oncebin"), &binary).unwrap();
    for folder in [data.path(), &data.path().join("shards")] {
        fs::set_permissions(folder, Permissions::from_mode(0o755)).unwrap();
    }
    let mut command = Command::new(&binary);
    command.arg("check").arg("--data").arg(data.path());
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    let mode = if is_root { 0o600 } else { 0o000 };
    fs::set_permissions(&shard, Permissions::from_mode(mode)).unwrap();
    if is_root {
        let nobody = 65_534;
        command.uid(nobody).gid(nobody);
    }
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let mut lines = said.lines();
    let line = lines.find(|line| line.starts_with("wrong shard 1, "));
    assert!(
        line.is_some_and(|line| line.contains(": this user may not read the file")),
        "{said}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn slots_that_do_not_agree_with_the_map_are_told() {
    let data = TempDir::new().unwrap();
    Process::start(data.path(), &[]).kill();
    let shard =
        |number: usize| format!("sqlite://{}/shards/{number}.sqlite", data.path().display());
    let swapped = format!("--shards={},{}", shard(1), shard(0));
    let printed = operate("check", data.path(), &[&swapped]);
    assert_eq!(printed.code, 1);
    printed.assert_line(
        "wrong shard 0, ",
        "it owns slots 64-127, but the slot map gives it 0-127",
    );
    printed.assert_line(
        "wrong shard 1, ",
        "it owns slots 0-63, but the slot map gives it 128-255",
    );
}

/// For sessions that begin from then on.
const READ_ONLY: &str = "
do $$ begin
  execute format('alter database %I set default_transaction_read_only = on', current_database());
end $$";

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres_settings_standbys_and_shards_that_do_not_answer_are_told() {
    let data = TempDir::new().unwrap();
    let cluster =
        Cluster::start(&["fsync=on", "synchronous_commit=off", "wal_level=replica"]).await;
    let (database, empty) = (
        cluster.database().await,
        Clusters::first().await.database().await,
    );
    let standby = cluster.standby("standby0").await;
    empty.run(READ_ONLY).await;
    let gone = format!(
        "postgres://postgres:{}@127.0.0.1:1/x",
        crate::harness::postgres::PASSWORD
    );
    let shards = [
        database.url(),
        empty.url(),
        database.on(&standby).url(),
        gone,
    ];
    let shards = format!("--shards={}", shards.join(","));
    let printed = operate("check", data.path(), &[&shards]);
    assert_eq!(printed.code, 1);
    printed.assert_line(
        "wrong shard 0, postgres://postgres:***@",
        "synchronous_commit is off",
    );
    printed.assert_line("wrong shard 1, ", "it has no tables");
    printed.assert_line("wrong shard 1, ", "its transactions are read-only");
    printed.assert_line("wrong shard 2, ", "it is a standby");
    printed.assert_line("wrong shard 3, ", "it cannot be reached");
}

/// The files below a folder, but for those that SQLite makes and removes beside its own.
fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        }
        let name = path.to_str().unwrap().to_owned();
        if !name.ends_with("-wal") && !name.ends_with("-shm") {
            found.insert(name);
        }
    }
    found
}

fn write(file: &Path, age: Duration) {
    fs::write(file, "x").unwrap();
    let opened = File::options().write(true).open(file).unwrap();
    opened.set_modified(SystemTime::now() - age).unwrap();
}
