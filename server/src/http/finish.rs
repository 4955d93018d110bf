//! What every answer of ours gets at the end: the rendering of failures, the baseline headers, its place in log and
//! metrics.

use super::accept::{Rendering, choose};
use super::access::Access;
use super::failure::Failure;
use super::{Http, State, pages};
use app::wire::problem::{MEDIA_TYPE, Problem};
use axum::body::Body;
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, REFERRER_POLICY,
    STRICT_TRANSPORT_SECURITY, VARY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use tracing::Instrument;

/// The headers of every response our code makes (reliability.md §4).
const BASELINE: [(HeaderName, HeaderValue); 6] = [
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (
        STRICT_TRANSPORT_SECURITY,
        HeaderValue::from_static("max-age=31536000"),
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// For whatever is not a page: nothing may load, nothing may frame it.
const CLOSED: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

/// The outermost layer of every route.
pub(super) async fn finish(
    axum::extract::State(http): State,
    mut request: Request,
    next: Next,
) -> Response {
    let access = Access::begin(&http, &mut request);
    let under_api = request.uri().path().starts_with("/api/");
    let asked = request.headers().clone();
    let answering = AssertUnwindSafe(next.run(request)).catch_unwind();
    let answered = answering.instrument(access.span()).await;
    let mut response = answered.unwrap_or_else(|_| Failure::Internal.into_response());
    if let Some(failure) = response.extensions_mut().remove::<Arc<Failure>>() {
        access.failed(&failure);
        let rendering = rendering(&asked, under_api);
        render(&http, &failure, rendering, &mut response);
    }
    add_baseline(response.headers_mut());
    access.answered(response)
}

/// Under `/api` a problem unless plain text is preferred; elsewhere a page for whoever names HTML, else plain text.
fn rendering(asked: &HeaderMap, under_api: bool) -> Rendering {
    if under_api {
        choose(asked, &[Rendering::Json, Rendering::Plain], Rendering::Json)
    } else {
        choose(
            asked,
            &[Rendering::Html, Rendering::Plain],
            Rendering::Plain,
        )
    }
}

fn render(http: &Http, failure: &Failure, rendering: Rendering, response: &mut Response) {
    let problem = failure.problem(&http.base_url.to_string());
    let (content_type, body) = match rendering {
        Rendering::Json => (MEDIA_TYPE, json(&problem)),
        Rendering::Plain => ("text/plain; charset=utf-8", line(&problem)),
        Rendering::Html => {
            pages::add_policy(response.headers_mut());
            let page = app::pages::problem(&http.site, &problem);
            ("text/html; charset=utf-8", page)
        }
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(VARY, HeaderValue::from_static("accept"));
    *response.body_mut() = Body::from(body);
}

fn json(problem: &Problem) -> String {
    serde_json::to_string(problem).unwrap_or_default()
}

/// One plain line.
pub(super) fn line(problem: &Problem) -> String {
    format!("{}: {}\n", problem.code.as_str(), problem.detail)
}

/// All that the operator's pages get: they have no failures of their own, and their requests are not counted.
pub(super) async fn with_baseline(mut response: Response) -> Response {
    add_baseline(response.headers_mut());
    response
}

fn add_baseline(headers: &mut HeaderMap) {
    for (name, value) in BASELINE {
        headers.insert(name, value);
    }
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(CLOSED);
    headers
        .entry(CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
}
