//! The accept loop: our own, because axum's has no deadline for headers, none for answers, and no end of a stop.

use super::client_address::Peer;
use super::discard::{Discarding, Rest, is_expecting};
use super::watchdog::{Watchdog, WatchedStream};
use crate::config::Deadlines;
use crate::metrics::{Connections, Deadline, DeadlineMetrics};
use axum::Router;
use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::CONTENT_LENGTH;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::Service;

/// Header lines of a request.
const HEADERS_MAX: usize = 64;

/// Bytes hyper buffers for one connection: 64 KiB.
const BUFFER_BYTES: usize = 64 * 1024;

/// Bytes of a request's head; past it the answer is 431.
const HEAD_BYTES_MAX: usize = 32 * 1024;

/// How long the loop pauses when the system gives no more connections (out of files, out of memory).
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// How long a stop waits for the first request of a connection that was just accepted. Its client was not refused, so it
/// has sent, and would take a closed connection for a broken service.
const SILENT_AFTER_STOP: Duration = Duration::from_secs(1);

/// How one listener is served.
#[derive(Clone, Debug)]
pub struct Listening {
    /// What answers.
    pub routes: Router,
    /// Counts the connections.
    pub connections: Connections,
    /// Counts clients that do not take their answer in time.
    pub deadlines_missed: DeadlineMetrics,
    /// How long clients may take.
    pub deadlines: Deadlines,
    /// The size limit that bounds reading on after an early answer.
    pub paste_bytes_max: u64,
    /// Connections at once; past it new ones wait in the system's queue.
    pub connections_max: usize,
    /// Stops accepting, and asks open connections to end after the answer they are at.
    pub stop: CancellationToken,
}

/// Serves a listener until `stop`, then waits for the connections. Dropping it cuts them.
pub async fn serve(listener: TcpListener, listening: Listening) {
    let connections = TaskTracker::new();
    let cut = CancellationToken::new();
    let _cut_when_dropped = cut.clone().drop_guard();
    let slots = Arc::new(Semaphore::new(listening.connections_max));
    while let Some((stream, peer, slot)) = accept(&listener, &slots, &listening.stop).await {
        let connection = serve_connection(stream, peer, listening.clone(), slot);
        let cut = cut.clone();
        connections.spawn(async move { cut.run_until_cancelled(connection).await });
    }
    drop(listener);
    connections.close();
    connections.wait().await;
}

/// The next connection; none once the service stops.
async fn accept(
    listener: &TcpListener,
    slots: &Arc<Semaphore>,
    stop: &CancellationToken,
) -> Option<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let accepting = async {
        let slot = Arc::clone(slots).acquire_owned().await.ok()?;
        loop {
            match listener.accept().await {
                Ok((stream, peer)) => return Some((stream, peer, slot)),
                Err(error) => {
                    tracing::warn!(error = %error, "a connection cannot be accepted");
                    sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    };
    stop.run_until_cancelled(accepting).await.flatten()
}

async fn serve_connection(
    stream: TcpStream,
    peer: SocketAddr,
    listening: Listening,
    _slot: OwnedSemaphorePermit,
) {
    // Without it the last packet of an answer waits for the client's delayed ACK: 40 ms (performance.md).
    stream.set_nodelay(true).ok();
    let _open = listening.connections.open();
    let watchdog = Watchdog::default();
    let stream = WatchedStream::new(stream, watchdog.clone());
    let has_asked = CancellationToken::new();
    let answer = {
        let (listening, watchdog) = (listening.clone(), watchdog.clone());
        let has_asked = has_asked.clone();
        service_fn(move |request| {
            has_asked.cancel();
            answer(request, peer, listening.clone(), watchdog.clone())
        })
    };
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(listening.deadlines.request_header)
        .max_headers(HEADERS_MAX)
        .max_buf_size(BUFFER_BYTES)
        .max_header_size(HEAD_BYTES_MAX)
        .serve_connection(TokioIo::new(stream), answer);
    let mut connection = pin!(connection);
    let mut expired = pin!(watchdog.expired());
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = expired.as_mut() => return listening.deadlines_missed.missed(Deadline::Response),
        () = may_end(&listening.stop, &has_asked) => {
            connection.as_mut().graceful_shutdown();
            tokio::select! {
                ended = connection.as_mut() => ended,
                () = expired.as_mut() => {
                    return listening.deadlines_missed.missed(Deadline::Response);
                }
            }
        }
    };
    if let Err(error) = ended {
        tracing::debug!(error = %error, "a connection ended early");
    }
}

/// Returns once a stop may end the connection after the answer it is at: hyper would close one at once whose first
/// request it has not read.
async fn may_end(stop: &CancellationToken, has_asked: &CancellationToken) {
    stop.cancelled().await;
    timeout(SILENT_AFTER_STOP, has_asked.cancelled()).await.ok();
}

async fn answer(
    request: hyper::Request<Incoming>,
    peer: SocketAddr,
    mut listening: Listening,
    watchdog: Watchdog,
) -> Result<
    hyper::Response<impl http_body::Body<Data = bytes::Bytes, Error = axum::Error>>,
    Infallible,
> {
    let discarding = Discarding::new(listening.paste_bytes_max, &listening.deadlines);
    let is_expecting = is_expecting(&request);
    let (request, rest) = Rest::of(request, discarding);
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(Peer(peer));
    let mut response = listening.routes.call(request).await?;
    if response.status() == StatusCode::NOT_MODIFIED {
        // axum counts the empty body; hyper writes the count for HEAD, where it would be that of the 200 (RFC 9110 §8.6).
        response.headers_mut().remove(CONTENT_LENGTH);
    }
    let response = rest.read_after(response, is_expecting);
    let allowed = listening.deadlines.response;
    Ok(response.map(|body| watchdog.watch(body, allowed)))
}
