//! Whether the process lives, whether it can serve, and what crawlers may read.

use super::{Http, State};
use crate::pastes::{BACKLOG_MAX, Backlog};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;

/// Only the form is for search engines; pastes are unlisted.
const ROBOTS: &str = "User-agent: *\nAllow: /$\nDisallow: /\n";

/// `GET /robots.txt`.
pub(super) async fn robots() -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/plain; charset=utf-8")], ROBOTS)
}

/// `GET /livez`: the process answers.
pub(super) async fn livez() -> &'static str {
    "ok\n"
}

/// `GET /readyz`: 200 while the service is not stopping and can serve at least one shard and the object store.
pub(super) async fn readyz(axum::extract::State(http): State) -> impl IntoResponse {
    let readiness = http.readiness().await;
    let word = if readiness.is_ready() {
        "ready\n"
    } else {
        "not ready\n"
    };
    (readiness.status(), word)
}

/// What a request now would meet.
pub(super) struct Readiness {
    draining: bool,
    shards: Vec<bool>,
    objects: bool,
}

impl Http {
    pub(super) async fn readiness(&self) -> Readiness {
        let probe = self.pastes.probe().await;
        Readiness {
            draining: self.is_draining(),
            shards: probe.shards.iter().map(Result::is_ok).collect(),
            objects: probe.objects.is_ok(),
        }
    }
}

/// Deletions still to be carried out, line by line for the operator. A shard that is down has no line.
pub(super) fn backlog_detail(backlogs: &[Option<Backlog>]) -> String {
    let known = backlogs.iter().enumerate();
    let known = known.filter_map(|(shard, backlog)| Some((shard, (*backlog)?)));
    known
        .map(|(shard, Backlog { rows, oldest_age })| {
            let more = if rows < BACKLOG_MAX.into() { "" } else { "+" };
            let seconds = oldest_age.as_secs();
            format!("outbox {shard} rows {rows}{more} oldest {seconds} s\n")
        })
        .collect()
}

impl Readiness {
    /// One shard down is no reason to take the whole server out: its other slots are served.
    pub(super) fn is_ready(&self) -> bool {
        !self.draining && self.objects && self.shards.contains(&true)
    }

    pub(super) fn status(&self) -> StatusCode {
        if self.is_ready() {
            StatusCode::OK
        } else {
            StatusCode::SERVICE_UNAVAILABLE
        }
    }

    /// Line by line, for the operator.
    pub(super) fn detail(&self) -> String {
        let word = |up| if up { "up" } else { "down" };
        let mut text = format!(
            "draining {}\nobjects {}\n",
            self.draining,
            word(self.objects)
        );
        for (shard, up) in self.shards.iter().enumerate() {
            text.push_str(&format!("shard {shard} {}\n", word(*up)));
        }
        text
    }
}
