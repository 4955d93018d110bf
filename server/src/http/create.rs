//! `POST /api/pastes`.

use super::accept::{Rendering, choose};
use super::access::AskedSlot;
use super::body::receive;
use super::client_address::Peer;
use super::create_body::BodyForm;
use super::failure::Failure;
use super::in_flight::{Charge, NoRoom};
use super::{Http, State, key_header};
use crate::pastes::{CreateOutcome, Found, IdempotencyKey, SaveRequest, StoredAnswer};
use app::wire::created::Created;
use app::wire::limits::PASTE_BYTES_CEILING;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue, LOCATION, VARY};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use tracing::Instrument;

const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
const DELETE_TOKEN: HeaderName = HeaderName::from_static("delete-token");

/// A save that was answered by its stored 201.
pub(super) struct Saved {
    pub(super) answer: StoredAnswer,
    pub(super) replayed: bool,
}

impl Saved {
    /// The headers of a 201 in whichever rendering.
    pub(super) fn add_headers(
        &self,
        created: &Created,
        headers: &mut HeaderMap,
    ) -> Result<(), Failure> {
        headers.insert(LOCATION, header(&created.url)?);
        if self.replayed {
            headers.insert(REPLAYED, HeaderValue::from_static("true"));
        }
        Ok(())
    }
}

/// Key and kind of body are judged, and the key is looked up, before the body is read.
pub(super) async fn create(
    axum::extract::State(http): State,
    request: Request,
) -> Result<Response, Failure> {
    let (parts, body) = request.into_parts();
    let key = key_header::key(&parts.headers)?;
    let form = BodyForm::of(&parts.headers, &parts.uri)?;
    AskedSlot::note(&parts.extensions, key.slot());
    let found = http.pastes.look_up(&key).await?;
    http.admit(&found, parts.extensions.get().copied(), &parts.headers)?;
    let reading = form.reading(http.content_bytes_max(&found));
    let received = receive(&http, &parts.headers, body, reading).await?;
    let request = form.request(received.bytes)?;
    let copies = 1;
    let saved = http.save(key, request, found, received.charge, copies);
    let saved = saved.await?;
    respond(&saved, &parts.headers)
}

impl Http {
    /// Charges a create that is not a replay to its address.
    pub(super) fn admit(
        &self,
        found: &Found,
        peer: Option<Peer>,
        headers: &HeaderMap,
    ) -> Result<(), Failure> {
        match (&self.create_limiter, peer) {
            (Some(limiter), Some(peer)) if !found.is_known() => {
                limiter.charge(self.client_addresses.of(peer, headers))
            }
            _ => Ok(()),
        }
    }

    /// Who asks for what may never be saved is told so, however full it is: coming back would not help.
    fn no_room(&self, request: &SaveRequest) -> Failure {
        match self.pastes.policy().judge(request) {
            Err(refusal) => Failure::Refused(refusal),
            Ok(_) => Failure::Overloaded,
        }
    }

    /// The limit on content. A replay may be larger than today's limit, but not than any limit there can be.
    fn content_bytes_max(&self, found: &Found) -> u64 {
        if found.is_known() {
            PASTE_BYTES_CEILING
        } else {
            self.pastes.policy().paste_bytes_max
        }
    }

    /// Carries the save to its end in a task of its own; a client that hangs up changes nothing. So often the text is
    /// in memory meanwhile.
    pub(super) async fn save(
        &self,
        key: IdempotencyKey,
        request: SaveRequest,
        found: Found,
        mut charge: Charge,
        copies: u64,
    ) -> Result<Saved, Failure> {
        let bytes = copies * request.content.len() as u64;
        // A replay waits for nothing of its shard.
        if !found.is_known() {
            let handed = charge.hand_to(self.pastes.shard(key.slot()), bytes);
            handed.map_err(|NoRoom| self.no_room(&request))?;
        }
        let pastes = self.pastes.clone();
        let saving = async move {
            let outcome = pastes.create(key, request, found).await;
            drop(charge);
            outcome
        };
        let task = self.tasks.spawn(saving.in_current_span());
        match task.await.map_err(|_| Failure::Internal)?? {
            CreateOutcome::Created(answer) => Ok(Saved {
                answer,
                replayed: false,
            }),
            CreateOutcome::Replayed(answer) => Ok(Saved {
                answer,
                replayed: true,
            }),
            CreateOutcome::KeyReused => Err(Failure::KeyReused),
            CreateOutcome::Refused(refusal) => Err(Failure::Refused(refusal)),
        }
    }
}

/// The 201: the stored body as it is, or its URL and a newline with the token in a header.
fn respond(saved: &Saved, asked: &HeaderMap) -> Result<Response, Failure> {
    let created = saved.answer.read()?;
    let mut response = StatusCode::CREATED.into_response();
    let headers = response.headers_mut();
    saved.add_headers(&created, headers)?;
    headers.insert(VARY, HeaderValue::from_static("accept"));
    let (content_type, body) =
        match choose(asked, &[Rendering::Json, Rendering::Plain], Rendering::Json) {
            Rendering::Plain => {
                let mut token = header(&created.delete_token)?;
                token.set_sensitive(true);
                headers.insert(DELETE_TOKEN, token);
                (
                    "text/plain; charset=utf-8",
                    Body::from(format!("{}\n", created.url)),
                )
            }
            Rendering::Json | Rendering::Html => {
                ("application/json", Body::from(saved.answer.bytes()))
            }
        };
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    *response.body_mut() = body;
    Ok(response)
}

fn header(text: &str) -> Result<HeaderValue, Failure> {
    HeaderValue::from_str(text).map_err(|_| Failure::Internal)
}
