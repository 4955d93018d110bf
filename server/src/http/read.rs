//! A paste's page, its raw text for whoever asks for no page, and its metadata.

use super::accept::{Rendering, choose};
use super::caching::{add_headers, is_fresh, not_modified, rendering_etag};
use super::failure::Failure;
use super::path::IdInPath;
use super::{Http, State, pages, raw};
use crate::pastes::{Paste, ReadOutcome};
use app::pages::Site;
use app::wire::id::PasteId;
use app::wire::paste::Metadata;
use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HeaderValue, VARY};
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use bytes::Bytes;
use std::sync::Arc;

/// Text from which a page is rendered aside: about 1 ms of work.
const RENDER_ASIDE_BYTES: u64 = 64 * 1024;

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

async fn page(http: &Arc<Http>, paste: &Paste, asked: &HeaderMap) -> Result<Response, Failure> {
    let html = if paste.size_bytes() > RENDER_ASIDE_BYTES {
        render_aside(http, paste).await?
    } else {
        render(&http.site, paste.metadata()?, &whole(http, paste).await?)?
    };
    let mut response = rendered(paste, asked, "text/html; charset=utf-8", html.into_bytes())?;
    pages::add_policy(response.headers_mut());
    Ok(response)
}

pub(super) async fn whole(http: &Http, paste: &Paste) -> Result<Bytes, Failure> {
    match http.pastes.text(paste, 0..paste.size_bytes()).await? {
        ReadOutcome::Live(text) => Ok(text),
        ReadOutcome::NotFound => Err(Failure::NotFound),
    }
}

/// Renders a large page away from the threads that serve requests, few at a time: that bounds their memory too.
async fn render_aside(http: &Arc<Http>, paste: &Paste) -> Result<String, Failure> {
    let turn = Arc::clone(&http.large_renderings).acquire_owned().await;
    let turn = turn.map_err(|_| Failure::Internal)?;
    let text = whole(http, paste).await?;
    let metadata = paste.metadata()?;
    let http = Arc::clone(http);
    let rendering = tokio::task::spawn_blocking(move || {
        let html = render(&http.site, metadata, &text);
        drop(turn);
        html
    });
    rendering.await.map_err(|_| Failure::Internal)?
}

fn render(site: &Site, metadata: Metadata, text: &[u8]) -> Result<String, Failure> {
    let text = std::str::from_utf8(text).map_err(|_| Failure::Internal)?;
    Ok(app::pages::paste(site, &metadata, text))
}

/// A rendering with its weak tag, or 304 for a client that has it.
pub(super) fn rendered(
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
