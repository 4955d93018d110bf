//! The operator's pages, on an address of their own.

use super::{Http, State, health};
use axum::Router;
use axum::response::IntoResponse;
use axum::routing::get;
use std::sync::Arc;

/// `/livez` and `/readyz` with detail.
pub fn admin_routes(http: &Arc<Http>) -> Router {
    Router::new()
        .route("/livez", get(health::livez))
        .route("/readyz", get(readyz))
        .with_state(Arc::clone(http))
}

async fn readyz(axum::extract::State(http): State) -> impl IntoResponse {
    let (readiness, backlogs) = tokio::join!(http.readiness(), http.pastes.backlogs());
    let detail = readiness.detail() + &health::backlog_detail(&backlogs);
    (readiness.status(), detail)
}
