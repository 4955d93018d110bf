//! A network between two that speak HTTP, which fails request by request when a test says so.

use bytes::Bytes;
use futures_util::stream;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::header::{CONNECTION, TRANSFER_ENCODING};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use reqwest::Client;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

type Body = BoxBody<Bytes, io::Error>;

/// What becomes of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HttpFault {
    Pass,
    /// It is not carried out; this status and body are the answer.
    Answer(u16, &'static str),
    /// It is not carried out, and its connection ends.
    Drop,
    /// It is carried out, and its connection ends in the middle of the answer, or without one that has no body.
    CutAnswer,
    /// It arrives once the network is changed.
    Hang,
    /// It is carried out, and the answer arrives once the network is changed.
    HoldAnswer,
}

#[derive(Clone, Debug)]
struct Plan {
    /// Where requests lead.
    to: SocketAddr,
    now: HttpFault,
    /// How many more requests meet it; none is all.
    left: Option<usize>,
    /// Requests so far, each "METHOD path".
    asked: Vec<String>,
    /// Answers that are held.
    held: usize,
    /// How often what hangs and what is held was let go.
    releases: u64,
}

/// A listening proxy. Dropping it takes no more connections.
#[derive(Debug)]
pub(crate) struct HttpProxy {
    pub(crate) address: SocketAddr,
    plan: watch::Sender<Plan>,
    listening: JoinHandle<()>,
}

/// What a connection needs.
#[derive(Clone)]
struct Network {
    client: Client,
    plan: watch::Sender<Plan>,
}

impl HttpProxy {
    /// A proxy to an address.
    pub(crate) async fn to(to: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let plan = watch::Sender::new(Plan {
            to,
            now: HttpFault::Pass,
            left: None,
            asked: Vec::new(),
            held: 0,
            releases: 0,
        });
        let network = Arc::new(Network {
            client: Client::builder()
                .no_proxy()
                .redirect(reqwest::redirect::Policy::none())
                .build()
                .unwrap(),
            plan: plan.clone(),
        });
        let listening = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let network = Arc::clone(&network);
                let service = service_fn(move |request| carry(Arc::clone(&network), request));
                let connection =
                    http1::Builder::new().serve_connection(TokioIo::new(stream), service);
                tokio::spawn(async move { connection.await.ok() });
            }
        });
        Self {
            address,
            plan,
            listening,
        }
    }

    /// Changes the network, and lets go what hangs or is held.
    pub(crate) fn set(&self, now: HttpFault) {
        self.plan.send_modify(|plan| {
            (plan.now, plan.left) = (now, None);
            plan.releases += 1;
        });
    }

    /// Leads requests to another address.
    pub(crate) fn lead_to(&self, to: SocketAddr) {
        self.plan.send_modify(|plan| plan.to = to);
    }

    /// The next so many requests meet a fault, and those after them pass.
    pub(crate) fn strike(&self, times: usize, fault: HttpFault) {
        self.plan
            .send_modify(|plan| (plan.now, plan.left) = (fault, Some(times)));
    }

    /// The requests so far, each "METHOD path".
    pub(crate) fn asked(&self) -> Vec<String> {
        self.plan.borrow().asked.clone()
    }

    /// Waits until an answer is held back.
    pub(crate) async fn until_it_holds(&self) {
        let mut changes = self.plan.subscribe();
        changes.wait_for(|plan| plan.held > 0).await.unwrap();
    }
}

impl Drop for HttpProxy {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl Network {
    /// What the next request meets.
    fn next_fault(&self, request: &Request<Incoming>) -> HttpFault {
        let mut fault = HttpFault::Pass;
        self.plan.send_modify(|plan| {
            plan.asked
                .push(format!("{} {}", request.method(), request.uri()));
            fault = plan.now;
            if let Some(left) = &mut plan.left {
                *left = left.saturating_sub(1);
                if *left == 0 {
                    (plan.now, plan.left) = (HttpFault::Pass, None);
                }
            }
        });
        fault
    }

    async fn until_released(&self) {
        let mut changes = self.plan.subscribe();
        let before = changes.borrow_and_update().releases;
        let released = changes.wait_for(|plan| plan.releases > before).await;
        released.unwrap();
    }

    /// Carries a request out.
    async fn ask(&self, request: Request<Incoming>) -> io::Result<Response<Bytes>> {
        let (head, body) = request.into_parts();
        let body = body.collect().await.map_err(io::Error::other)?.to_bytes();
        let to = self.plan.borrow().to;
        let url = format!("http://{to}{}", head.uri);
        let asked = self
            .client
            .request(head.method, url)
            .headers(head.headers)
            .body(body);
        let answer = asked.send().await.map_err(io::Error::other)?;
        let mut response = Response::new(Bytes::new());
        *response.status_mut() = answer.status();
        *response.headers_mut() = answer.headers().clone();
        // The body is whole by now, and its connection ours.
        response.headers_mut().remove(TRANSFER_ENCODING);
        response.headers_mut().remove(CONNECTION);
        *response.body_mut() = answer.bytes().await.map_err(io::Error::other)?;
        Ok(response)
    }
}

async fn carry(network: Arc<Network>, request: Request<Incoming>) -> io::Result<Response<Body>> {
    let fault = network.next_fault(&request);
    match fault {
        HttpFault::Pass => Ok(network.ask(request).await?.map(whole)),
        HttpFault::Answer(status, body) => {
            request
                .into_body()
                .collect()
                .await
                .map_err(io::Error::other)?;
            let response = Response::builder().status(status);
            Ok(response.body(whole(body.into())).unwrap())
        }
        HttpFault::Drop => Err(io::ErrorKind::ConnectionReset.into()),
        HttpFault::CutAnswer => {
            let answer = network.ask(request).await?;
            if answer.body().is_empty() {
                return Err(io::ErrorKind::ConnectionReset.into());
            }
            Ok(answer.map(half))
        }
        HttpFault::Hang => {
            network.until_released().await;
            Ok(network.ask(request).await?.map(whole))
        }
        HttpFault::HoldAnswer => {
            let answer = network.ask(request).await?;
            network.plan.send_modify(|plan| plan.held += 1);
            network.until_released().await;
            network.plan.send_modify(|plan| plan.held -= 1);
            Ok(answer.map(whole))
        }
    }
}

fn whole(bytes: Bytes) -> Body {
    Full::new(bytes).map_err(|never| match never {}).boxed()
}

/// The head, half of the body, and then the connection breaks.
fn half(bytes: Bytes) -> Body {
    let part = Ok(Frame::data(bytes.slice(..bytes.len() / 2)));
    let parts = [part, Err(io::ErrorKind::ConnectionReset.into())];
    BodyExt::boxed(StreamBody::new(stream::iter(parts)))
}
