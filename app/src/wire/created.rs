//! The body of a 201: what a save answers, once and on every retry.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The 201 of a save. The server stores its exact bytes; a replay sends those bytes again.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct Created {
    /// The paste's id.
    #[cfg_attr(
        feature = "ssr",
        schema(pattern = "^[0-4][0-9A-Za-z]{13}$", example = "2w0123456789AB")
    )]
    pub id: String,
    /// Where people read it, built from the configured public base URL.
    #[cfg_attr(
        feature = "ssr",
        schema(format = "uri", example = "https://paste.example/2w0123456789AB")
    )]
    pub url: String,
    /// When it was saved, RFC 3339 UTC, by the shard's clock.
    #[cfg_attr(feature = "ssr", schema(format = DateTime, example = "2026-11-30T12:00:00.000Z"))]
    pub created_at: String,
    /// When it stops being readable, RFC 3339 UTC, by the shard's clock.
    #[cfg_attr(feature = "ssr", schema(format = DateTime, example = "2026-12-30T12:00:00.000Z"))]
    pub expires_at: String,
    /// Bytes of content.
    #[cfg_attr(feature = "ssr", schema(example = 5))]
    pub size: u64,
    /// SHA-256 of the content, 64 lower-case hexadecimal digits.
    #[cfg_attr(feature = "ssr", schema(pattern = "^[0-9a-f]{64}$"))]
    pub sha256: String,
    /// The secret that deletes the paste. It is handed out here and nowhere else.
    #[cfg_attr(
        feature = "ssr",
        schema(
            pattern = "^once_[0-9A-Za-z]{26}$",
            example = "once_abcdefghijklmnopqrstuvwxyz"
        )
    )]
    pub delete_token: String,
}

impl fmt::Debug for Created {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Created")
            .field("id", &self.id)
            .field("expires_at", &self.expires_at)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_no_token() {
        let created = Created {
            id: "2w0123456789AB".into(),
            url: "https://paste.example/2w0123456789AB".into(),
            created_at: "2026-11-30T12:00:00Z".into(),
            expires_at: "2026-12-30T12:00:00Z".into(),
            size: 1,
            sha256: "00".repeat(32),
            delete_token: "once_abcdefghijklmnopqrstuvwxyz".into(),
        };
        assert!(!format!("{created:?}").contains("once_"));
    }
}
