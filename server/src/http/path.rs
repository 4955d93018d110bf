//! Paths: the service's place under the base URL, and ids in them.

use super::access::AskedSlot;
use super::failure::Failure;
use app::wire::id::PasteId;
use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{Uri, uri::PathAndQuery};
use axum::middleware::Next;
use axum::response::Response;
use std::sync::Arc;

/// A path no route has, once the base path is taken away.
const NOWHERE: &str = "/-/-/-/-";

/// Takes the base path away before routing. What is elsewhere meets no route, but for `/livez` and `/readyz`.
pub(super) async fn strip(base_path: Arc<str>, mut request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let inside = path
        .strip_prefix(&*base_path)
        .filter(|rest| rest.is_empty() || rest.starts_with('/'));
    let target = match inside {
        Some("") => "/",
        Some(rest) => rest,
        None if matches!(path, "/livez" | "/readyz") => path,
        None => NOWHERE,
    };
    *request.uri_mut() = with_path(request.uri(), target);
    next.run(request).await
}

fn with_path(uri: &Uri, path: &str) -> Uri {
    let target = match uri.query() {
        Some(query) => format!("{path}?{query}"),
        None => path.to_owned(),
    };
    target
        .parse::<PathAndQuery>()
        .map_or_else(|_| Uri::from_static(NOWHERE), Uri::from)
}

/// The id in `/{id}`, `/{id}/raw`, `/api/pastes/{id}` and so on. Anything that is no id is an ordinary 404.
///
/// Read from the path as sent: a percent-encoded id would be a second URL for one paste, which no purge would know.
pub(super) struct IdInPath(pub(super) PasteId);

impl<S: Sync> FromRequestParts<S> for IdInPath {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let id = id(parts.uri.path()).ok_or(Failure::NotFound)?;
        AskedSlot::note(&parts.extensions, id.slot());
        Ok(Self(id))
    }
}

/// The id in a path.
pub(super) fn id(path: &str) -> Option<PasteId> {
    let segment = path
        .strip_prefix("/api/pastes/")
        .unwrap_or_else(|| path.trim_start_matches('/'));
    segment.split('/').next()?.parse().ok()
}

/// No route.
pub(super) async fn not_found() -> Failure {
    Failure::NotFound
}

/// A route, but not for this method; axum adds `Allow`.
pub(super) async fn method_not_allowed() -> Failure {
    Failure::MethodNotAllowed
}
