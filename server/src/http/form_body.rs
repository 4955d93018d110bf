//! The body of a form that saves: as long as today's limit lets it be, or, if it is a replay, as any limit ever did.

use super::Http;
use super::access::AskedSlot;
use super::body::{Reading, Received, Receiving};
use super::failure::Failure;
use super::form_fields;
use crate::pastes::IdempotencyKey;
use app::wire::limits::{PASTE_BYTES_CEILING, json_bytes_max};
use axum::body::Body;
use axum::http::request::Parts;

/// Where the key is looked for in a form that is longer than today's limit: our page sends it first.
const KEY_WITHIN_BYTES: usize = 64 * 1024;

/// Reads the body of a form.
pub(super) async fn receive(http: &Http, parts: &Parts, body: Body) -> Result<Received, Failure> {
    let mut receiving = Receiving::begin(http, &parts.headers, body);
    let today = reading(http.pastes.policy().paste_bytes_max);
    let read = receiving.read_to_end(&today).await;
    if matches!(read, Err(Failure::BodyTooLarge(_)))
        && is_replay(&mut receiving, http, parts).await?
    {
        receiving.read_to_end(&reading(PASTE_BYTES_CEILING)).await?;
    } else {
        read?;
    }
    Ok(receiving.received())
}

/// Every byte of content may be three of an encoding, and every line end six.
fn reading(content_bytes_max: u64) -> Reading {
    Reading {
        bytes_max: json_bytes_max(content_bytes_max),
        content_bytes_max,
        copies: 2,
    }
}

/// Whether the form begins with a key that has its row.
async fn is_replay(
    receiving: &mut Receiving<'_>,
    http: &Http,
    parts: &Parts,
) -> Result<bool, Failure> {
    if reading(PASTE_BYTES_CEILING)
        .check_declared(&parts.headers)
        .is_err()
    {
        return Ok(false);
    }
    let Some(key) = key(receiving, parts).await? else {
        return Ok(false);
    };
    AskedSlot::note(&parts.extensions, key.slot());
    Ok(http.pastes.look_up(&key).await?.is_known())
}

/// The key at the beginning of a form, of which as much is read as that takes.
async fn key(
    receiving: &mut Receiving<'_>,
    parts: &Parts,
) -> Result<Option<IdempotencyKey>, Failure> {
    let beginning = Reading {
        // One chunk more than the key is looked for in.
        bytes_max: 2 * KEY_WITHIN_BYTES as u64,
        ..reading(PASTE_BYTES_CEILING)
    };
    loop {
        let so_far = receiving.so_far();
        let searched = &so_far[..so_far.len().min(KEY_WITHIN_BYTES)];
        if let Some(key) = form_fields::key(&parts.headers, searched).await {
            return Ok(IdempotencyKey::parse(key.as_bytes()).ok());
        }
        if so_far.len() >= KEY_WITHIN_BYTES || !receiving.more(&beginning).await? {
            return Ok(None);
        }
    }
}
