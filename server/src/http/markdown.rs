//! `GET /{id}/markdown`: a paste as Markdown is meant to look.
//!
//! Any text can be looked at that way; the paste's page links here for Markdown. The page has no script and its own
//! policy, which allows none.

use super::State;
use super::failure::Failure;
use super::path::IdInPath;
use super::rendering::Rendering;
use crate::markdown::{RENDERED_BYTES_MAX, render, whole_lines};
use app::pages::{Rendered, Site, without_reordering};
use app::wire::paste::Metadata;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_SECURITY_POLICY, HeaderValue};
use axum::response::Response;

/// This site's style sheet and the icon in the page itself. No script, no picture from elsewhere, no form.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
);

/// `GET /{id}/markdown`.
pub(super) async fn page(
    axum::extract::State(http): State,
    IdInPath(id): IdInPath,
    asked: HeaderMap,
) -> Result<Response, Failure> {
    let paste = http.live(id).await?;
    let turn = http.aside.turn(true).await?;
    // As much of it as is rendered.
    let start = 0..paste.size_bytes().min(RENDERED_BYTES_MAX);
    let start = http.text(&paste, start).await?;
    let metadata = paste.metadata()?;
    let work = move || {
        let html = html(&http.site, &metadata, &start);
        Rendering::new(html.into_bytes(), &asked)
    };
    let rendering = turn.work(work).await?;
    let mut response = rendering.answer(&paste, "text/html; charset=utf-8");
    response
        .headers_mut()
        .insert(CONTENT_SECURITY_POLICY, POLICY);
    Ok(response)
}

fn html(site: &Site, metadata: &Metadata, start: &[u8]) -> String {
    let is_cut = metadata.size > RENDERED_BYTES_MAX;
    // A cut may go through a character.
    let text = start.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let text = if is_cut { whole_lines(text) } else { text };
    let (plain, reordered) = without_reordering(text);
    let rendered = Rendered {
        html: render(&plain),
        cut_at_bytes: is_cut.then_some(RENDERED_BYTES_MAX),
        reordered,
    };
    app::pages::markdown(site, metadata, rendered)
}
