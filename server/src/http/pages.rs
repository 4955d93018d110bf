//! Pages: what they are told of this site, and the headers they travel with.

use super::{State, assets};
use crate::config::{BaseUrl, Settings};
use app::pages::Site;
use axum::body::Body;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

/// What a page may load: this site's own files and nothing inline (frontend.md, weight).
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
);

/// What all pages share.
pub(super) fn site(settings: &Settings, base_url: &BaseUrl) -> Site {
    Site {
        base_path: base_url.path().to_owned(),
        base_url: base_url.to_string(),
        assets: assets::names(),
        report_contact: settings.report_contact.clone(),
        paste_bytes_max: settings.policy.paste_bytes_max,
        default_expiry_seconds: settings.policy.default_expiry.as_secs(),
        expiry_seconds_max: settings.policy.max_expiry.as_secs(),
    }
}

/// `GET /saved`.
pub(super) async fn saved(axum::extract::State(http): State) -> Response {
    html(StatusCode::OK, app::pages::saved(&http.site))
}

/// `GET /mine`.
pub(super) async fn mine(axum::extract::State(http): State) -> Response {
    html(StatusCode::OK, app::pages::mine(&http.site))
}

/// A page that nobody keeps.
pub(super) fn html(status: StatusCode, page: String) -> Response {
    let mut response = Response::new(Body::from(page));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/html; charset=utf-8"),
    );
    add_policy(headers);
    response
}

/// The content security policy of pages.
pub(super) fn add_policy(headers: &mut HeaderMap) {
    headers.insert(CONTENT_SECURITY_POLICY, POLICY);
}
