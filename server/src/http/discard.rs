//! Reading on after an early answer.
//!
//! Without it Firefox, Python and Node report a broken connection instead of the answer, and a client would retry a
//! final refusal. A body that is dropped before its end leaves its rest here, so that no handler can forget it. The rest
//! is read once the head of the answer is written: read before that, hyper takes it for a welcome and sends
//! `100 Continue`.

use crate::config::Deadlines;
use axum::http::header::{CONNECTION, EXPECT, HeaderValue};
use axum::http::{Request, Response};
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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

    fn start(self, body: Incoming) {
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(timeout(self.within, read_on(body, self.bytes_max)));
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

/// What a request has left of its body.
#[derive(Debug)]
enum Left {
    /// Nothing yet.
    Nothing,
    /// The rest, which waits for the head of the answer.
    Rest(Incoming),
    /// The head of the answer is written: a rest that comes now is read at once.
    Answered,
}

/// Where a request leaves the rest of its body.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    /// None for a request without a body.
    left: Option<Arc<Mutex<Left>>>,
    discarding: Discarding,
}

impl Rest {
    /// Wraps the body of a request.
    pub(super) fn of(
        request: Request<Incoming>,
        discarding: Discarding,
    ) -> (Request<DiscardedOnDrop>, Self) {
        let has_body = !request.body().is_end_stream();
        let rest = Self {
            left: has_body.then(|| Arc::new(Mutex::new(Left::Nothing))),
            discarding,
        };
        let request = request.map(|body| DiscardedOnDrop {
            body: Some(body),
            rest: rest.clone(),
        });
        (request, rest)
    }

    /// The answer, which starts the reading on with the first byte of its body, or its end.
    ///
    /// A client that expects to be asked for the body may send it or not once it has the answer, so what comes next on
    /// its connection could be either: the connection ends (RFC 9110 §10.1.1).
    pub(super) fn read_after<B>(
        self,
        mut answer: Response<B>,
        is_expecting: bool,
    ) -> Response<AnsweredBody<B>> {
        if is_expecting && matches!(self.left().as_deref(), Some(Left::Rest(_))) {
            let close = HeaderValue::from_static("close");
            answer.headers_mut().insert(CONNECTION, close);
        }
        answer.map(|body| AnsweredBody { body, rest: self })
    }

    /// Takes a rest: for later, or at once where the answer has begun.
    fn leave(&self, body: Incoming) {
        match self.left().as_deref_mut() {
            Some(left @ Left::Nothing) => *left = Left::Rest(body),
            _ => self.discarding.start(body),
        }
    }

    /// The head of the answer is written.
    fn answered(&self) {
        let left = self.left();
        let left = left.map(|mut left| mem::replace(&mut *left, Left::Answered));
        if let Some(Left::Rest(body)) = left {
            self.discarding.start(body);
        }
    }

    fn left(&self) -> Option<MutexGuard<'_, Left>> {
        let left = self.left.as_ref()?;
        Some(left.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Whether the client waits for `100 Continue` before it sends the body.
pub(super) fn is_expecting<B>(request: &Request<B>) -> bool {
    request.headers().contains_key(EXPECT)
}

/// A request body that leaves its rest when it is dropped.
#[derive(Debug)]
pub(super) struct DiscardedOnDrop {
    /// None past its end.
    body: Option<Incoming>,
    rest: Rest,
}

impl Body for DiscardedOnDrop {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let Some(body) = &mut self.body else {
            return Poll::Ready(None);
        };
        let polled = Pin::new(body).poll_frame(context);
        if matches!(polled, Poll::Ready(None)) {
            self.body = None;
        }
        polled
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
        if let Some(body) = self.body.take_if(|body| !body.is_end_stream()) {
            self.rest.leave(body);
        }
    }
}

/// The body of an answer. hyper takes its first byte, or drops it, once the head is written.
#[derive(Debug)]
pub(super) struct AnsweredBody<B> {
    body: B,
    rest: Rest,
}

impl<B: Body<Data = Bytes> + Unpin> Body for AnsweredBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        self.rest.answered();
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<B> Drop for AnsweredBody<B> {
    fn drop(&mut self) {
        self.rest.answered();
    }
}
