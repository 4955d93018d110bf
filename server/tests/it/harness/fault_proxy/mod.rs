//! A network between a service and a PostgreSQL server that fails when a test says so.

mod protocol;
mod wire;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use wire::carry;

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
