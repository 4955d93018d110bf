//! The table of routes.

use super::{
    Http, assets, create, delete, finish, form, health, misses, openapi, pages, path, raw, read,
};
use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{delete as http_delete, get, post};
use std::sync::Arc;

/// The public routes, as a service under the base URL's path.
pub fn routes(http: &Arc<Http>) -> Router {
    let routes = Router::new()
        .route("/", get(form::empty).post(form::create))
        .route("/saved", get(pages::saved))
        .route("/{id}", get(read::page_or_raw))
        .route("/{id}/raw", get(raw::raw))
        .route("/{id}/download", get(raw::download))
        .route("/{id}/delete", post(delete::by_form))
        .route("/api/pastes", post(create::create))
        .route("/api/pastes/{id}", get(read::metadata))
        .route("/api/pastes/{id}", http_delete(delete::by_token))
        .route("/api/openapi.json", get(openapi::json))
        .route("/docs", get(openapi::page))
        .route("/pkg/{file}", get(assets::asset))
        .route("/robots.txt", get(health::robots))
        .route("/livez", get(health::livez))
        .route("/readyz", get(health::readyz))
        .fallback(path::not_found)
        .method_not_allowed_fallback(path::method_not_allowed)
        .layer(from_fn_with_state(Arc::clone(http), misses::limit))
        .layer(from_fn_with_state(Arc::clone(http), finish::finish))
        .with_state(Arc::clone(http));
    under(routes, http.base_url.path())
}

/// The same routes, but reached only below `base_path`; `/livez` and `/readyz` are reached in both places.
fn under(routes: Router, base_path: &str) -> Router {
    if base_path.is_empty() {
        return routes;
    }
    let base_path: Arc<str> = base_path.into();
    let strip = from_fn(move |request, next| path::strip(Arc::clone(&base_path), request, next));
    Router::new().fallback_service(routes).layer(strip)
}
