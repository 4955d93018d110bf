//! What was acknowledged is on the disk: object, folder and log were synced before the answer.

use crate::harness::{Process, Syncs};
use app::wire::id::PasteId;
use tempfile::TempDir;

/// The second save of a file, since SQLite syncs the beginning of its log in weaker modes too.
#[tokio::test(flavor = "multi_thread")]
async fn a_save_and_a_delete_are_synced_before_they_are_answered() {
    let data = TempDir::new().unwrap();
    let syncs = Syncs::new();
    let shard = format!("--shards=sqlite://{}/one.sqlite", data.path().display());
    let flags = [&*shard, "--workers=off"];
    let server = Process::start_with(data.path(), &flags, &syncs.variables());
    server.save_new("first\n").await.created();
    syncs.take();
    let paste = server.save_new("second\n").await.created();
    let synced = syncs.take();
    let place = |what: &str| synced.iter().position(|path| path.contains(what));
    let log = place("one.sqlite-wal").expect("the log of the commit");
    let id: PasteId = paste.id.parse().unwrap();
    let folder = format!("objects/{:03}", id.slot().number());
    let object = place(&format!("{folder}/")).expect("the object");
    let listed = synced.iter().position(|path| path.ends_with(&folder));
    let listed = listed.expect("the object's folder");
    assert!(object < log && listed < log, "{synced:?}");
    let deleted = server.delete(&paste.id, &paste.delete_token).await;
    assert_eq!(deleted.status, 204);
    let synced = syncs.take();
    assert!(synced.iter().any(|path| path.contains("one.sqlite-wal")));
}
