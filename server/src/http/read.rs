//! A paste's page, its raw text for whoever asks for no page, and its metadata.

use super::accept::{Rendering, choose};
use super::caching::{add_headers, is_fresh, not_modified, rendering_etag, unmet};
use super::failure::Failure;
use super::paste_page::page;
use super::path::IdInPath;
use super::{Http, State, raw};
use crate::pastes::{Paste, ReadOutcome};
use app::wire::id::PasteId;
use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HeaderValue, VARY};
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use bytes::Bytes;
use std::ops::Range;

impl Http {
    /// The paste, or the one 404.
    pub(super) async fn live(&self, id: PasteId) -> Result<Paste, Failure> {
        match self.pastes.read(id).await? {
            ReadOutcome::Live(paste) => Ok(paste),
            ReadOutcome::NotFound => Err(Failure::LookedUpInVain),
        }
    }

    /// These bytes of its text, or the one 404.
    pub(super) async fn text(&self, paste: &Paste, part: Range<u64>) -> Result<Bytes, Failure> {
        match self.pastes.text(paste, part).await? {
            ReadOutcome::Live(text) => Ok(text),
            ReadOutcome::NotFound => Err(Failure::LookedUpInVain),
        }
    }
}

/// `GET /{id}`.
pub(super) async fn page_or_raw(
    axum::extract::State(http): State,
    IdInPath(id): IdInPath,
    method: Method,
    asked: HeaderMap,
) -> Result<Response, Failure> {
    let paste = http.live(id).await?;
    let offers = [Rendering::Html, Rendering::Plain];
    let (mut response, vary) = match choose(&asked, &offers, Rendering::Plain) {
        Rendering::Html => (
            page(&http, &paste, &asked).await?,
            "accept, accept-encoding",
        ),
        Rendering::Plain | Rendering::Json => {
            (raw::text(&http, paste, &method, &asked).await?, "accept")
        }
    };
    let vary = HeaderValue::from_static(vary);
    response.headers_mut().insert(VARY, vary);
    Ok(response)
}

/// `GET /api/pastes/{id}`.
pub(super) async fn metadata(
    axum::extract::State(http): State,
    IdInPath(id): IdInPath,
    asked: HeaderMap,
) -> Result<Response, Failure> {
    let paste = http.live(id).await?;
    let json = serde_json::to_vec(&paste.metadata()?).map_err(|_| Failure::Internal)?;
    let etag = rendering_etag(&json)?;
    if let Some(refusal) = unmet(&asked, &etag) {
        return Ok(refusal);
    }
    if is_fresh(&asked, &etag) {
        return Ok(not_modified(&paste, &etag));
    }
    let mut response = Response::new(Body::from(json));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    add_headers(headers, &paste, &etag);
    Ok(response)
}
