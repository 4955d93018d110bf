//! The workers of a running service.

use crate::harness::postgres::Clusters;
use crate::harness::{FakeCdn, TestServer, fresh_key, open_shard, send, text_files, until};
use app::wire::created::Created;
use reqwest::Method;
use sqlx::{Connection, Executor};
use std::fs;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A template file by tags.
fn template(folder: &Path, cdn: &FakeCdn) -> String {
    let file = folder.join("cdn.purge");
    fs::write(&file, cdn.template_text(10)).unwrap();
    format!("--cdn-purge={}", file.display())
}

fn objects(data: &Path) -> usize {
    text_files(&data.join("objects")).len()
}

async fn save_and_delete(server: &TestServer, number: usize) -> Vec<Created> {
    let mut pastes = Vec::new();
    for _ in 0..number {
        let paste = server.save_new("text\n").await.created();
        let deleted = server.delete(&paste.id, &paste.delete_token).await;
        assert_eq!(deleted.status, 204);
        pastes.push(paste);
    }
    pastes
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_paste_leaves_the_cdn_the_object_store_and_the_outbox() {
    let (cdn, folder) = (FakeCdn::start().await, TempDir::new().unwrap());
    let flags = ["--workers=on", &template(folder.path(), &cdn)];
    let server = TestServer::start_with(&flags, |_| {}).await;
    let paste = save_and_delete(&server, 1).await.remove(0);
    until("the object is gone", async || objects(server.data()) == 0).await;
    until("it is purged", async || !cdn.asked().is_empty()).await;
    let said = server.admin().get("/readyz").await.text();
    let waiting = |line: &str| line.starts_with("outbox ") && line.contains(" rows 1 oldest ");
    assert_eq!(
        said.lines().filter(|line| waiting(line)).count(),
        1,
        "{said}"
    );
    assert_eq!(said.matches("rows 0 oldest 0 s").count(), 3, "{said}");
    server.advance(2 * MINUTE).await;
    until("the outbox is empty", async || {
        server.rows().await.outbox.is_empty()
    })
    .await;
    let asked = cdn.asked();
    assert!(asked.len() >= 2);
    assert!(
        asked
            .iter()
            .all(|asked| asked.tags() == [paste.id.as_str()])
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_expired_leaves_and_what_lives_stays() {
    let server = TestServer::start_with(&["--workers=on"], |_| {}).await;
    let save = server.request(Method::POST, "/api/pastes?expires_in=60");
    let short = send(save.header("idempotency-key", fresh_key()).body("short\n")).await;
    let (short, long) = (short.created(), server.save_new("long\n").await.created());
    server.advance(4 * DAY).await;
    until("the expired are gone", async || {
        let rows = server.rows().await;
        (rows.pastes.len(), rows.keys.len()) == (1, 0) && objects(server.data()) == 1
    })
    .await;
    until("the outbox is empty", async || {
        server.advance(2 * MINUTE).await;
        server.rows().await.outbox.is_empty()
    })
    .await;
    assert_eq!(objects(server.data()), 1);
    assert_eq!(server.get(&format!("/{}/raw", short.id)).await.status, 404);
    assert_eq!(
        server.get(&format!("/{}/raw", long.id)).await.text(),
        "long\n"
    );
    server.stop().await;
}

/// While another process holds one shard's file.
#[tokio::test(flavor = "multi_thread")]
async fn a_shard_that_is_stuck_holds_up_no_other() {
    let folder = TempDir::new().unwrap();
    let shards = format!(
        "--shards=0-127=sqlite://{0}/0.sqlite,128-255=sqlite://{0}/1.sqlite",
        folder.path().display()
    );
    let flags = ["--workers=off", &shards];
    let server = TestServer::start_with(&flags, |_| {}).await;
    save_and_delete(&server, 24).await;
    let kept = server.stop().await;
    let rows = async |shard| {
        let mut file = open_shard(folder.path(), shard).await;
        let rows =
            sqlx::query_scalar("select count(*) from outbox where object_deleted_at is null");
        let rows: i64 = rows.fetch_one(&mut file).await.unwrap();
        file.close().await.unwrap();
        rows
    };
    let stuck = rows(0).await;
    assert!(stuck > 0 && stuck < 24);
    let flags = ["--workers=on", &shards];
    let server = TestServer::start_again(kept, &flags, |_| {}).await;
    let mut lock = open_shard(folder.path(), 0).await;
    lock.execute("begin immediate").await.unwrap();
    until("the other shard's are gone", async || rows(1).await == 0).await;
    lock.close().await.unwrap();
    until("then its own", async || rows(0).await == 0).await;
    server.stop().await;
}

/// On PostgreSQL the database's clock decides, whatever a server's says.
#[tokio::test(flavor = "multi_thread")]
async fn a_servers_wrong_clock_sweeps_nothing_that_lives() {
    let database = Clusters::first().await.database_with_clock().await;
    let flags = ["--workers=on", &format!("--shards={}", database.url())];
    let server = TestServer::start_with(&flags, |_| {}).await;
    let save = server.request(Method::POST, "/api/pastes?expires_in=1h");
    let living = send(save.header("idempotency-key", fresh_key()).body("text\n")).await;
    let living = living.created();
    for turn in [
        TestServer::advance_own_clock,
        TestServer::turn_own_clock_back,
    ] {
        for _ in 0..2 {
            turn(&server, 2 * DAY);
            // A sweep that has taken this one has looked at the other.
            let expired = "insert into paste select 'x' || n, 'x/' || n, '', null, null, 0, '', 0, 0 \
                           from (select count(*) n from outbox) counted";
            database.run(expired).await;
            database
                .wait_until("(select count(*) = 1 from paste)")
                .await;
        }
    }
    assert_eq!(
        server.get(&format!("/{}/raw", living.id)).await.text(),
        "text\n"
    );
    assert_eq!(database.number("select count(*) from idempotency").await, 1);
    server.stop().await;
}
