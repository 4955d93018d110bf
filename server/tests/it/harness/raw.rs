//! A connection on which a test writes the bytes of HTTP itself.

use super::PATIENCE;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// A raw connection.
#[derive(Debug)]
pub(crate) struct RawConnection {
    stream: TcpStream,
}

/// One answer as it was on the wire.
#[derive(Debug)]
pub(crate) struct RawAnswer {
    /// 0 when the connection ended without one.
    pub(crate) status: u16,
    /// The status line and the header lines, names as they were sent.
    pub(crate) head: String,
    /// As many bytes as `Content-Length` says.
    pub(crate) body: String,
}

impl RawAnswer {
    /// A header's text, empty when it is not there.
    pub(crate) fn header(&self, name: &str) -> &str {
        field(&self.head, name)
    }
}

impl RawConnection {
    pub(crate) async fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        Self { stream }
    }

    /// Writes; a peer that has closed is not an error here, the answer tells.
    pub(crate) async fn write(&mut self, bytes: impl AsRef<[u8]>) {
        let writing = self.stream.write_all(bytes.as_ref());
        timeout(PATIENCE, writing).await.expect("in time").ok();
    }

    /// Writes to a peer that must take every byte.
    pub(crate) async fn write_whole(&mut self, bytes: impl AsRef<[u8]>) {
        let writing = self.stream.write_all(bytes.as_ref());
        let written = timeout(PATIENCE, writing).await.expect("in time");
        written.expect("every byte is taken");
    }

    /// Says that nothing more will be written.
    pub(crate) async fn finish_writing(&mut self) {
        self.stream.shutdown().await.ok();
    }

    /// Reads until the head of an answer is there; empty when the connection ended first.
    pub(crate) async fn read_head(&mut self) -> String {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let byte = timeout(PATIENCE, self.stream.read_u8()).await;
            match byte.expect("an answer in time") {
                Ok(byte) => head.push(byte),
                Err(_) => break,
            }
        }
        String::from_utf8_lossy(&head).into_owned()
    }

    /// Reads one answer that has a `Content-Length`, or no body.
    pub(crate) async fn read_answer(&mut self) -> RawAnswer {
        let head = self.read_head().await;
        let mut body = vec![0; field(&head, "content-length").parse().unwrap_or(0)];
        let reading = self.stream.read_exact(&mut body);
        timeout(PATIENCE, reading).await.expect("in time").ok();
        let status = head.split(' ').nth(1).unwrap_or_default();
        RawAnswer {
            status: status.parse().unwrap_or(0),
            body: String::from_utf8_lossy(&body).into_owned(),
            head,
        }
    }

    /// Writes a request and reads its answer.
    pub(crate) async fn ask(&mut self, request: impl AsRef<[u8]>) -> RawAnswer {
        self.write(request).await;
        self.read_answer().await
    }

    /// Reads until the peer closes.
    pub(crate) async fn read_to_end(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let reading = self.stream.read_to_end(&mut bytes);
        timeout(PATIENCE, reading)
            .await
            .expect("an end in time")
            .ok();
        bytes
    }
}

fn field<'a>(head: &'a str, name: &str) -> &'a str {
    head.lines()
        .filter_map(|line| line.split_once(": "))
        .find(|(field, _)| field.eq_ignore_ascii_case(name))
        .map_or("", |(_, value)| value)
}
