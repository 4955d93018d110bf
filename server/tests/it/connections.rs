//! How many connections there may be at once.

use crate::harness::{Process, RawConnection, Scrape};
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
