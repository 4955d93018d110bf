//! Reading on after an early answer.
//!
//! Without it Firefox, Python and Node report a broken connection instead of the answer, and a client would retry a
//! final refusal. The body does it itself when it is dropped before its end, so that no handler can forget it.

use crate::config::Deadlines;
use axum::http::header::EXPECT;
use axum::http::{HeaderMap, Request};
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::time::timeout;

/// How much and how long is read on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Discarding {
    bytes_max: u64,
    within: Duration,
}

impl Discarding {
    /// The size limit plus 1 MiB.
    pub(super) fn new(paste_bytes_max: u64, deadlines: &Deadlines) -> Self {
        Self {
            bytes_max: paste_bytes_max + 1024 * 1024,
            within: deadlines.discard,
        }
    }
}

/// A request body whose rest is read and thrown away when it is dropped.
#[derive(Debug)]
pub(super) struct DiscardedOnDrop {
    body: Option<Incoming>,
    discarding: Discarding,
    /// The client waits for `100 Continue` before it sends the body, and hyper sends that at the first poll.
    awaits_continue: bool,
}

impl DiscardedOnDrop {
    /// Wraps the body of a request.
    pub(super) fn wrap(request: Request<Incoming>, discarding: Discarding) -> Request<Self> {
        let awaits_continue = expects_continue(request.headers());
        request.map(|body| Self {
            body: Some(body),
            discarding,
            awaits_continue,
        })
    }
}

fn expects_continue(headers: &HeaderMap) -> bool {
    headers
        .get(EXPECT)
        .is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"))
}

impl Body for DiscardedOnDrop {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        self.awaits_continue = false;
        match &mut self.body {
            Some(body) => Pin::new(body).poll_frame(context),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map(Body::size_hint).unwrap_or_default()
    }
}

impl Drop for DiscardedOnDrop {
    fn drop(&mut self) {
        if self.is_end_stream() || self.awaits_continue {
            return;
        }
        if let (Some(body), Ok(runtime)) = (self.body.take(), Handle::try_current()) {
            let Discarding { bytes_max, within } = self.discarding;
            runtime.spawn(timeout(within, read_on(body, bytes_max)));
        }
    }
}

async fn read_on(mut body: Incoming, bytes_max: u64) {
    let mut read = 0;
    while let Some(Ok(frame)) = body.frame().await {
        read += frame.data_ref().map_or(0, Bytes::len) as u64;
        if read > bytes_max {
            return;
        }
    }
}
