//! What keeps the service from starting though its settings are right: one clear line.

use crate::command_line::{oncebin, refusal};
use crate::harness::{Process, binary};
use tempfile::TempDir;

#[test]
fn a_taken_address_or_a_folder_that_cannot_be_made_stops_the_start() {
    let folder = TempDir::new().unwrap();
    let running = Process::start(folder.path(), &[]);
    let listen = format!("--listen={}", running.address);
    let other = TempDir::new().unwrap();
    let output = binary()
        .args(["serve", &listen, "--admin-listen=127.0.0.1:0", "--data"])
        .arg(other.path())
        .output()
        .unwrap();
    assert!(refusal(&output).contains(&running.address.to_string()));
    let file = other.path().join("file");
    std::fs::write(&file, "").unwrap();
    let output = binary()
        .args([
            "serve",
            "--listen=127.0.0.1:0",
            "--admin-listen=127.0.0.1:0",
            "--data",
        ])
        .arg(&file)
        .output()
        .unwrap();
    assert!(refusal(&output).contains("cannot make the folder"));
    assert_eq!(output.status.code(), Some(1), "no setting is wrong");
}

/// A database's error says its cause itself, and both are there to be said.
#[test]
fn why_a_shard_cannot_be_opened_is_said_once() {
    let folder = TempDir::new().unwrap();
    let shard = folder.path().join("shards/0.sqlite");
    std::fs::create_dir(shard.parent().unwrap()).unwrap();
    std::fs::write(&shard, "no database at all".repeat(1_000)).unwrap();
    let output = oncebin(
        &[
            "serve",
            "--listen=127.0.0.1:0",
            "--admin-listen=127.0.0.1:0",
            "--data",
            folder.path().to_str().unwrap(),
        ],
        &[],
    );
    let line = refusal(&output);
    assert_eq!(line.matches("(code: 26)").count(), 1, "{line}");
    assert!(line.contains("cannot open the shard sqlite://"), "{line}");
}
