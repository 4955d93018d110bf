//! `GET /{id}/qr.svg`: the QR code of a paste's link.

use super::State;
use super::failure::Failure;
use super::path::IdInPath;
use super::rendering::Rendering;
use crate::qr;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_SECURITY_POLICY, HeaderValue};
use axum::response::Response;

/// A picture that is opened by itself loads and runs nothing.
const SANDBOX: HeaderValue =
    HeaderValue::from_static("default-src 'none'; sandbox; frame-ancestors 'none'");

/// `GET /{id}/qr.svg`.
pub(super) async fn picture(
    axum::extract::State(http): State,
    IdInPath(id): IdInPath,
    asked: HeaderMap,
) -> Result<Response, Failure> {
    let paste = http.live(id).await?;
    // Only a base URL of kilobytes is too long for a QR code.
    let svg = qr::svg(&paste.metadata()?.url).ok_or(Failure::NotFound)?;
    let picture = Rendering::new(svg.into_bytes(), &asked)?;
    let mut response = picture.answer(&paste, "image/svg+xml");
    response
        .headers_mut()
        .insert(CONTENT_SECURITY_POLICY, SANDBOX);
    Ok(response)
}
