//! Paste ids and the slot each one carries.
//!
//! ```text
//!   2w  Kd93hXq0ZbTy          14 characters of 0-9A-Za-z
//!   ^^  ^^^^^^^^^^^^
//!   |   12 random characters
//!   slot 0..=255, most significant character first: "00" is 0, "2w" is 182, "47" is 255
//! ```

use std::fmt;
use std::str::FromStr;

/// The digits of base62 in ascending order.
pub const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Characters of an id that are random.
pub const RANDOM_CHARS: usize = 12;

/// Characters of a whole id.
pub const ID_CHARS: usize = 2 + RANDOM_CHARS;

/// One of 256 parts of the key space: the first byte of SHA-256 over the idempotency key's 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(u8);

impl Slot {
    /// How many slots there are.
    pub const COUNT: usize = 256;

    /// The slot with this number.
    #[must_use]
    pub const fn new(number: u8) -> Self {
        Self(number)
    }

    /// The slot's number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Every slot, in ascending order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=u8::MAX).map(Self)
    }

    fn characters(self) -> [u8; 2] {
        let number = usize::from(self.0);
        [ALPHABET[number / 62], ALPHABET[number % 62]]
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The id of a paste: its slot and twelve random base62 characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PasteId([u8; ID_CHARS]);

/// The text is not a paste id: wrong length, other characters, or a slot above 255.
///
/// A server answers it like any other missing paste, without asking a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAnId;

impl PasteId {
    /// The id made of a slot and random base62 characters.
    ///
    /// # Errors
    /// [`NotAnId`] when a character is not in [`ALPHABET`].
    pub fn new(slot: Slot, random: [u8; RANDOM_CHARS]) -> Result<Self, NotAnId> {
        let mut characters = [0; ID_CHARS];
        characters[..2].copy_from_slice(&slot.characters());
        characters[2..].copy_from_slice(&random);
        Self::from_characters(characters)
    }

    /// The slot that the first two characters spell.
    #[must_use]
    pub fn slot(&self) -> Slot {
        decode_slot(self.0[0], self.0[1]).unwrap_or(Slot(0))
    }

    /// The id's fourteen characters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    fn from_characters(characters: [u8; ID_CHARS]) -> Result<Self, NotAnId> {
        decode_slot(characters[0], characters[1]).ok_or(NotAnId)?;
        if !characters.iter().all(u8::is_ascii_alphanumeric) {
            return Err(NotAnId);
        }
        Ok(Self(characters))
    }
}

impl FromStr for PasteId {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        let characters = text.as_bytes().try_into().map_err(|_| NotAnId)?;
        Self::from_characters(characters)
    }
}

impl fmt::Display for PasteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

fn decode_slot(high: u8, low: u8) -> Option<Slot> {
    let number = digit(high)? * 62 + digit(low)?;
    u8::try_from(number).ok().map(Slot)
}

fn digit(character: u8) -> Option<u16> {
    let value = match character {
        b'0'..=b'9' => character - b'0',
        b'A'..=b'Z' => character - b'A' + 10,
        b'a'..=b'z' => character - b'a' + 36,
        _ => return None,
    };
    Some(u16::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn prefix(number: u8) -> String {
        let id = PasteId::new(Slot::new(number), *b"0123456789AB").unwrap();
        id.as_str()[..2].to_owned()
    }

    #[test]
    fn slots_are_spelled_most_significant_first() {
        for (number, expected) in [(0, "00"), (61, "0z"), (62, "10"), (182, "2w"), (255, "47")] {
            assert_eq!(prefix(number), expected);
        }
    }

    #[test]
    fn every_slot_survives_its_spelling() {
        for slot in Slot::all() {
            let id = PasteId::new(slot, *b"zzzzzzzzzzzz").unwrap();
            assert_eq!(id.as_str().parse::<PasteId>().unwrap().slot(), slot);
        }
    }

    #[test]
    fn other_text_is_no_id() {
        for text in [
            "",
            "2w",
            "2wKd93hXq0ZbT",
            "2wKd93hXq0ZbTyy",
            "48Kd93hXq0ZbTy",
            "zzKd93hXq0ZbTy",
            "2wKd93hXq0Zb_y",
            "2wKd93hXq0Zb y",
            "2wKd93hXq0Zbé",
            "\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
        ] {
            assert_eq!(text.parse::<PasteId>(), Err(NotAnId), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn parsing_never_panics_and_what_parses_prints_the_same(text in ".{0,20}") {
            if let Ok(id) = text.parse::<PasteId>() {
                prop_assert_eq!(id.to_string(), text);
            }
        }

        #[test]
        fn ids_of_any_slot_round_trip(number: u8, random in "[0-9A-Za-z]{12}") {
            let id = PasteId::new(Slot::new(number), random.as_bytes().try_into().unwrap()).unwrap();
            prop_assert_eq!(id.to_string().parse::<PasteId>(), Ok(id));
            prop_assert_eq!(id.slot().number(), number);
        }
    }
}
