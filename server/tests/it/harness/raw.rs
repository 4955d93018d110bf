//! A connection on which a test writes the bytes of HTTP itself.

use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A raw connection.
#[derive(Debug)]
pub(crate) struct RawConnection {
    stream: TcpStream,
}

impl RawConnection {
    pub(crate) async fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        Self { stream }
    }

    /// Writes; a peer that has closed is not an error here, the answer tells.
    pub(crate) async fn write(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).await.ok();
    }

    /// Reads until the head of an answer is there; empty when the connection ended first.
    pub(crate) async fn read_head(&mut self) -> String {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            match self.stream.read_u8().await {
                Ok(byte) => head.push(byte),
                Err(_) => break,
            }
        }
        String::from_utf8_lossy(&head).into_owned()
    }

    /// Reads until the peer closes.
    pub(crate) async fn read_to_end(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.stream.read_to_end(&mut bytes).await.ok();
        bytes
    }
}
