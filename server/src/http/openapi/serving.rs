//! `GET /api/openapi.json` and `GET /docs`: made once, at the first request.

use super::{document, reference};
use crate::http::caching::{is_fresh, rendering_etag, unmet};
use crate::http::failure::Failure;
use crate::http::{Http, State, pages};
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use headers::{ETag, HeaderMapExt};
use std::sync::OnceLock;

/// A description may change with the binary, and with the operator's limits.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=300");

/// Both renderings.
#[derive(Debug, Default)]
pub(in crate::http) struct Served(OnceLock<Renderings>);

#[derive(Debug)]
struct Renderings {
    json: Bytes,
    page: Bytes,
}

impl Http {
    fn description(&self) -> &Renderings {
        self.description.0.get_or_init(|| {
            let document = document(&self.base_url.to_string(), self.pastes.policy());
            let page = app::pages::reference(&self.site, &reference::of(&document));
            Renderings {
                json: document.to_json().unwrap_or_default().into(),
                page: page.into(),
            }
        })
    }
}

/// `GET /api/openapi.json`.
pub(in crate::http) async fn json(
    axum::extract::State(http): State,
    asked: HeaderMap,
) -> Result<Response, Failure> {
    kept(&asked, &http.description().json, "application/json")
}

/// `GET /docs`.
pub(in crate::http) async fn page(
    axum::extract::State(http): State,
    asked: HeaderMap,
) -> Result<Response, Failure> {
    let page = &http.description().page;
    let mut response = kept(&asked, page, "text/html; charset=utf-8")?;
    pages::add_policy(response.headers_mut());
    Ok(response)
}

fn kept(
    asked: &HeaderMap,
    rendering: &Bytes,
    content_type: &'static str,
) -> Result<Response, Failure> {
    let etag: ETag = rendering_etag(rendering)?;
    if let Some(refusal) = unmet(asked, &etag) {
        return Ok(refusal);
    }
    let mut response = if is_fresh(asked, &etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let content_type = HeaderValue::from_static(content_type);
        (
            [(CONTENT_TYPE, content_type)],
            Body::from(rendering.clone()),
        )
            .into_response()
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, KEPT);
    headers.typed_insert(etag);
    Ok(response)
}
