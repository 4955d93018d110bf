//! One connection of HTTP/1.1, and no more of the protocol than the load needs.
//!
//! It is written by hand because every microsecond the load costs is taken from the server: they share the cores.

use std::io;
use std::net::SocketAddr;
use std::ops::Range;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// More header lines than any answer has.
const HEADERS_MAX: usize = 64;

/// A connection that is asked one thing at a time.
#[derive(Debug)]
pub(crate) struct Connection {
    address: SocketAddr,
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer<'a> {
    pub(crate) status: u16,
    /// Whether the header `Idempotent-Replayed: true` is there.
    pub(crate) replayed: bool,
    pub(crate) body: &'a [u8],
}

struct Head {
    status: u16,
    replayed: bool,
    /// Where the body is in the buffer.
    body: Range<usize>,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> io::Result<Self> {
        Ok(Self {
            address,
            stream: connect(address).await?,
            buffer: Vec::with_capacity(64 * 1024),
        })
    }

    /// Sends a request and reads the whole answer.
    ///
    /// # Errors
    /// The connection broke, or the answer did not come in time; [`Connection::renew`] it.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> io::Result<Answer<'_>> {
        let head = timeout(PATIENCE, self.converse(request)).await??;
        Ok(Answer {
            status: head.status,
            replayed: head.replayed,
            body: &self.buffer[head.body],
        })
    }

    /// Connects again.
    pub(crate) async fn renew(&mut self) -> io::Result<()> {
        self.stream = connect(self.address).await?;
        Ok(())
    }

    async fn converse(&mut self, request: &[u8]) -> io::Result<Head> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        let head = loop {
            self.receive().await?;
            if let Some(head) = parse(&self.buffer)? {
                break head;
            }
        };
        while self.buffer.len() < head.body.end {
            self.receive().await?;
        }
        Ok(head)
    }

    async fn receive(&mut self) -> io::Result<()> {
        match self.stream.read_buf(&mut self.buffer).await? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

async fn connect(address: SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// The head of an answer, or nothing while it is not all there.
fn parse(buffer: &[u8]) -> io::Result<Option<Head>> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut answer = httparse::Response::new(&mut headers);
    let parsed = answer.parse(buffer).map_err(io::Error::other)?;
    let httparse::Status::Complete(start) = parsed else {
        return Ok(None);
    };
    let value = |name: &str| {
        let header = answer
            .headers
            .iter()
            .find(|header| header.name.eq_ignore_ascii_case(name));
        header.and_then(|header| std::str::from_utf8(header.value).ok())
    };
    let length: usize = value("content-length")
        .and_then(|length| length.parse().ok())
        .ok_or_else(|| io::Error::other("an answer without a length"))?;
    Ok(Some(Head {
        status: answer.code.unwrap_or(0),
        replayed: value("idempotent-replayed") == Some("true"),
        body: start..start + length,
    }))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_head_tells_where_its_body_is() {
        let whole =
            b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\nIdempotent-Replayed: true\r\n\r\nok";
        let head = parse(whole).unwrap().unwrap();
        assert_eq!(
            (head.status, head.replayed, &whole[head.body]),
            (201, true, &b"ok"[..])
        );
        assert!(parse(&whole[..30]).unwrap().is_none());
        assert!(parse(b"HTTP/1.1 200 OK\r\n\r\n").is_err());
    }
}
