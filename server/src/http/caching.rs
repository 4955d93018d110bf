//! What browsers and a CDN may keep of a paste, and what they may ask about it.

use super::failure::Failure;
use crate::pastes::Paste;
use axum::http::header::{CACHE_CONTROL, ETAG, HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use headers::{ETag, HeaderMapExt, IfMatch, IfNoneMatch};
use sha2::{Digest, Sha256};
use std::time::Duration;

const CDN_CACHE_CONTROL: HeaderName = HeaderName::from_static("cdn-cache-control");
const SURROGATE_KEY: HeaderName = HeaderName::from_static("surrogate-key");
const CACHE_TAG: HeaderName = HeaderName::from_static("cache-tag");
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

/// The longest a CDN keeps a copy, should a purge ever be lost.
const CDN_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// The longest a CDN keeps a page whose colours are still to come, or were cut short.
const CDN_MAX_UNFINISHED: Duration = Duration::from_secs(10);

/// A CDN keeps an unfinished page so briefly that the finished one soon takes its place; many readers still ask once.
pub(super) fn keep_briefly(headers: &mut HeaderMap, paste: &Paste) {
    insert(
        headers,
        CDN_CACHE_CONTROL,
        &cdn_value(paste, CDN_MAX_UNFINISHED),
    );
}

/// Browsers ask again each time; a CDN may keep it no longer than the paste lives, tagged so that one purge finds it.
pub(super) fn add_headers(headers: &mut HeaderMap, paste: &Paste, etag: &ETag) {
    headers.insert(
        CACHE_CONTROL,
        HeaderValue::from_static("public, max-age=0, must-revalidate"),
    );
    insert(headers, CDN_CACHE_CONTROL, &cdn_value(paste, CDN_MAX));
    let tag = paste.id().to_string();
    insert(headers, SURROGATE_KEY, &tag);
    insert(headers, CACHE_TAG, &tag);
    headers.insert(ROBOTS, HeaderValue::from_static("noindex"));
    headers.typed_insert(etag.clone());
}

fn cdn_value(paste: &Paste, max: Duration) -> String {
    match paste.lives_for().min(max).as_secs() {
        0 => "no-store".to_owned(),
        seconds => format!("public, max-age={seconds}"),
    }
}

/// The strong tag of a paste's text: its SHA-256.
pub(super) fn text_etag(paste: &Paste) -> Result<ETag, Failure> {
    parse(&format!("\"{}\"", paste.sha256()))
}

/// The weak tag of a rendering.
pub(super) fn rendering_etag(rendering: &[u8]) -> Result<ETag, Failure> {
    let hash = data_encoding::HEXLOWER.encode(&Sha256::digest(rendering)[..16]);
    weak_etag(&hash)
}

/// The weak tag of that name.
pub(super) fn weak_etag(name: &str) -> Result<ETag, Failure> {
    parse(&format!("W/\"{name}\""))
}

/// 412 for a client that wants this only if it is something else. Nothing here has a date of modification, so conditions
/// on dates are ignored (RFC 9110 §13).
pub(super) fn unmet(asked: &HeaderMap, etag: &ETag) -> Option<Response> {
    let condition = asked.typed_get::<IfMatch>()?;
    let is_unmet = !condition.precondition_passes(etag);
    is_unmet.then(|| StatusCode::PRECONDITION_FAILED.into_response())
}

/// Whether the client has what it would get.
pub(super) fn is_fresh(asked: &HeaderMap, etag: &ETag) -> bool {
    asked
        .typed_get::<IfNoneMatch>()
        .is_some_and(|condition| !condition.precondition_passes(etag))
}

/// 304 with the headers the whole answer would have.
pub(super) fn not_modified(paste: &Paste, etag: &ETag) -> Response {
    let mut response = StatusCode::NOT_MODIFIED.into_response();
    add_headers(response.headers_mut(), paste, etag);
    response
}

fn parse(text: &str) -> Result<ETag, Failure> {
    let mut headers = HeaderMap::new();
    insert(&mut headers, ETAG, text);
    headers.typed_get().ok_or(Failure::Internal)
}

fn insert(headers: &mut HeaderMap, name: HeaderName, text: &str) {
    if let Ok(value) = HeaderValue::from_str(text) {
        headers.insert(name, value);
    }
}
