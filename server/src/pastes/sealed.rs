//! The stored 201, sealed under a key that only the client of the save has.
//!
//! ```text
//!   version 1 ┃ nonce, 24 random bytes ┃ XChaCha20-Poly1305 of the 201 body ┃ tag, 16
//!   key: HKDF(idempotency key, "oncebin stored 201 1"); associated: SHA-256 of the idempotency key
//! ```
//!
//! A copy of the database opens none of them: the idempotency key is not in it.

use super::{IdempotencyKey, PastesError, mint};
use app::wire::created::Created;
use bytes::Bytes;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use std::fmt;

const VERSION: u8 = 1;
const NONCE_BYTES: usize = 24;
const PURPOSE: &str = "oncebin stored 201 1";

/// The exact bytes of a 201 body. Its `Debug` hides them: they hold the delete token.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredAnswer(Bytes);

impl StoredAnswer {
    /// Writes the body of a 201.
    pub(super) fn new(created: &Created) -> Result<Self, PastesError> {
        let json = serde_json::to_vec(created).map_err(|_| PastesError::Internal)?;
        Ok(Self(json.into()))
    }

    /// The body, to be sent as it is.
    #[must_use]
    pub fn bytes(&self) -> Bytes {
        self.0.clone()
    }

    /// What the body says.
    ///
    /// # Errors
    /// [`PastesError::Internal`] when it is not a 201 this server knows.
    pub fn read(&self) -> Result<Created, PastesError> {
        serde_json::from_slice(&self.0).map_err(|_| PastesError::Internal)
    }

    /// The bytes that the database keeps.
    pub(super) fn seal(&self, key: &IdempotencyKey) -> Result<Vec<u8>, PastesError> {
        let nonce: [u8; NONCE_BYTES] = mint::random_bytes()?;
        let payload = Payload {
            msg: &self.0,
            aad: &key.hash(),
        };
        let sealed = cipher(key)
            .encrypt(&XNonce::from(nonce), payload)
            .map_err(|_| PastesError::Internal)?;
        Ok([&[VERSION], nonce.as_slice(), &sealed].concat())
    }

    /// Opens what the database kept. Fails for another key, and for bytes that were changed.
    pub(super) fn open(key: &IdempotencyKey, stored: &[u8]) -> Result<Self, PastesError> {
        let opened = match stored {
            [VERSION, rest @ ..] => open_version_1(key, rest),
            _ => None,
        };
        opened.map(|body| Self(body.into())).ok_or_else(|| {
            tracing::error!("a stored 201 cannot be opened");
            PastesError::Internal
        })
    }
}

impl fmt::Debug for StoredAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StoredAnswer(hidden)")
    }
}

fn open_version_1(key: &IdempotencyKey, stored: &[u8]) -> Option<Vec<u8>> {
    let (nonce, sealed) = stored.split_first_chunk::<NONCE_BYTES>()?;
    let payload = Payload {
        msg: sealed,
        aad: &key.hash(),
    };
    cipher(key).decrypt(&XNonce::from(*nonce), payload).ok()
}

fn cipher(key: &IdempotencyKey) -> XChaCha20Poly1305 {
    XChaCha20Poly1305::new(&key.derive(PURPOSE).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn answer(text: &str) -> StoredAnswer {
        StoredAnswer(Bytes::copy_from_slice(text.as_bytes()))
    }

    proptest! {
        #[test]
        fn what_is_sealed_opens_with_the_same_key_only(text: String) {
            let key = IdempotencyKey::random();
            let sealed = answer(&text).seal(&key).unwrap();
            prop_assert_eq!(StoredAnswer::open(&key, &sealed), Ok(answer(&text)));
            prop_assert!(StoredAnswer::open(&IdempotencyKey::random(), &sealed).is_err());
        }

        #[test]
        fn a_changed_byte_does_not_open(text: String, place: prop::sample::Index, flip in 1_u8..) {
            let key = IdempotencyKey::random();
            let mut sealed = answer(&text).seal(&key).unwrap();
            let place = place.index(sealed.len());
            sealed[place] ^= flip;
            prop_assert!(StoredAnswer::open(&key, &sealed).is_err());
        }

        #[test]
        fn arbitrary_bytes_do_not_open(bytes: Vec<u8>) {
            prop_assert!(StoredAnswer::open(&IdempotencyKey::random(), &bytes).is_err());
        }
    }

    #[test]
    fn sealing_twice_differs_and_shows_nothing() {
        let key = IdempotencyKey::random();
        let body = "once_abcdefghijklmnopqrstuvwxyz";
        let (one, two) = (
            answer(body).seal(&key).unwrap(),
            answer(body).seal(&key).unwrap(),
        );
        assert_ne!(one, two);
        assert!(!String::from_utf8_lossy(&one).contains("once_"));
        assert!(!format!("{:?}", answer(body)).contains("once_"));
    }
}
