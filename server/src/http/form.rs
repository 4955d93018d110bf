//! The form without JavaScript: what `GET /` shows, and `POST /`.
//!
//! The key is minted when the form is rendered and travels in it, so a reload of the answer sends the same key and
//! gets the same 201.

use super::access::AskedSlot;
use super::client_address::Peer;
use super::create_body::{Options, seconds};
use super::failure::Failure;
use super::form_fields::{self, Fields};
use super::in_flight::Charge;
use super::{Http, State, form_body, pages};
use crate::pastes::IdempotencyKey;
use app::pages::FormValues;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use bytes::Bytes;

/// What the form has, each once.
const FIELDS: [&str; 5] = [form_fields::KEY, "content", "title", "syntax", "expires_in"];

/// Two keys are no key, as in the header; of other fields either could be meant.
fn there_twice(name: &str) -> Failure {
    if name == form_fields::KEY {
        return Failure::KeyInvalid;
    }
    form_fields::there_twice(name)
}

/// The form with a fresh key and what `values` holds.
pub(super) fn fresh(http: &Http, mut values: FormValues) -> Response {
    values.idempotency_key = IdempotencyKey::random().reveal();
    pages::html(StatusCode::OK, app::pages::form(&http.site, &values, None))
}

/// `POST /`: 201 with the result page itself. Any failure gives the form back with everything in it.
pub(super) async fn create(
    axum::extract::State(http): State,
    request: Request,
) -> Result<Response, Failure> {
    let (parts, body) = request.into_parts();
    let received = form_body::receive(&http, &parts, body).await?;
    let mut fields = Fields::read(&parts.headers, received.bytes).await?;
    let twice = fields.twice(&FIELDS);
    let values = FormValues {
        idempotency_key: fields.take(form_fields::KEY).unwrap_or_default(),
        content: fields.take("content").unwrap_or_default(),
        title: fields.take("title").unwrap_or_default(),
        syntax: fields.take("syntax").unwrap_or_default(),
        expires_in: fields.take("expires_in").unwrap_or_default(),
    };
    if let Some(name) = twice {
        return Ok(again(&http, values, &there_twice(name)));
    }
    match save(&http, &parts, &values, received.charge).await {
        Ok(page) => Ok(page),
        Err(failure) => Ok(again(&http, values, &failure)),
    }
}

async fn save(
    http: &Http,
    parts: &Parts,
    values: &FormValues,
    charge: Charge,
) -> Result<Response, Failure> {
    let key = match values.idempotency_key.as_str() {
        "" => return Err(Failure::KeyMissing),
        text => IdempotencyKey::parse(text.as_bytes()).map_err(|_| Failure::KeyInvalid)?,
    };
    let given = |text: &String| (!text.is_empty()).then(|| text.clone());
    let options = Options {
        title: given(&values.title),
        syntax: given(&values.syntax),
        expires_in_seconds: given(&values.expires_in)
            .as_deref()
            .map(seconds)
            .transpose()?,
    };
    let request = options.with(Bytes::copy_from_slice(values.content.as_bytes()));
    AskedSlot::note(&parts.extensions, key.slot());
    let found = http.pastes.look_up(&key).await?;
    http.admit(
        &found,
        parts.extensions.get::<Peer>().copied(),
        &parts.headers,
    )?;
    // The form is shown again if the save fails.
    let copies = 2;
    let saved = http.save(key, request, found, charge, copies).await?;
    let created = saved.answer.read()?;
    let page = app::pages::result(&http.site, &created);
    let mut response = pages::html(StatusCode::CREATED, page);
    saved.add_headers(&created, response.headers_mut())?;
    Ok(response)
}

/// The form again. A key that was used, or was none, is replaced, so that pressing Save again saves; any other failure
/// saved nothing, or nobody knows, and keeps its key.
fn again(http: &Http, mut values: FormValues, failure: &Failure) -> Response {
    if matches!(
        failure,
        Failure::KeyReused | Failure::KeyMissing | Failure::KeyInvalid
    ) {
        values.idempotency_key = IdempotencyKey::random().reveal();
    }
    let problem = failure.problem(&http.base_url.to_string());
    http.metrics.creates.refused(problem.code);
    let page = app::pages::form(&http.site, &values, Some(&problem));
    let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = pages::html(status, page);
    failure.add_headers(response.headers_mut());
    response
}
