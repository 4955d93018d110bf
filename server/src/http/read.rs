//! A paste's page, its raw text for whoever asks for no page, and its metadata.

use super::accept::{Rendering, choose};
use super::caching::{add_headers, is_fresh, not_modified, rendering_etag};
use super::failure::Failure;
use super::path::IdInPath;
use super::{Http, State, pages, raw};
use crate::pastes::{Paste, ReadOutcome};
use app::wire::id::PasteId;
use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HeaderValue, VARY};
use axum::http::{HeaderMap, Method};
use axum::response::Response;

impl Http {
    /// The paste, or the one 404.
    pub(super) async fn live(&self, id: PasteId) -> Result<Paste, Failure> {
        match self.pastes.read(id).await? {
            ReadOutcome::Live(paste) => Ok(paste),
            ReadOutcome::NotFound => Err(Failure::NotFound),
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
    let mut response = match choose(&asked, &offers, Rendering::Plain) {
        Rendering::Html => page(&http, &paste, &asked).await?,
        Rendering::Plain | Rendering::Json => raw::text(&http, paste, &method, &asked).await?,
    };
    response
        .headers_mut()
        .insert(VARY, HeaderValue::from_static("accept"));
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
    rendered(&paste, &asked, "application/json", json)
}

async fn page(http: &Http, paste: &Paste, asked: &HeaderMap) -> Result<Response, Failure> {
    let text = match http.pastes.text(paste, 0..paste.size_bytes()).await? {
        ReadOutcome::Live(text) => text,
        ReadOutcome::NotFound => return Err(Failure::NotFound),
    };
    let text = std::str::from_utf8(&text).map_err(|_| Failure::Internal)?;
    let html = app::pages::paste(&http.site, &paste.metadata()?, text);
    let mut response = rendered(paste, asked, "text/html; charset=utf-8", html.into_bytes())?;
    pages::add_policy(response.headers_mut());
    Ok(response)
}

/// A rendering with its weak tag, or 304 for a client that has it.
fn rendered(
    paste: &Paste,
    asked: &HeaderMap,
    content_type: &'static str,
    rendering: Vec<u8>,
) -> Result<Response, Failure> {
    let etag = rendering_etag(&rendering)?;
    if is_fresh(asked, &etag) {
        return Ok(not_modified(paste, &etag));
    }
    let mut response = Response::new(Body::from(rendering));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    add_headers(headers, paste, &etag);
    Ok(response)
}
