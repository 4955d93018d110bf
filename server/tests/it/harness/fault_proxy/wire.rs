//! One connection through the network.

use super::protocol::{READY_FOR_QUERY, Statements, greet, read_message};
use super::{Fault, Plan, Side};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::watch;
use tokio::time::sleep;

/// One connection.
#[derive(Debug)]
struct Wire {
    network: watch::Sender<Plan>,
    /// How often the network had forgotten connections before this one.
    forgotten: u64,
    /// The reply that comes next is to be lost.
    losing: AtomicBool,
}

/// Carries a client's messages to a port and back, until one of them ends or the network says so.
pub(super) async fn carry(
    mut client: TcpStream,
    port: u16,
    network: watch::Sender<Plan>,
) -> io::Result<()> {
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

impl Wire {
    async fn pump(
        &self,
        side: Side,
        mut from: OwnedReadHalf,
        mut to: OwnedWriteHalf,
    ) -> io::Result<()> {
        let mut statements = Statements::default();
        loop {
            let message = match read_message(&mut from).await {
                Ok(message) => message,
                Err(end) => {
                    // The end of a connection arrives like any message.
                    self.arrive().await;
                    return Err(end);
                }
            };
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
