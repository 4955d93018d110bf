//! The idempotency key as a client holds it.

use std::fmt;
use std::str::FromStr;
use uuid::Uuid;

/// Characters of a hyphenated UUID.
const CHARS: usize = 36;

/// The idempotency key of one save, as it is sent and stored: a UUID, hyphenated, in lower case.
///
/// A secret: its `Debug` shows nothing of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key([u8; CHARS]);

/// The text is not one UUID in the hyphenated form and in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAKey;

impl Key {
    /// The key with this UUID, which the caller has just made.
    #[must_use]
    pub fn new(uuid: Uuid) -> Self {
        let mut characters = [0; CHARS];
        uuid.hyphenated().encode_lower(&mut characters);
        Self(characters)
    }

    /// The key's characters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl FromStr for Key {
    type Err = NotAKey;

    fn from_str(text: &str) -> Result<Self, NotAKey> {
        let characters: [u8; CHARS] = text.as_bytes().try_into().map_err(|_| NotAKey)?;
        let is_right = |(at, character): (usize, &u8)| match at {
            8 | 13 | 18 | 23 => *character == b'-',
            _ => matches!(character, b'0'..=b'9' | b'a'..=b'f'),
        };
        if characters.iter().enumerate().all(is_right) {
            Ok(Self(characters))
        } else {
            Err(NotAKey)
        }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_as_it_is_written() {
        let key = Key::new(Uuid::from_u128(0x0190_a5e4_7b1c_4abc_8def_0123_4567_89ab));
        assert_eq!(key.as_str(), "0190a5e4-7b1c-4abc-8def-0123456789ab");
        assert_eq!(key.as_str().parse(), Ok(key));
    }

    #[test]
    fn other_text_is_no_key() {
        for text in [
            "",
            "0190a5e4-7b1c-4abc-8def-0123456789a",
            "0190a5e4-7b1c-4abc-8def-0123456789abc",
            "0190A5E4-7b1c-4abc-8def-0123456789ab",
            "0190a5e4+7b1c-4abc-8def-0123456789ab",
            "0190a5e47b1c-4abc-8def-0123456789ab0",
        ] {
            assert_eq!(text.parse::<Key>(), Err(NotAKey), "{text}");
        }
    }
}
