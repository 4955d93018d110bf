//! The request digest: says whether a retry asks for the same thing, and nothing to a reader of the database.
//!
//! ```text
//!   version 1: HMAC-SHA-256 under HKDF(idempotency key, "oncebin request digest 1") of
//!     content    tag 1 · length u64 · SHA-256 of the bytes
//!     title      tag 2 · length u64 · bytes        (left out when absent)
//!     syntax     tag 3 · length u64 · bytes        (left out when absent)
//!     expires_in tag 4 · seconds u64               (left out when absent)
//! ```
//!
//! All integers are big-endian. A new algorithm gets a new version; rows keep the version they were made with.

use super::{IdempotencyKey, SaveRequest};
use crate::store::Hash;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// The version that new rows get.
pub(super) const CURRENT: u8 = 1;

const PURPOSE_1: &str = "oncebin request digest 1";

/// The digest of a request under version 1. `sha256` is of the content.
pub(super) fn digest(key: &IdempotencyKey, request: &SaveRequest, sha256: &Hash) -> Hash {
    let mut mac = Hmac::<Sha256>::new_from_slice(&key.derive(PURPOSE_1))
        .expect("HMAC takes keys of any length");
    mac.update(&[1]);
    mac.update(&length(request.content.len()));
    mac.update(sha256);
    for (tag, field) in [(2, &request.title), (3, &request.syntax)] {
        if let Some(text) = field {
            mac.update(&[tag]);
            mac.update(&length(text.len()));
            mac.update(text.as_bytes());
        }
    }
    if let Some(seconds) = request.expires_in_seconds {
        mac.update(&[4]);
        mac.update(&seconds.to_be_bytes());
    }
    mac.finalize().into_bytes().into()
}

/// Whether a stored digest is this one. A version this server does not know is another request.
pub(super) fn same(version: u8, stored: &[u8], digest: &Hash) -> bool {
    version == CURRENT && bool::from(stored.ct_eq(digest))
}

fn length(bytes: usize) -> [u8; 8] {
    (bytes as u64).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use data_encoding::HEXLOWER;
    use proptest::prelude::*;
    use sha2::Digest;

    fn key() -> IdempotencyKey {
        IdempotencyKey::parse(b"0190a5e4-7b1c-7abc-8def-0123456789ab").unwrap()
    }

    fn of(request: &SaveRequest) -> Hash {
        digest(&key(), request, &Sha256::digest(&request.content).into())
    }

    fn request(content: &str, title: Option<&str>, syntax: Option<&str>) -> SaveRequest {
        SaveRequest {
            content: Bytes::copy_from_slice(content.as_bytes()),
            title: title.map(str::to_owned),
            syntax: syntax.map(str::to_owned),
            expires_in_seconds: None,
        }
    }

    /// A changed vector without a new version would turn retries across an upgrade into 409.
    #[test]
    fn golden_vector_of_version_1() {
        let request = SaveRequest {
            expires_in_seconds: Some(3600),
            ..request("hello\n", Some("greeting"), Some("rust"))
        };
        assert_eq!(
            HEXLOWER.encode(&of(&request)),
            "dcad56afe938ede150d09eba8b9bc2c26b598543f600bd222de911f54c442353"
        );
    }

    #[test]
    fn every_field_counts_and_none_runs_into_the_next() {
        let plain = request("ab", None, None);
        let others = [
            request("ab\n", None, None),
            request("a", Some("b"), None),
            request("ab", Some("c"), None),
            request("ab", None, Some("c")),
            request("ab", Some("cd"), None),
            request("ab", Some("c"), Some("d")),
            SaveRequest {
                expires_in_seconds: Some(60),
                ..plain.clone()
            },
        ];
        for (index, one) in others.iter().enumerate() {
            assert_ne!(of(one), of(&plain));
            for other in &others[index + 1..] {
                assert_ne!(of(one), of(other));
            }
        }
    }

    #[test]
    fn line_ends_and_unicode_forms_count() {
        assert_ne!(
            of(&request("a\r\n", None, None)),
            of(&request("a\n", None, None))
        );
        assert_ne!(
            of(&request("\u{e9}", None, None)),
            of(&request("e\u{301}", None, None))
        );
    }

    #[test]
    fn another_key_or_version_is_another_digest() {
        let request = request("ab", None, None);
        let sha256 = Sha256::digest(b"ab").into();
        let other = digest(&IdempotencyKey::random(), &request, &sha256);
        assert_ne!(other, of(&request));
        assert!(same(CURRENT, &of(&request), &of(&request)));
        assert!(!same(CURRENT, &other, &of(&request)));
        assert!(!same(2, &of(&request), &of(&request)));
        assert!(!same(CURRENT, &[], &of(&request)));
    }

    proptest! {
        #[test]
        fn the_same_request_has_the_same_digest(
            content: Vec<u8>, title: Option<String>, syntax: Option<String>, expires: Option<u64>,
        ) {
            let request = SaveRequest {
                content: content.into(),
                title,
                syntax,
                expires_in_seconds: expires,
            };
            prop_assert_eq!(of(&request), of(&request.clone()));
        }
    }
}
