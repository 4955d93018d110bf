//! SIGTERM: what is under way is finished, who is stuck is cut, and the exit code is 0.

use crate::harness::{Ended, Host, Process, RawConnection, Rows, binary, fresh_key, try_send};
use app::wire::created::Created;
use bytes::Bytes;
use std::process::{Command, Stdio};
use tempfile::TempDir;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

const CLIENTS: u64 = 16;
const ANSWERED_BEFORE_THE_STOP: usize = 100;

/// Key, content and 201 of a save that was answered.
type Answered = (String, String, Bytes);

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_under_load_exits_with_0_and_keeps_every_answered_save() {
    let data = TempDir::new().unwrap();
    let server = Process::start(data.path(), &[]);
    let (progress, mut answers) = unbounded_channel();
    let mut clients = JoinSet::new();
    for _ in 0..CLIENTS {
        clients.spawn(save_until_gone(server.clone(), progress.clone()));
    }
    for _ in 0..ANSWERED_BEFORE_THE_STOP {
        answers.recv().await.unwrap();
    }
    server.ask_to_stop();
    let answered: Vec<Answered> = clients.join_all().await.into_iter().flatten().collect();
    assert_stopped_in_time(&server.wait());
    let rows = Rows::of(data.path()).await;
    rows.assert_paired(data.path());
    let server = Process::start(data.path(), &[]);
    for (key, content, answer) in answered {
        assert!(rows.know(&key), "an answered save is lost");
        assert_eq!(server.save(&key, content.clone()).await.body, answer);
        let paste: Created = serde_json::from_slice(&answer).unwrap();
        let raw = server.get(&format!("/{}/raw", paste.id)).await;
        assert_eq!(raw.text(), content);
    }
}

async fn save_until_gone(host: Host, progress: UnboundedSender<()>) -> Vec<Answered> {
    let mut answered = Vec::new();
    loop {
        let key = fresh_key();
        let content = format!("text of {key}\n");
        let save = host.save_request(&key).body(content.clone());
        let Ok(reply) = try_send(save).await else {
            return answered;
        };
        reply.created();
        progress.send(()).ok();
        answered.push((key, content, reply.body));
    }
}

/// The server has looked the key up and waits for the body when the stop begins; the body comes once nothing new is
/// accepted.
#[tokio::test(flavor = "multi_thread")]
async fn a_create_in_flight_is_finished() {
    let data = TempDir::new().unwrap();
    let server = Process::start(data.path(), &[]);
    let key = fresh_key();
    let mut client = server.begin_save(&key, 5).await;
    server.ask_to_stop();
    refuse_to_accept(&server).await;
    client.write("text\n").await;
    let answer = client.read_answer().await;
    assert_eq!(answer.status, 201);
    assert_eq!(client.read_to_end().await, b"");
    assert_stopped_in_time(&server.wait());
    let server = Process::start(data.path(), &[]);
    let replay = server.save(&key, "text\n").await;
    assert_eq!(replay.text(), answer.body);
    assert_eq!(replay.header("idempotent-replayed"), "true");
}

/// Each of them could stay for 10 to 60 s by the deadlines for clients; the answers those give never come.
#[tokio::test(flavor = "multi_thread")]
async fn stuck_clients_are_cut_after_the_drain() {
    let data = TempDir::new().unwrap();
    let server = Process::start(data.path(), &["--drain=2s"]);
    let large = server.save_new("large ".repeat(1_000_000)).await.created();
    let mut half_head = RawConnection::open(server.address).await;
    half_head
        .write("POST /api/pastes HTTP/1.1\r\nHost: a\r\n")
        .await;
    let key = fresh_key();
    let mut half_body = server.begin_save(&key, 5).await;
    half_body.write("te").await;
    let mut slow_reader = RawConnection::open(server.address).await;
    let request = format!("GET /{}/raw HTTP/1.1\r\nHost: a\r\n\r\n", large.id);
    slow_reader.write(request).await;
    assert!(slow_reader.read_head().await.contains(" 200 "));
    server.ask_to_stop();
    let ended = server.wait();
    assert_eq!(ended.status.code(), Some(0), "{}", ended.log);
    assert!(ended.log.contains("the drain is over"), "{}", ended.log);
    assert_eq!(half_head.read_to_end().await, b"");
    assert_eq!(half_body.read_to_end().await, b"");
    assert!(slow_reader.read_to_end().await.len() < 6_000_000);
    let server = Process::start(data.path(), &[]);
    let retry = server.save(&key, "text\n").await;
    assert_eq!(
        (retry.status, retry.header("idempotent-replayed")),
        (201, "")
    );
}

/// An idle connection, and one that was never used, hold nothing up.
#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_hold_up_nothing() {
    let data = TempDir::new().unwrap();
    let server = Process::start(data.path(), &["--drain=2s"]);
    let mut unused = RawConnection::open(server.address).await;
    let mut idle = RawConnection::open(server.address).await;
    let answer = idle.ask("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n").await;
    assert_eq!(answer.status, 200);
    server.ask_to_stop();
    assert_eq!(idle.read_to_end().await, b"");
    assert_eq!(unused.read_to_end().await, b"");
    assert_stopped_in_time(&server.wait());
}

/// The text of a paste is on a disk that hangs: its read was given up, but its thread can never end.
#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_hangs_holds_up_nothing() {
    let data = TempDir::new().unwrap();
    let server = Process::start(data.path(), &["--drain=2s"]);
    let id = server.save_new("text\n").await.created().id;
    let object = Rows::of(data.path()).await.pastes.remove(0).object_key;
    let object = data.path().join("objects").join(object);
    std::fs::remove_file(&object).unwrap();
    // To open it for reading waits until somebody opens it for writing.
    let made = Command::new("mkfifo").arg(&object).status().unwrap();
    assert!(made.success());
    assert_eq!(server.get(&format!("/{id}/raw")).await.status, 503);
    server.ask_to_stop();
    server.until_it_ends().await;
    assert_stopped_in_time(&server.wait());
}

/// A database that takes the connection and says nothing holds the start up for seconds.
#[tokio::test(flavor = "multi_thread")]
async fn a_stop_during_the_start_ends_it() {
    let data = TempDir::new().unwrap();
    let database = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = database.local_addr().unwrap().port();
    let shards = format!("--shards=postgres://a@127.0.0.1:{port}/a");
    let starting = binary()
        .args([
            "serve",
            "--listen=127.0.0.1:0",
            "--admin-listen=127.0.0.1:0",
        ])
        .args([&*shards, "--data"])
        .arg(data.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (_silent, _) = database.accept().await.unwrap();
    let id = starting.id().to_string();
    assert!(Command::new("kill").arg(id).status().unwrap().success());
    let ended = tokio::task::spawn_blocking(|| starting.wait_with_output());
    let ended = ended.await.unwrap().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(0), "{said}");
    assert!(!said.contains("listening"), "{said}");
}

/// Returns once the server accepts no connection any more.
async fn refuse_to_accept(host: &Host) {
    while TcpStream::connect(host.address).await.is_ok() {
        tokio::task::yield_now().await;
    }
}

#[track_caller]
fn assert_stopped_in_time(ended: &Ended) {
    assert_eq!(ended.status.code(), Some(0), "{}", ended.log);
    assert!(!ended.log.contains("the drain is over"), "{}", ended.log);
}
