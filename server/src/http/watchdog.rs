//! Cuts a response that is not written in time, so that a slow reader holds a connection for a bounded time and "the
//! longest possible origin response" exists (the relay's second purge relies on it).

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// The response a connection is writing: when it must be done, and whether hyper has all of it.
#[derive(Clone, Debug)]
pub(super) struct Watchdog {
    deadline: Arc<watch::Sender<Option<Instant>>>,
    handed_over: Arc<AtomicBool>,
}

impl Default for Watchdog {
    fn default() -> Self {
        Self {
            deadline: Arc::new(watch::Sender::new(None)),
            handed_over: Arc::default(),
        }
    }
}

impl Watchdog {
    /// Starts the time of a response, and watches for the end of its body.
    pub(super) fn watch<B>(&self, body: B, allowed: Duration) -> WatchedBody<B> {
        self.handed_over.store(false, Ordering::Relaxed);
        self.deadline.send_replace(Some(Instant::now() + allowed));
        WatchedBody {
            body,
            handed_over: Arc::clone(&self.handed_over),
        }
    }

    /// Returns once a response has not been written in time.
    pub(super) async fn expired(&self) {
        let mut deadline = self.deadline.subscribe();
        loop {
            let current = *deadline.borrow_and_update();
            let changed = deadline.changed();
            match current {
                None => drop(changed.await),
                Some(deadline) => tokio::select! {
                    _ = changed => {}
                    () = sleep_until(deadline) => return,
                },
            }
        }
    }

    /// Everything hyper had is with the operating system now.
    fn flushed(&self) {
        if self.handed_over.swap(false, Ordering::Relaxed) {
            self.deadline.send_replace(None);
        }
    }
}

/// A response body that tells when hyper has taken all of it.
#[derive(Debug)]
pub(super) struct WatchedBody<B> {
    body: B,
    handed_over: Arc<AtomicBool>,
}

impl<B: Body<Data = Bytes> + Unpin> Body for WatchedBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<B> Drop for WatchedBody<B> {
    fn drop(&mut self) {
        self.handed_over.store(true, Ordering::Relaxed);
    }
}

/// A connection that reports its flushes. hyper flushes only when its own buffer is empty.
#[derive(Debug)]
pub(super) struct WatchedStream {
    stream: TcpStream,
    watchdog: Watchdog,
}

impl WatchedStream {
    pub(super) fn new(stream: TcpStream, watchdog: Watchdog) -> Self {
        Self { stream, watchdog }
    }
}

impl AsyncRead for WatchedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for WatchedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        if flushed.is_ready() {
            self.watchdog.flushed();
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, buffers)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
