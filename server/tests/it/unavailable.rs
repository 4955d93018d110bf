//! What is not the client's fault: 503 with a time to come back, 500 for a bug, and never 404.

use crate::blast_radius::key_on;
use crate::harness::{
    FourShards, Host, RawConnection, Reply, ShownForm, TestServer, fresh_key, send, until,
};
use app::wire::problem::{Code, Problem};
use bytes::Bytes;
use futures_util::future::join_all;
use sqlx::{Connection, Executor};
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use tokio::task::JoinSet;

/// On slot 182, whose shard is the third of four.
const KEY: &str = "0190a5e4-7b1c-7abc-8def-0123456789ab";
const SHARD: usize = 2;
const MIB: usize = 1024 * 1024;

fn assert_passing(reply: &Reply, code: Code) {
    assert_eq!(reply.status, 503);
    assert_eq!(reply.problem().code, code);
    assert!(reply.problem().retryable);
    assert!(reply.header("retry-after").parse::<u32>().unwrap() > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shard_that_cannot_be_asked_is_503_and_never_404() {
    let server = TestServer::start().await;
    server
        .run_on_shard(SHARD, "delete from slot where slot = 182")
        .await;
    assert_passing(&server.save(KEY, "text").await, Code::ShardUnavailable);
    let fields = [("idempotency_key", KEY), ("content", "kept <text>")];
    let page = server.post_form("/", &fields).await;
    assert_eq!(page.status, 503);
    assert!(page.header("retry-after").parse::<u32>().unwrap() > 0);
    assert!(
        page.text().contains("kept &lt;text&gt;") && page.text().contains(KEY),
        "form and key come back"
    );

    server.run_on_shard(SHARD, "drop table paste").await;
    for path in [
        "/api/pastes/2w0123456789AB",
        "/2w0123456789AB",
        "/2w0123456789AB/raw",
        "/2w0123456789AB/download",
        "/2w0123456789AB/markdown",
        "/2w0123456789AB/qr.svg",
        "/?from=2w0123456789AB",
    ] {
        let reply = server.get(path).await;
        assert_eq!(reply.status, 503, "{path}");
        assert_eq!(reply.header("cache-control"), "no-store");
        assert!(
            !reply.text().contains("paste\"") && !reply.text().contains("no such table"),
            "{reply:?}"
        );
    }
    let token = "once_abcdefghijklmnopqrstuvwxyz";
    assert_passing(
        &server.delete("2w0123456789AB", token).await,
        Code::ShardUnavailable,
    );
    assert_eq!(
        server.get("/api/pastes/000123456789AB").await.status,
        404,
        "other shards answer"
    );
    assert_eq!(server.get("/readyz").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_cannot_be_asked_is_503_and_never_404() {
    let server = TestServer::start().await;
    let id = server.save(KEY, "text").await.created().id;
    let folder = server.data().join("objects/182");
    fs::remove_dir_all(&folder).unwrap();
    for path in [
        format!("/{id}"),
        format!("/{id}/raw"),
        format!("/{id}/download"),
        format!("/{id}/markdown"),
        format!("/?from={id}"),
    ] {
        let reply = server.get(&path).await;
        assert_eq!(
            (reply.status, reply.header("retry-after")),
            (503, "1"),
            "{path}"
        );
        assert!(reply.text().starts_with("store_unavailable: "));
    }
    assert_eq!(
        server.get(&format!("/api/pastes/{id}")).await.status,
        200,
        "metadata needs no text"
    );
    // A file where the folder was: nothing can be written into it.
    fs::write(&folder, "").unwrap();
    let again = server.save(KEY, "text").await;
    assert_eq!(again.status, 201, "a replay needs no store");
    server
        .advance(std::time::Duration::from_secs(26 * 60 * 60))
        .await;
    assert_passing(&server.save(KEY, "text").await, Code::StoreUnavailable);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_row_is_500_and_says_nothing_of_it() {
    let server = TestServer::start().await;
    server.save(KEY, "text").await.created();
    server
        .run_on_shard(SHARD, "update idempotency set answer = digest")
        .await;
    let reply = server.save(KEY, "text").await;
    let expected = Problem::new(
        Code::Internal,
        "This is a bug, and it is logged. The same request with the same key may work later.",
    );
    assert_eq!((reply.status, reply.problem()), (500, expected));
    let page = server
        .post_form("/", &[("idempotency_key", KEY), ("content", "text")])
        .await;
    assert_eq!(page.status, 500);
    assert!(page.text().contains(Code::Internal.title()));
}

/// More bytes of bodies at once than the server holds: told to come back, and the bytes are given free again.
///
/// Each byte of JSON and of a form is charged twice, of 128 MiB. The bodies are so long that they find no room even while
/// the system still holds some of the first, and so short that what is left of them is read on: a client of whose body
/// more is left may find the connection closed before it reads the answer.
#[tokio::test(flavor = "multi_thread")]
async fn too_many_bytes_in_flight_are_503() {
    const HELD_BYTES: usize = 46 * MIB;
    const REFUSED_BYTES: usize = 29 * MIB;
    let server = TestServer::start().await;
    let host = Host::new(server.next_address());
    let head = format!(
        "POST /api/pastes HTTP/1.1\r\nhost: a\r\nidempotency-key: {}\r\ncontent-type: application/json\r\n\
         content-length: 50000000\r\n\r\n",
        fresh_key()
    );
    let mut held = RawConnection::open(host.address).await;
    held.write(head + &" ".repeat(HELD_BYTES)).await;
    let blanks = " ".repeat(REFUSED_BYTES);
    let save = || {
        let request = host.save_request(&fresh_key());
        let request = request.header("content-type", "application/json");
        send(request.body(format!("{{\"content\":\"a\"{blanks}}}")))
    };
    assert_passing(&save().await, Code::Overloaded);
    // The text is not read, so it cannot be given back: the page says where it is.
    let fields = [("idempotency_key", KEY), ("content", blanks.as_str())];
    let page = host.post_form("/", &fields).await;
    assert_eq!(page.status, 503);
    assert!(page.text().contains("Reload this page to send it again"));
    drop(held);
    until("room again", async || save().await.status == 201).await;
}

/// Saves of one shard hang with their bodies: the other shards' saves find room all the same.
#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_wait_for_one_shard_leave_room_for_the_others() {
    const BODIES: i64 = 12;
    const WAITING: &str = "select count(*) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'";
    let shards = FourShards::of_their_own().await;
    let server = TestServer::start_with(&[&shards.flag()], |_| {}).await;
    let mut held = shards.databases[SHARD].connect().await;
    let hold = "begin; select 1 from slot for update";
    held.execute(hold).await.unwrap();
    let text = Bytes::from("0123456789abcde\n".repeat(10 * MIB / 16));
    let refused = Arc::<AtomicI64>::default();
    let mut hanging = JoinSet::new();
    for _ in 0..BODIES {
        let (host, text, refused) = (Host::clone(&server), text.clone(), Arc::clone(&refused));
        hanging.spawn(async move {
            let reply = host.save(&key_on(SHARD), text).await;
            if reply.status != 201 {
                assert_passing(&reply, Code::Overloaded);
                refused.fetch_add(1, Ordering::SeqCst);
            }
        });
    }
    let database = &shards.databases[SHARD];
    until("each waits or was refused", async || {
        database.number(WAITING).await + refused.load(Ordering::SeqCst) == BODIES
    })
    .await;
    let save = async |shard| server.save(&key_on(shard), text.clone()).await.created();
    join_all([0, 1, 3].map(save)).await;
    let typed = str::from_utf8(&text).unwrap();
    let fields = [("idempotency_key", &*key_on(SHARD)), ("content", typed)];
    let page = server.post_form("/", &fields).await;
    assert_eq!(page.status, 503);
    assert!(page.text().contains("Your text is still below"));
    assert!(ShownForm::of(&page).content == typed);
    held.close().await.unwrap();
    hanging.join_all().await;
    let refused = refused.load(Ordering::SeqCst);
    assert!((1..BODIES).contains(&refused), "{refused} of {BODIES}");
}
