//! The idempotency key: a secret that names one save.

use crate::shard::slot_of_key;
use crate::store::Hash;
use app::wire::id::Slot;
use hkdf::Hkdf;
use sha2::{Digest, Sha256};
use std::fmt;
use uuid::{Uuid, Variant};

/// A UUID of version 4 or 7 that the client made for one save. Its `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct IdempotencyKey([u8; 16]);

/// The text is not one UUID of version 4 or 7 in hyphenated form, bare or in double quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAKey;

impl IdempotencyKey {
    /// Reads any of the key's spellings: letter case and surrounding blanks do not matter, double quotes may enclose it
    /// (the IETF draft's structured-field string).
    ///
    /// # Errors
    /// [`NotAKey`] for anything else: other versions or variants, nil, max, braces, `urn:`, no hyphens, lists.
    pub fn parse(text: &[u8]) -> Result<Self, NotAKey> {
        let text = trim_blanks(text);
        let bare = match text {
            [b'"', inner @ .., b'"'] => inner,
            _ => text,
        };
        // 36 characters leave only the hyphenated form of those `Uuid` reads.
        if bare.len() != 36 {
            return Err(NotAKey);
        }
        let uuid = Uuid::try_parse_ascii(bare).map_err(|_| NotAKey)?;
        let version_allowed = matches!(uuid.get_version_num(), 4 | 7);
        if !version_allowed || uuid.get_variant() != Variant::RFC4122 {
            return Err(NotAKey);
        }
        Ok(Self(uuid.into_bytes()))
    }

    /// A new random key, for the form without JavaScript.
    #[must_use]
    pub fn random() -> Self {
        Self(Uuid::new_v4().into_bytes())
    }

    /// The key's text, for the hidden field of the form that carries it.
    #[must_use]
    pub fn reveal(&self) -> String {
        Uuid::from_bytes(self.0).hyphenated().to_string()
    }

    /// The slot that everything of this save lives in.
    #[must_use]
    pub fn slot(&self) -> Slot {
        slot_of_key(&self.0)
    }

    /// What the database knows of the key.
    #[must_use]
    pub fn hash(&self) -> Hash {
        Sha256::digest(self.0).into()
    }

    /// A secret for one purpose, derived from the key (HKDF-SHA-256, RFC 5869).
    #[must_use]
    pub fn derive(&self, purpose: &'static str) -> [u8; 32] {
        let mut secret = [0; 32];
        Hkdf::<Sha256>::new(None, &self.0)
            .expand(purpose.as_bytes(), &mut secret)
            .expect("32 bytes are within HKDF's bound of 255 hashes");
        secret
    }
}

impl fmt::Debug for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IdempotencyKey(hidden)")
    }
}

/// HTTP's blanks around a field value.
fn trim_blanks(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = text {
        text = rest;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KEY: &str = "0190a5e4-7b1c-7abc-8def-0123456789ab";

    #[test]
    fn all_spellings_are_one_key() {
        let key = IdempotencyKey::parse(KEY.as_bytes()).unwrap();
        for text in [
            KEY.to_uppercase(),
            format!("\"{KEY}\""),
            format!("  {KEY}\t"),
            format!(" \"{}\" ", KEY.to_uppercase()),
        ] {
            assert_eq!(
                IdempotencyKey::parse(text.as_bytes()),
                Ok(key.clone()),
                "{text}"
            );
        }
        assert_eq!(key.slot().number(), 182);
        assert_eq!(key.reveal(), KEY);
    }

    #[test]
    fn anything_else_is_no_key() {
        for text in [
            "",
            "\"\"",
            "\"",
            "0190a5e47b1c7abc8def0123456789ab",
            "{0190a5e4-7b1c-7abc-8def-0123456789ab}",
            "urn:uuid:0190a5e4-7b1c-7abc-8def-0123456789ab",
            "00000000-0000-0000-0000-000000000000",
            "ffffffff-ffff-ffff-ffff-ffffffffffff",
            "0190a5e4-7b1c-1abc-8def-0123456789ab",
            "0190a5e4-7b1c-3abc-8def-0123456789ab",
            "0190a5e4-7b1c-5abc-8def-0123456789ab",
            "0190a5e4-7b1c-6abc-8def-0123456789ab",
            "0190a5e4-7b1c-8abc-8def-0123456789ab",
            "0190a5e4-7b1c-7abc-cdef-0123456789ab",
            "0190a5e4-7b1c-7abc-0def-0123456789ab",
            "0190a5e4-7b1c-7abc-8def-0123456789ab;a=1",
            "0190a5e4-7b1c-7abc-8def-0123456789ab,0190a5e4-7b1c-7abc-8def-0123456789ab",
            "'0190a5e4-7b1c-7abc-8def-0123456789ab'",
            "\"0190a5e4-7b1c-7abc-8def-0123456789ab",
            "\" 0190a5e4-7b1c-7abc-8def-0123456789ab\"",
            "0190a5e4-7b1c-7abc-8def-0123456789ag",
            "0190a5e4-7b1c-7abc-8def-0123456789a\u{e9}",
        ] {
            assert_eq!(
                IdempotencyKey::parse(text.as_bytes()),
                Err(NotAKey),
                "{text:?}"
            );
        }
    }

    #[test]
    fn debug_hides_the_key_and_purposes_differ() {
        let key = IdempotencyKey::parse(KEY.as_bytes()).unwrap();
        assert!(!format!("{key:?}").contains("0190"));
        assert_ne!(key.derive("a"), key.derive("b"));
    }

    proptest! {
        #[test]
        fn parsing_is_total_over_arbitrary_bytes(bytes: Vec<u8>) {
            let _ = IdempotencyKey::parse(&bytes);
        }

        #[test]
        fn what_parses_parses_again_to_the_same(random: [u8; 16]) {
            let uuid = uuid::Builder::from_random_bytes(random).into_uuid();
            let key = IdempotencyKey::parse(uuid.to_string().as_bytes()).unwrap();
            prop_assert_eq!(IdempotencyKey::parse(key.reveal().as_bytes()), Ok(key));
        }
    }
}
