//! The idempotency key as a client holds it.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use uuid::Uuid;

/// The idempotency key of one save. A secret: its `Debug` shows nothing of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Uuid);

/// The text is not one UUID in the hyphenated form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAKey;

impl Key {
    /// The key with this UUID, which the caller has just made.
    #[must_use]
    pub const fn new(uuid: Uuid) -> Self {
        Self(uuid)
    }

    /// The key as it is sent and stored: lower case, hyphenated.
    #[must_use]
    pub fn spelled(&self) -> String {
        let mut buffer = Uuid::encode_buffer();
        self.0.hyphenated().encode_lower(&mut buffer).to_owned()
    }
}

impl FromStr for Key {
    type Err = NotAKey;

    fn from_str(text: &str) -> Result<Self, NotAKey> {
        Uuid::try_parse(text).map(Self).map_err(|_| NotAKey)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.spelled())
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse()
            .map_err(|NotAKey| D::Error::custom("not a key"))
    }
}
