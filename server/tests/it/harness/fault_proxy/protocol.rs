//! Where messages of PostgreSQL's protocol begin and end, and which statement one of them carries out.

use std::collections::HashMap;
use std::io;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedReadHalf;

/// A message's type, and the length of what follows the type.
const HEAD_BYTES: usize = 5;
/// The server waits for the next statement: what the one before it did is committed, or undone.
pub(super) const READY_FOR_QUERY: u8 = b'Z';
const PARSE: u8 = b'P';
const BIND: u8 = b'B';

/// The client's first messages have no type byte. One that asks for encryption is told no.
pub(super) async fn greet(client: &mut TcpStream, server: &mut TcpStream) -> io::Result<()> {
    const SSL_REQUEST: u32 = 80_877_103;
    loop {
        let (length, code) = (client.read_u32().await?, client.read_u32().await?);
        if code == SSL_REQUEST {
            client.write_all(b"N").await?;
            continue;
        }
        let mut rest = vec![0; length as usize - 8];
        client.read_exact(&mut rest).await?;
        server.write_u32(length).await?;
        server.write_u32(code).await?;
        return server.write_all(&rest).await;
    }
}

/// The statements a client has prepared, by name.
#[derive(Debug, Default)]
pub(super) struct Statements(HashMap<Vec<u8>, String>);

impl Statements {
    /// The text of the statement that this message carries out.
    pub(super) fn carried_out(&mut self, message: &[u8]) -> Option<&str> {
        let mut texts = message[HEAD_BYTES..].split(|byte| *byte == 0);
        match message[0] {
            PARSE => {
                let (name, text) = (texts.next()?, texts.next()?);
                let text = String::from_utf8_lossy(text).into_owned();
                self.0.insert(name.to_owned(), text);
                None
            }
            BIND => self.0.get(texts.nth(1)?).map(String::as_str),
            _ => None,
        }
    }
}

pub(super) async fn read_message(from: &mut OwnedReadHalf) -> io::Result<Vec<u8>> {
    let mut message = vec![0; HEAD_BYTES];
    from.read_exact(&mut message).await?;
    let length = u32::from_be_bytes([message[1], message[2], message[3], message[4]]);
    message.resize(1 + length as usize, 0);
    from.read_exact(&mut message[HEAD_BYTES..]).await?;
    Ok(message)
}
