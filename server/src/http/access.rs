//! One request in log and metrics: the line it leaves, and what other lines name it by.
//!
//! The route is logged, never the path: an id in a log would hand out the link.

use super::Http;
use super::body::declared_bytes;
use super::failure::Failure;
use crate::metrics::Deadline;
use app::wire::id::Slot;
use axum::body::Body;
use axum::extract::{MatchedPath, Request};
use axum::http::header::{CACHE_CONTROL, HeaderName, HeaderValue};
use axum::http::{Extensions, HeaderMap, Method};
use axum::response::Response;
use bytes::Bytes;
use http_body::{Body as _, Frame, SizeHint};
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tracing::Span;
use uuid::Uuid;

/// Names the request on answers that nobody keeps. On a copy from a cache it would name somebody else's request.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The slot that a request turned out to be about.
#[derive(Clone, Debug, Default)]
pub(super) struct AskedSlot(Arc<OnceLock<Slot>>);

impl AskedSlot {
    /// Notes the slot for the request's line.
    pub(super) fn note(extensions: &Extensions, slot: Slot) {
        if let Some(asked) = extensions.get::<Self>() {
            asked.0.set(slot).ok();
        }
    }
}

/// A request that is being answered. When it is dropped, its line is written.
#[derive(Debug)]
pub(super) struct Access {
    http: Arc<Http>,
    /// Made here: one that came with the request could be anything.
    request_id: String,
    method: Method,
    route: Option<MatchedPath>,
    slot: AskedSlot,
    started: Instant,
    /// None until there is an answer.
    status: Option<u16>,
    /// Of the answer's body, as far as it was taken.
    bytes: u64,
    /// What the body has in all, if that is known.
    bytes_expected: Option<u64>,
    /// Whether the body was taken to its end.
    complete: bool,
}

impl Access {
    pub(super) fn begin(http: &Arc<Http>, request: &mut Request) -> Self {
        let slot = AskedSlot::default();
        request.extensions_mut().insert(slot.clone());
        Self {
            http: Arc::clone(http),
            request_id: Uuid::new_v4().simple().to_string(),
            method: request.method().clone(),
            route: request.extensions().get().cloned(),
            slot,
            started: Instant::now(),
            status: None,
            bytes: 0,
            bytes_expected: None,
            complete: false,
        }
    }

    /// What every line that is logged meanwhile stands in. An error's span, so that a quiet log has it too.
    pub(super) fn span(&self) -> Span {
        tracing::error_span!("request", id = self.request_id)
    }

    /// Counts a failure that is not yet a page of its own.
    pub(super) fn failed(&self, failure: &Failure) {
        if *failure == Failure::BodyTooSlow {
            let deadlines = &self.http.metrics.deadlines;
            deadlines.missed(Deadline::RequestBody);
        }
        if self.method == Method::POST && matches!(self.route(), Some("/" | "/api/pastes")) {
            self.http.metrics.creates.refused(failure.code());
        }
    }

    /// Counts the answer, and writes the line once its body is taken, or left.
    pub(super) fn answered(mut self, mut response: Response) -> Response {
        let status = response.status().as_u16();
        self.status = Some(status);
        let (method, took) = (self.method.as_str(), self.started.elapsed());
        self.http
            .metrics
            .http
            .answered(method, self.route(), status, took);
        self.bytes_expected = declared_bytes(response.headers());
        self.name(response.headers_mut());
        response.map(|body| Body::new(Accounted { body, access: self }))
    }

    fn name(&self, headers: &mut HeaderMap) {
        let is_kept = headers.get(CACHE_CONTROL).is_none_or(|it| it != "no-store");
        if let (false, Ok(id)) = (is_kept, HeaderValue::from_str(&self.request_id)) {
            headers.insert(REQUEST_ID, id);
        }
    }

    fn route(&self) -> Option<&str> {
        self.route.as_ref().map(MatchedPath::as_str)
    }
}

/// Writes the request's line at a level that must be a constant.
macro_rules! line {
    ($level:ident, $access:expr, $message:literal) => {{
        let access: &Access = $access;
        let slot = access.slot.0.get();
        tracing::$level!(
            method = known(&access.method),
            route = access.route().unwrap_or("none"),
            status = access.status,
            ms = milliseconds(access.started.elapsed()),
            bytes = access.bytes,
            shard = slot.map(|slot| access.http.pastes.shard(*slot)),
            request_id = access.request_id,
            $message
        );
    }};
}

impl Drop for Access {
    fn drop(&mut self) {
        let is_probe = matches!(self.route(), Some("/livez" | "/readyz"));
        match self.status {
            None => {
                let metrics = &self.http.metrics.http;
                metrics.hung_up(self.method.as_str(), self.route());
                line!(info, self, "the client left before its answer");
            }
            Some(500) => line!(error, self, "answered"),
            _ if is_probe => line!(debug, self, "answered"),
            _ if !self.complete => line!(info, self, "the client left its answer unread"),
            Some(503) => line!(warn, self, "answered"),
            Some(_) => line!(info, self, "answered"),
        }
    }
}

/// A method that HTTP knows; others are free text.
fn known(method: &Method) -> &str {
    match *method {
        Method::GET
        | Method::HEAD
        | Method::POST
        | Method::PUT
        | Method::PATCH
        | Method::DELETE
        | Method::OPTIONS
        | Method::TRACE
        | Method::CONNECT => method.as_str(),
        _ => "other",
    }
}

/// To a microsecond, at most an hour.
fn milliseconds(span: Duration) -> f64 {
    f64::from(u32::try_from(span.as_micros()).unwrap_or(u32::MAX)) / 1e3
}

/// The body of an answer that counts what is taken of it.
#[derive(Debug)]
struct Accounted {
    body: Body,
    access: Access,
}

impl http_body::Body for Accounted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        match &polled {
            Poll::Ready(Some(Ok(frame))) => {
                self.access.bytes += frame.data_ref().map_or(0, Bytes::len) as u64;
            }
            Poll::Ready(None) => self.access.complete = true,
            Poll::Ready(Some(Err(_))) | Poll::Pending => {}
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Accounted {
    fn drop(&mut self) {
        let access = &mut self.access;
        // hyper asks for no more than the length says, and for nothing where there is no body.
        access.complete |= self.body.is_end_stream() || access.bytes_expected == Some(access.bytes);
    }
}
