//! The `Idempotency-Key` header.

use super::failure::Failure;
use crate::pastes::IdempotencyKey;
use axum::http::HeaderMap;

/// The one key of a request. Two field lines are refused even when they agree.
pub(super) fn key(headers: &HeaderMap) -> Result<IdempotencyKey, Failure> {
    let mut lines = headers.get_all("idempotency-key").iter();
    let line = lines.next().ok_or(Failure::KeyMissing)?;
    if lines.next().is_some() {
        return Err(Failure::KeyInvalid);
    }
    IdempotencyKey::parse(line.as_bytes()).map_err(|_| Failure::KeyInvalid)
}
