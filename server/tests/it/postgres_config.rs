//! Shards on PostgreSQL that are opened, or cannot be: one clear line says so, and nothing shows the password.

use crate::harness::Process;
use crate::harness::postgres::{Clusters, PASSWORD};
use std::path::Path;
use tempfile::TempDir;

/// What the last line says of a URL that cannot be read, and of a shard that does not answer.
const UNREAD: &str = "the URL cannot be read";
const UNREACHED: &str = "shard 0 cannot be asked which slots it owns: the shard cannot be reached";

#[tokio::test]
async fn a_first_start_on_an_empty_database_complains_of_nothing() {
    let database = Clusters::first().await.database().await;
    let data = TempDir::new().unwrap();
    let shards = format!("--shards={}", database.url());
    let server = Process::start(data.path(), &[&shards]);
    let log = server.log();
    server.kill();
    assert!(!log.contains("ERROR"), "{log}");
}

#[test]
fn a_url_that_cannot_be_read_is_named_in_one_line() {
    for (url, shown) in [
        (
            "postgres://me:SECRET@127.0.0.1:port/x",
            "me:***@127.0.0.1:port/x",
        ),
        (
            "postgres://me:SECRET@127.0.0.1:99999/x",
            "me:***@127.0.0.1:99999/x",
        ),
        ("postgres://me:SECRET@[::1/x", "me:***@[::1/x"),
        ("postgres://me:SECRET/@127.0.0.1/x", "me:***@127.0.0.1/x"),
        ("postgres://me:SECRET#@127.0.0.1/x", "me:***@127.0.0.1/x"),
        ("postgres://me:SECRET%ff@127.0.0.1/x", "me:***@127.0.0.1/x"),
        (
            "postgres://me@127.0.0.1/x?sslmode=SECRET",
            "me:***@127.0.0.1/x?***",
        ),
        (
            "postgres://me@127.0.0.1/x?password=SECRET&port=many",
            "me:***@127.0.0.1/x?***",
        ),
    ] {
        let [line] = &refusal(url, Process::refusal_of_setting)[..] else {
            unreachable!("one line for {url}");
        };
        let expected = format!("oncebin: cannot open the shard postgres://{shown}: {UNREAD}");
        assert_eq!(*line, expected);
    }
    for (urls, said) in [
        (
            "mysql://me:SECRET@127.0.0.1/x",
            "a database is written sqlite://FILE or postgres://USER@HOST/DATABASE",
        ),
        (
            "postgres:/me:SECRET@127.0.0.1/x",
            "a database is written sqlite://FILE or postgres://USER@HOST/DATABASE",
        ),
        (
            "postgres://me:SECRET@127.0.0.1/x,postgres://me:SECRET@127.0.0.1/x",
            "postgres://me:***@127.0.0.1/x is there twice",
        ),
    ] {
        assert_eq!(
            refusal(urls, Process::refusal_of_setting),
            [format!("oncebin: --shards: {said}")]
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shard_that_does_not_answer_is_named_and_the_log_says_why() {
    let database = Clusters::first().await.database().await;
    let (name, port) = (&database.name, database.port);
    for (url, why) in [
        (
            "postgres://me:SECRET@127.0.0.1:1/x".into(),
            "Connection refused",
        ),
        (
            "postgres://me:SECRET@nowhere.invalid/x".into(),
            "failed to lookup address",
        ),
        (
            "postgres://me:SECRET@localhost/x?host=/nowhere".into(),
            "No such file",
        ),
        (
            format!("postgres://me:SECRET@127.0.0.1:{port}/{name}"),
            "password authentication failed",
        ),
        (
            format!("postgres://postgres:SECRET@127.0.0.1:{port}/nothing"),
            "database \\\"nothing\\\" does not exist",
        ),
        (
            format!("postgres://postgres:SECRET@127.0.0.1:{port}/{name}?sslmode=require"),
            "does not support TLS",
        ),
    ] {
        let lines = refusal(&url, Process::refusal);
        let (last, log) = lines.split_last().unwrap();
        assert_eq!(*last, format!("oncebin: {UNREACHED}"));
        assert!(log.concat().contains(why), "{url}: {log:?}");
    }
}

/// What the service says of a URL in which `SECRET` stands for the password.
fn refusal(url: &str, of: fn(&Path, &[&str]) -> Vec<String>) -> Vec<String> {
    let data = TempDir::new().unwrap();
    let shards = format!("--shards={}", url.replace("SECRET", PASSWORD));
    let lines = of(data.path(), &[&shards]);
    assert!(!lines.concat().contains(PASSWORD), "{lines:?}");
    lines
}
