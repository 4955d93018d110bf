//! A network between a client and a service: each connection gets the turn that the test has planned for it.

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

/// What becomes of one request.
#[derive(Clone, Debug)]
pub(crate) enum Turn {
    /// It arrives, and its answer comes back.
    Pass,
    /// The connection ends before a byte of it is read.
    Refuse,
    /// It arrives nowhere; this comes back, and the connection ends.
    Answer(String),
    /// It is carried out to its end; so many bytes of the answer come back, and the connection ends.
    CutAnswer(usize),
    /// Nothing of it is read until the network is released; then it passes.
    HoldRequest,
    /// It is carried out; its answer waits until the network is released.
    HoldAnswer,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
    pub(crate) at: Instant,
}

/// A listening network. Dropping it takes no more connections.
#[derive(Debug)]
pub(crate) struct Network {
    pub(crate) address: SocketAddr,
    plan: Arc<Plan>,
    listening: JoinHandle<()>,
}

#[derive(Debug)]
struct Plan {
    service: SocketAddr,
    turns: Mutex<VecDeque<Turn>>,
    /// Connections that were made.
    connections: Mutex<usize>,
    seen: Mutex<Vec<Seen>>,
    /// Answers that are there, whether or not they were let through.
    answered: Mutex<usize>,
    release: Semaphore,
}

impl Network {
    /// A network to a service, with a turn for each of the next connections. All later ones pass.
    pub(crate) async fn to(service: SocketAddr, turns: impl IntoIterator<Item = Turn>) -> Self {
        Self::listening("127.0.0.1:0".parse().unwrap(), service, turns).await
    }

    /// A network at a place of the test's choice.
    pub(crate) async fn listening(
        at: SocketAddr,
        service: SocketAddr,
        turns: impl IntoIterator<Item = Turn>,
    ) -> Self {
        let listener = TcpListener::bind(at).await.unwrap();
        let address = listener.local_addr().unwrap();
        let plan = Arc::new(Plan {
            service,
            turns: Mutex::new(turns.into_iter().collect()),
            connections: Mutex::default(),
            seen: Mutex::default(),
            answered: Mutex::default(),
            release: Semaphore::new(0),
        });
        let shared = Arc::clone(&plan);
        let listening = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                *shared.connections.lock().unwrap() += 1;
                let turn = shared.turns.lock().unwrap().pop_front();
                let plan = Arc::clone(&shared);
                tokio::spawn(
                    async move { plan.take(client, turn.unwrap_or(Turn::Pass)).await.ok() },
                );
            }
        });
        Self {
            address,
            plan,
            listening,
        }
    }

    /// How a client names the service behind the network.
    pub(crate) fn server(&self) -> String {
        format!("--server=http://{}", self.address)
    }

    /// What came so far, in order.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.plan.seen.lock().unwrap().clone()
    }

    pub(crate) fn connections(&self) -> usize {
        *self.plan.connections.lock().unwrap()
    }

    /// Answers of the service so far.
    pub(crate) fn answered(&self) -> usize {
        *self.plan.answered.lock().unwrap()
    }

    /// Lets go what is held, now and later.
    pub(crate) fn release(&self) {
        self.plan.release.add_permits(Semaphore::MAX_PERMITS / 2);
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl Plan {
    async fn take(&self, mut client: TcpStream, turn: Turn) -> io::Result<()> {
        match &turn {
            Turn::Refuse => return Ok(()),
            Turn::HoldRequest => self.held().await,
            _ => {}
        }
        let (head, body) = read_message(&mut client).await?;
        let request = [head.as_bytes(), &body].concat();
        let at = Instant::now();
        self.seen.lock().unwrap().push(Seen { head, body, at });
        if let Turn::Answer(answer) = &turn {
            return client.write_all(answer.as_bytes()).await;
        }
        let answer = self.carry_out(&request).await?;
        *self.answered.lock().unwrap() += 1;
        let bytes = match turn {
            Turn::CutAnswer(bytes) => bytes,
            _ => answer.len(),
        };
        if matches!(turn, Turn::HoldAnswer) {
            self.held().await;
        }
        client.write_all(&answer[..bytes]).await
    }

    async fn held(&self) {
        let _permit = self.release.acquire().await;
    }

    async fn carry_out(&self, request: &[u8]) -> io::Result<Vec<u8>> {
        let mut service = TcpStream::connect(self.service).await?;
        service.write_all(request).await?;
        let (head, body) = read_message(&mut service).await?;
        Ok([head.as_bytes(), &body].concat())
    }
}

/// A head and as many bytes as it promises.
async fn read_message(from: &mut TcpStream) -> io::Result<(String, Vec<u8>)> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(from.read_u8().await?);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let mut body = vec![0; field(&head, "content-length").parse().unwrap_or(0)];
    from.read_exact(&mut body).await?;
    Ok((head, body))
}

impl Seen {
    /// A header's text, empty when it is not there.
    pub(crate) fn header(&self, name: &str) -> &str {
        field(&self.head, name)
    }
}

fn field<'a>(head: &'a str, name: &str) -> &'a str {
    head.lines()
        .filter_map(|line| line.split_once(": "))
        .find(|(field, _)| field.eq_ignore_ascii_case(name))
        .map_or("", |(_, value)| value)
}
