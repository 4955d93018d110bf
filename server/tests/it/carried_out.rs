//! A save and a delete whose client hangs up are carried to their end, although nobody sends them again.

use crate::harness::{
    Host, Process, RawConnection, Rows, Scrape, Syncs, fresh_key, open_shard, text_files, until,
};
use app::wire::created::Created;
use sqlx::{Connection, Executor};
use tempfile::TempDir;

/// Its PUT waits for the disk when the client leaves, and goes on once the service has noticed.
#[tokio::test(flavor = "multi_thread")]
async fn a_save_whose_client_left_during_the_put_is_committed() {
    let (data, syncs) = (TempDir::new().unwrap(), Syncs::new());
    let server = Process::start_with(data.path(), &["--workers=off"], &syncs.variables());
    let key = fresh_key();
    let mut client = server.begin_save(&key, 5).await;
    syncs.hold();
    client.write("text\n").await;
    let objects = data.path().join("objects");
    let is_under_way = async || !text_files(&objects).is_empty();
    until("the PUT is under way", is_under_way).await;
    hang_up(client, server.admin(), "/api/pastes").await;
    syncs.release();
    until("the save is committed", async || {
        Rows::of(data.path()).await.know(&key)
    })
    .await;
    let rows = Rows::of(data.path()).await;
    rows.assert_paired(data.path());
    assert_eq!((rows.pastes.len(), rows.keys.len()), (1, 1));
}

/// Its commit waits for the writer's lock when the client leaves. That the text leaves the cache is the last thing a
/// delete does.
#[tokio::test(flavor = "multi_thread")]
async fn a_delete_whose_client_left_during_the_commit_is_done_to_the_end() {
    let data = TempDir::new().unwrap();
    let server = Process::start(data.path(), &["--workers=off"]);
    let paste = server.save_new("read and deleted\n".repeat(100)).await;
    let (paste, other) = (paste.created(), server.save_new("o").await.created());
    server.get(&format!("/{}/raw", paste.id)).await;
    until("the text is kept", async || {
        held(&server, &other).await > 1_700.0
    })
    .await;
    let mut locks = Vec::new();
    for shard in 0..4 {
        let mut lock = open_shard(&data.path().join("shards"), shard).await;
        lock.execute("begin immediate").await.unwrap();
        locks.push(lock);
    }
    let client = begin_delete(&server, &paste).await;
    hang_up(client, server.admin(), "/{id}/delete").await;
    for lock in locks {
        lock.close().await.unwrap();
    }
    until("the text is dropped", async || {
        held(&server, &other).await < 1_700.0
    })
    .await;
    let rows = Rows::of(data.path()).await;
    assert_eq!((rows.pastes.len(), rows.outbox.len()), (1, 1));
    assert_eq!(rows.outbox[0].id, paste.id);
}

/// Sends a delete by form, and returns once the service has all of it and is about to commit.
async fn begin_delete(server: &Process, paste: &Created) -> RawConnection {
    let mut client = server.connect().await;
    let body = format!("delete_token={}", paste.delete_token);
    let request = format!(
        "POST /{}/delete HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Content-Length: {}\r\n\r\n{body}",
        paste.id,
        body.len()
    );
    client.write(request).await;
    until("the delete is under way", async || {
        let scrape = Scrape::of(server.admin()).await;
        scrape.value("oncebin_http_bodies_in_flight_bytes") > 0.0
    })
    .await;
    client
}

/// Closes a connection, and returns once the service has noticed that its client left.
async fn hang_up(client: RawConnection, admin: &Host, route: &str) {
    drop(client);
    let left = format!(
        "oncebin_http_requests_total{{method=\"POST\",route=\"{route}\",status=\"hung_up\"}}"
    );
    until("the service knows", async || {
        Scrape::of(admin).await.value(&left) > 0.0
    })
    .await;
}

/// Bytes in the cache of texts. It settles its account when it is asked for a text.
async fn held(server: &Process, other: &Created) -> f64 {
    server.get(&format!("/{}/raw", other.id)).await;
    Scrape::of(server.admin())
        .await
        .value("oncebin_cache_held_bytes")
}
