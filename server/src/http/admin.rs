//! The operator's pages, on an address of their own.

use super::{Http, State, finish, health};
use crate::metrics;
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::map_response;
use axum::response::IntoResponse;
use axum::routing::get;
use std::sync::Arc;

/// `/livez`, `/readyz` with detail, and `/metrics`.
pub fn admin_routes(http: &Arc<Http>) -> Router {
    Router::new()
        .route("/livez", get(health::livez))
        .route("/readyz", get(readyz))
        .route("/metrics", get(metrics_text))
        .layer(map_response(finish::with_baseline))
        .with_state(Arc::clone(http))
}

async fn readyz(axum::extract::State(http): State) -> impl IntoResponse {
    let (readiness, backlogs) = tokio::join!(http.readiness(), http.pastes.backlogs());
    let detail = readiness.detail() + &health::backlog_detail(&backlogs);
    (readiness.status(), detail)
}

async fn metrics_text(axum::extract::State(http): State) -> impl IntoResponse {
    // Asking is what sets the figures of the outboxes; a shard that does not answer keeps its last.
    http.pastes.backlogs().await;
    let text = http.metrics.text(|| {
        http.pastes.take_figures();
        let (bytes, limit_bytes) = http.in_flight.figures();
        http.metrics.http.set_in_flight(bytes, limit_bytes);
    });
    ([(CONTENT_TYPE, metrics::MEDIA_TYPE)], text)
}
