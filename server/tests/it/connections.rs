//! How many connections there may be at once, and what many of them may ask together.

use crate::harness::{Process, RawConnection, Scrape, TestServer};
use futures_util::future::join_all;
use std::io::ErrorKind;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The limit on open files, of which connections have half.
const FILES_MAX: u32 = 400;
const CONNECTIONS_MAX: usize = 200;

const ASK: &str = "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n";

#[tokio::test(flavor = "multi_thread")]
async fn past_the_cap_a_connection_waits_until_another_one_ends() {
    let data = TempDir::new().unwrap();
    let server = Process::start_with_files(data.path(), FILES_MAX);
    let mut open = Vec::new();
    for _ in 0..CONNECTIONS_MAX {
        let mut connection = RawConnection::open(server.address).await;
        assert_eq!(connection.ask(ASK).await.status, 200);
        open.push(connection);
    }
    let mut waiting = TcpStream::connect(server.address).await.unwrap();
    waiting.write_all(ASK.as_bytes()).await.unwrap();
    for connection in &mut open {
        assert_eq!(connection.ask(ASK).await.status, 200, "those go on");
    }
    let mut first = [0];
    let read = waiting.try_read(&mut first).map_err(|error| error.kind());
    assert_eq!(read, Err(ErrorKind::WouldBlock));
    let scrape = Scrape::of(server.admin()).await;
    for name in ["connections", "connections_limit"] {
        let series = format!("oncebin_http_{name}{{listener=\"public\"}}");
        assert_eq!(scrape.value(&series), 200.0, "{name}");
    }
    open.pop();
    waiting.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"H", "an answer begins");
}

/// A probe takes a connection of every shard, and anybody may ask for one.
#[tokio::test(flavor = "multi_thread")]
async fn many_who_ask_at_once_whether_the_service_is_ready_share_a_probe() {
    const CLIENTS: usize = 32;
    const REQUESTS: usize = 50;
    let server = TestServer::start().await;
    let mut clients = join_all((0..CLIENTS).map(|_| server.connect())).await;
    let all = "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n".repeat(REQUESTS);
    join_all(clients.iter_mut().map(|client| client.write(&all))).await;
    for client in &mut clients {
        for _ in 0..REQUESTS {
            let answer = client.read_answer().await;
            assert_eq!((answer.status, &*answer.body), (200, "ready\n"));
        }
    }
    let scrape = Scrape::of(&server.admin()).await;
    let probes =
        scrape.count("oncebin_object_store_request_duration_seconds_count{operation=\"get\"}");
    assert!(probes > 0 && probes <= 400, "{probes}");
}
