//! A network between a service and a PostgreSQL server that fails when a test says so.
//!
//! It knows where messages of the protocol begin and end, and nothing of what they mean beyond which statement is
//! carried out.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// A message's type, and the length of what follows the type.
const HEAD_BYTES: usize = 5;
const READY_FOR_QUERY: u8 = b'Z';
const PARSE: u8 = b'P';
const BIND: u8 = b'B';

/// How the network behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Pass,
    /// Every connection ends, and every new one at once.
    Down,
    /// Connections stay, and nothing arrives until the network is better.
    Blackhole,
    /// Every message takes this long.
    Delay(Duration),
    /// So many messages of one side pass, half of the next arrives, and its connection ends.
    CutAfter(Side, usize),
    /// The next statement with this text is carried out to its end; its connection ends without a word of the reply.
    LoseReplyTo(&'static str),
}

/// Who wrote a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Client,
    Server,
}

/// What is wrong now, and after a fault that strikes once.
#[derive(Clone, Copy, Debug)]
struct Plan {
    now: Fault,
    then: Fault,
    /// How often the network has forgotten its connections.
    forgotten: u64,
}

/// A listening proxy. Dropping it takes no more connections.
#[derive(Debug)]
pub(crate) struct FaultProxy {
    pub(crate) address: SocketAddr,
    /// Where new connections lead.
    port: Arc<AtomicU16>,
    plan: watch::Sender<Plan>,
    listening: JoinHandle<()>,
}

impl FaultProxy {
    /// A proxy to a port of this machine.
    pub(crate) async fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let plan = watch::Sender::new(Plan {
            now: Fault::Pass,
            then: Fault::Pass,
            forgotten: 0,
        });
        let port = Arc::new(AtomicU16::new(port));
        let (network, led) = (plan.clone(), Arc::clone(&port));
        let listening = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (network, port) = (network.clone(), led.load(Ordering::SeqCst));
                tokio::spawn(async move { carry(client, port, network).await.ok() });
            }
        });
        Self {
            address,
            port,
            plan,
            listening,
        }
    }

    /// Changes the network, for connections that are open too.
    pub(crate) fn set(&self, now: Fault) {
        self.set_then(now, Fault::Pass);
    }

    /// Changes the network, and says how it goes on once a fault has struck that strikes once.
    pub(crate) fn set_then(&self, now: Fault, then: Fault) {
        self.plan.send_modify(|plan| {
            plan.now = now;
            plan.then = then;
        });
    }

    /// Nothing ever arrives on the connections there are, as when a machine between forgets them. New ones work.
    pub(crate) fn forget(&self) {
        self.plan.send_modify(|plan| plan.forgotten += 1);
    }

    /// Leads new connections to another port. Those that are open stay where they lead.
    pub(crate) fn lead_to(&self, port: u16) {
        self.port.store(port, Ordering::SeqCst);
    }

    /// What is wrong now. A fault that strikes once is gone after it has struck.
    pub(crate) fn now(&self) -> Fault {
        self.plan.borrow().now
    }
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// One connection.
#[derive(Debug)]
struct Wire {
    network: watch::Sender<Plan>,
    /// How often the network had forgotten connections before this one.
    forgotten: u64,
    /// The reply that comes next is to be lost.
    losing: AtomicBool,
}

async fn carry(mut client: TcpStream, port: u16, network: watch::Sender<Plan>) -> io::Result<()> {
    let mut changes = network.subscribe();
    let mut server = TcpStream::connect(("127.0.0.1", port)).await?;
    let forgotten = network.borrow().forgotten;
    let wire = Wire {
        network,
        forgotten,
        losing: AtomicBool::new(false),
    };
    let carrying = async {
        greet(&mut client, &mut server).await?;
        client.set_nodelay(true)?;
        server.set_nodelay(true)?;
        let (client, server) = (client.into_split(), server.into_split());
        tokio::select! {
            ended = wire.pump(Side::Client, client.0, server.1) => ended,
            ended = wire.pump(Side::Server, server.0, client.1) => ended,
        }
    };
    tokio::select! {
        ended = carrying => ended,
        _ = changes.wait_for(|plan| plan.now == Fault::Down) => Err(io::ErrorKind::ConnectionReset.into()),
    }
}

/// The client's first messages have no type byte. One that asks for encryption is told no.
async fn greet(client: &mut TcpStream, server: &mut TcpStream) -> io::Result<()> {
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

impl Wire {
    async fn pump(
        &self,
        side: Side,
        mut from: OwnedReadHalf,
        mut to: OwnedWriteHalf,
    ) -> io::Result<()> {
        let mut statements = Statements::default();
        loop {
            let message = read_message(&mut from).await?;
            if side == Side::Client {
                self.note(statements.carried_out(&message));
            } else if self.losing.load(Ordering::SeqCst) {
                if message[0] == READY_FOR_QUERY {
                    return Err(self.strike());
                }
                continue;
            }
            self.arrive().await;
            if self.is_cut(side) {
                to.write_all(&message[..message.len() / 2]).await?;
                return Err(self.strike());
            }
            to.write_all(&message).await?;
        }
    }

    /// Looks at a statement that is carried out next.
    fn note(&self, statement: Option<&str>) {
        let now = self.network.borrow().now;
        if let (Some(statement), Fault::LoseReplyTo(text)) = (statement, now)
            && statement.contains(text)
        {
            self.losing.store(true, Ordering::SeqCst);
        }
    }

    /// Waits as long as the network holds a message.
    async fn arrive(&self) {
        let mut changes = self.network.subscribe();
        let better = changes
            .wait_for(|plan| plan.now != Fault::Blackhole && plan.forgotten == self.forgotten)
            .await;
        let fault = better.map(|plan| plan.now);
        if let Ok(Fault::Delay(each)) = fault {
            sleep(each).await;
        }
    }

    /// Counts a message, and says whether it is the one to be cut.
    fn is_cut(&self, side: Side) -> bool {
        let mut is_cut = false;
        self.network.send_if_modified(|plan| {
            let Fault::CutAfter(cut, left) = &mut plan.now else {
                return false;
            };
            if *cut == side {
                is_cut = *left == 0;
                *left = left.saturating_sub(1);
            }
            *cut == side
        });
        is_cut
    }

    /// The fault has struck once.
    fn strike(&self) -> io::Error {
        self.network.send_modify(|plan| plan.now = plan.then);
        io::ErrorKind::ConnectionReset.into()
    }
}

/// The statements a client has prepared, by name.
#[derive(Debug, Default)]
struct Statements(HashMap<Vec<u8>, String>);

impl Statements {
    /// The text of the statement that this message carries out.
    fn carried_out(&mut self, message: &[u8]) -> Option<&str> {
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

async fn read_message(from: &mut OwnedReadHalf) -> io::Result<Vec<u8>> {
    let mut message = vec![0; HEAD_BYTES];
    from.read_exact(&mut message).await?;
    let length = u32::from_be_bytes([message[1], message[2], message[3], message[4]]);
    message.resize(1 + length as usize, 0);
    from.read_exact(&mut message[HEAD_BYTES..]).await?;
    Ok(message)
}
