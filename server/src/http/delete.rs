//! Deletes, by token in a header or in a form.

use super::body::{Reading, receive};
use super::failure::Failure;
use super::form_fields::{self, Fields};
use super::path::IdInPath;
use super::{Http, State, pages};
use crate::pastes::DeleteOutcome;
use app::wire::id::PasteId;
use app::wire::token::DeleteToken;
use axum::extract::{FromRequestParts, Request};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use tracing::Instrument;

/// The form holds a token and little else.
const FORM_BYTES_MAX: u64 = 16 * 1024;

/// The name of the field that holds the token.
const TOKEN: &str = "delete_token";

/// `DELETE /api/pastes/{id}`. Without a token that could be one, the id is not looked up.
pub(super) async fn by_token(
    axum::extract::State(http): State,
    request: Request,
) -> Result<Response, Failure> {
    let (mut parts, _) = request.into_parts();
    let token = bearer(&parts.headers).ok_or(Failure::DeleteTokenMissing)?;
    let IdInPath(id) = IdInPath::from_request_parts(&mut parts, &()).await?;
    http.delete(id, token).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// `POST /{id}/delete`, for people without JavaScript.
pub(super) async fn by_form(
    axum::extract::State(http): State,
    IdInPath(id): IdInPath,
    request: Request,
) -> Result<Response, Failure> {
    let (parts, body) = request.into_parts();
    let reading = Reading {
        bytes_max: FORM_BYTES_MAX,
        content_bytes_max: FORM_BYTES_MAX,
        copies: 2,
    };
    let received = receive(&http, &parts.headers, body, reading).await;
    let received = received.map_err(of_a_delete_form)?;
    let fields = Fields::read(&parts.headers, received.bytes).await;
    let mut fields = fields.map_err(of_a_delete_form)?;
    if fields.twice(&[TOKEN]).is_some() {
        return Err(form_fields::there_twice(TOKEN));
    }
    let token = fields.take(TOKEN).unwrap_or_default();
    let token = token.trim().parse().map_err(|_| Failure::NotFound)?;
    http.delete(id, token).await?;
    Ok(pages::html(StatusCode::OK, app::pages::deleted(&http.site)))
}

/// What is said of bodies speaks of pastes; this one is none.
fn of_a_delete_form(failure: Failure) -> Failure {
    match failure {
        Failure::UnsupportedMediaType(_) => Failure::NotADeleteForm,
        Failure::BodyTooLarge(_) => Failure::MalformedBody(
            "A form that deletes has at most 16 KiB: the field delete_token holds the token."
                .into(),
        ),
        Failure::Refused(_) => Failure::MalformedBody("A form is UTF-8 text.".into()),
        other => other,
    }
}

impl Http {
    /// Carries the delete to its end in a task of its own.
    async fn delete(&self, id: PasteId, token: DeleteToken) -> Result<(), Failure> {
        let pastes = self.pastes.clone();
        let deleting = async move { pastes.delete(id, &token).await };
        let task = self.tasks.spawn(deleting.in_current_span());
        match task.await.map_err(|_| Failure::Internal)?? {
            DeleteOutcome::Deleted => Ok(()),
            DeleteOutcome::NotFound => Err(Failure::LookedUpInVain),
        }
    }
}

fn bearer(headers: &HeaderMap) -> Option<DeleteToken> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return None;
    }
    token.trim().parse().ok()
}
