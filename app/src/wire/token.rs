//! The delete token: `once_` and 26 random base62 characters (154 bits).

use std::fmt;
use std::str::FromStr;

/// What every delete token starts with, so that secret scanners and people recognise one.
pub const PREFIX: &str = "once_";

/// Random characters of a token.
pub const RANDOM_CHARS: usize = 26;

/// The secret that deletes one paste. Its `Debug` hides it; [`DeleteToken::reveal`] is the only way to its text.
#[derive(Clone, PartialEq, Eq)]
pub struct DeleteToken(String);

/// The text cannot be a delete token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAToken;

impl DeleteToken {
    /// The token with these random characters.
    ///
    /// # Errors
    /// [`NotAToken`] when a character is not base62.
    pub fn new(random: [u8; RANDOM_CHARS]) -> Result<Self, NotAToken> {
        let random = std::str::from_utf8(&random).map_err(|_| NotAToken)?;
        format!("{PREFIX}{random}").parse()
    }

    /// The token's text, for the one answer that hands it out and for hashing.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl FromStr for DeleteToken {
    type Err = NotAToken;

    fn from_str(text: &str) -> Result<Self, NotAToken> {
        let random = text.strip_prefix(PREFIX).ok_or(NotAToken)?;
        let well_formed =
            random.len() == RANDOM_CHARS && random.bytes().all(|b| b.is_ascii_alphanumeric());
        if !well_formed {
            return Err(NotAToken);
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for DeleteToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DeleteToken(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_the_prefix_and_26_characters() {
        let token = DeleteToken::new(*b"abcdefghijklmnopqrstuvwxyz").unwrap();
        assert_eq!(token.reveal(), "once_abcdefghijklmnopqrstuvwxyz");
        assert_eq!(token.reveal().parse(), Ok(token));
    }

    #[test]
    fn other_text_is_no_token() {
        for text in [
            "",
            "once_",
            "once_short",
            "abcdefghijklmnopqrstuvwxyz",
            "Once_abcdefghijklmnopqrstuvwxyz",
            "once_abcdefghijklmnopqrstuvwxyz0",
            "once_abcdefghijklmnopqrstuvwxy ",
            "once_abcdefghijklmnopqrstuvwxé",
        ] {
            assert_eq!(text.parse::<DeleteToken>(), Err(NotAToken), "{text:?}");
        }
    }

    #[test]
    fn debug_hides_the_secret() {
        let token = DeleteToken::new(*b"abcdefghijklmnopqrstuvwxyz").unwrap();
        assert!(!format!("{token:?}").contains("abcdef"));
    }
}
