//! What is rendered anew for each reader, as it goes over the wire: compressed, and only if the reader has not got it.

use super::caching::{add_headers, is_fresh, not_modified, rendering_etag, unmet};
use super::encoding::{accepts, gzip};
use super::failure::Failure;
use crate::pastes::Paste;
use axum::body::Body;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderValue, VARY};
use axum::response::Response;
use headers::ETag;

/// The effort at compressing: nothing is kept, so it is made for every reader.
const EFFORT: u32 = 4;

/// A rendering of a paste for one reader.
#[derive(Debug)]
pub(super) struct Rendering {
    etag: ETag,
    content: Content,
}

#[derive(Debug)]
enum Content {
    /// The reader wants another one.
    Unwanted(Response),
    /// The reader has it.
    Known,
    Plain(Vec<u8>),
    Gzip(Vec<u8>),
}

impl Rendering {
    /// Makes it ready for whoever sent these headers: about 10 ms for each MiB that is compressed.
    ///
    /// It must not hold a secret: beside text that somebody else chose, its length would tell of it.
    pub(super) fn new(bytes: Vec<u8>, asked: &HeaderMap) -> Result<Self, Failure> {
        let etag = rendering_etag(&bytes)?;
        let content = if let Some(refusal) = unmet(asked, &etag) {
            Content::Unwanted(refusal)
        } else if is_fresh(asked, &etag) {
            Content::Known
        } else if accepts(asked, "gzip") {
            Content::Gzip(gzip(&bytes, EFFORT).map_err(|_| Failure::Internal)?)
        } else {
            Content::Plain(bytes)
        };
        Ok(Self { etag, content })
    }

    /// The answer: 200, 304 or 412.
    pub(super) fn answer(self, paste: &Paste, content_type: &'static str) -> Response {
        let (body, is_gzip) = match self.content {
            Content::Unwanted(refusal) => return varying(refusal),
            Content::Known => return varying(not_modified(paste, &self.etag)),
            Content::Plain(bytes) => (bytes, false),
            Content::Gzip(bytes) => (bytes, true),
        };
        let mut response = Response::new(Body::from(body));
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        if is_gzip {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        add_headers(headers, paste, &self.etag);
        varying(response)
    }
}

fn varying(mut response: Response) -> Response {
    let vary = HeaderValue::from_static("accept-encoding");
    response.headers_mut().insert(VARY, vary);
    response
}
