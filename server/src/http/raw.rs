//! The text itself: exact bytes, conditional requests, one range.

use super::caching::{add_headers, is_fresh, not_modified, text_etag, unmet};
use super::failure::Failure;
use super::file_name::disposition;
use super::path::IdInPath;
use super::range::{Part, content_range, part, unsatisfiable};
use super::{Http, State};
use crate::pastes::{Paste, PastesError, ReadOutcome};
use axum::body::Body;
use axum::http::header::{
    ACCEPT_RANGES, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_SECURITY_POLICY,
    CONTENT_TYPE, HeaderValue,
};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use std::ops::Range;
use std::sync::Arc;

/// Bytes read from the store at once. A slow reader holds one such piece, not the whole text.
const PIECE_BYTES: u64 = 128 * 1024;

/// Nothing in it runs or loads, whatever a browser takes it for.
const SANDBOX: HeaderValue =
    HeaderValue::from_static("default-src 'none'; sandbox; frame-ancestors 'none'");

/// `GET /{id}/raw`.
pub(super) async fn raw(
    axum::extract::State(http): State,
    IdInPath(id): IdInPath,
    method: Method,
    asked: HeaderMap,
) -> Result<Response, Failure> {
    let paste = http.live(id).await?;
    text(&http, paste, &method, &asked).await
}

/// `GET /{id}/download`: the same as an attachment.
pub(super) async fn download(
    axum::extract::State(http): State,
    IdInPath(id): IdInPath,
    method: Method,
    asked: HeaderMap,
) -> Result<Response, Failure> {
    let paste = http.live(id).await?;
    let disposition = disposition(&paste)?;
    let mut response = text(&http, paste, &method, &asked).await?;
    response
        .headers_mut()
        .insert(CONTENT_DISPOSITION, disposition);
    Ok(response)
}

/// Answers with the text of a paste, or the part that was asked for.
pub(super) async fn text(
    http: &Arc<Http>,
    paste: Paste,
    method: &Method,
    asked: &HeaderMap,
) -> Result<Response, Failure> {
    let etag = text_etag(&paste)?;
    if let Some(refusal) = unmet(asked, &etag) {
        return Ok(refusal);
    }
    if is_fresh(asked, &etag) {
        let mut response = not_modified(&paste, &etag);
        // A cache gives the kept answer the headers of this one.
        response
            .headers_mut()
            .insert(CONTENT_SECURITY_POLICY, SANDBOX);
        return Ok(response);
    }
    let size = paste.size_bytes();
    let part = match part(method, asked, &etag, size) {
        Part::Whole => 0..size,
        Part::One(range) => range,
        Part::Unsatisfiable => return Ok(unsatisfiable(size)),
    };
    let mut response = StatusCode::OK.into_response();
    let headers = response.headers_mut();
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/plain; charset=utf-8"),
    );
    headers.insert(CONTENT_SECURITY_POLICY, SANDBOX);
    headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(part.end - part.start));
    add_headers(headers, &paste, &etag);
    if part != (0..size) {
        headers.insert(CONTENT_RANGE, content_range(&part, size)?);
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
    }
    *response.body_mut() = body(http, paste, part).await?;
    Ok(response)
}

/// The first piece is read before the answer begins, so that a missing object is a status and not a broken body.
async fn body(http: &Arc<Http>, paste: Paste, part: Range<u64>) -> Result<Body, Failure> {
    let first = piece(&part);
    let rest = first.end..part.end;
    let first = http.text(&paste, first).await?;
    if rest.is_empty() {
        return Ok(Body::from(first));
    }
    let pieces = Pieces {
        http: Arc::clone(http),
        paste,
        rest,
        ready: Some(first),
    };
    Ok(Body::from_stream(stream::try_unfold(pieces, Pieces::next)))
}

struct Pieces {
    http: Arc<Http>,
    paste: Paste,
    rest: Range<u64>,
    ready: Option<Bytes>,
}

impl Pieces {
    /// An error cuts the connection: the client sees fewer bytes than `Content-Length` says.
    async fn next(mut self) -> Result<Option<(Bytes, Self)>, PastesError> {
        if let Some(ready) = self.ready.take() {
            return Ok(Some((ready, self)));
        }
        if self.rest.is_empty() {
            return Ok(None);
        }
        let next = piece(&self.rest);
        self.rest.start = next.end;
        match self.http.pastes.text(&self.paste, next).await? {
            ReadOutcome::Live(bytes) => Ok(Some((bytes, self))),
            ReadOutcome::NotFound => Err(PastesError::StoreUnavailable),
        }
    }
}

fn piece(part: &Range<u64>) -> Range<u64> {
    part.start..part.end.min(part.start + PIECE_BYTES)
}
