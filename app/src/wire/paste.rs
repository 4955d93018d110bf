//! What a client sends to save, and what a reader learns of a paste besides its text.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A save as a client writes it in JSON. Absent members are left out, never `null`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreateRequest {
    /// The text, kept byte for byte.
    pub content: String,
    /// At most [`super::limits::TITLE_CHARS_MAX`] characters, no control characters.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// A name or extension the highlighter knows, or `plain`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub syntax: Option<String>,
    /// How long the paste lives, as in [`super::expiry::parse_seconds`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expires_in: Option<String>,
}

impl fmt::Debug for CreateRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CreateRequest")
            .field("content_bytes", &self.content.len())
            .field("title", &self.title)
            .field("syntax", &self.syntax)
            .field("expires_in", &self.expires_in)
            .finish()
    }
}

/// What `GET /api/pastes/{id}` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct Metadata {
    /// The paste's id.
    #[cfg_attr(
        feature = "ssr",
        schema(pattern = "^[0-4][0-9A-Za-z]{13}$", example = "2w0123456789AB")
    )]
    pub id: String,
    /// Where people read it.
    #[cfg_attr(
        feature = "ssr",
        schema(format = "uri", example = "https://paste.example/2w0123456789AB")
    )]
    pub url: String,
    /// The title, when one was given.
    #[cfg_attr(feature = "ssr", schema(required))]
    pub title: Option<String>,
    /// The syntax, when one was given.
    #[cfg_attr(feature = "ssr", schema(required))]
    pub syntax: Option<String>,
    /// Bytes of content.
    #[cfg_attr(feature = "ssr", schema(example = 5))]
    pub size: u64,
    /// SHA-256 of the content, 64 lower-case hexadecimal digits.
    #[cfg_attr(feature = "ssr", schema(pattern = "^[0-9a-f]{64}$"))]
    pub sha256: String,
    /// When it was saved, RFC 3339 UTC.
    #[cfg_attr(feature = "ssr", schema(format = DateTime, example = "2026-11-30T12:00:00.000Z"))]
    pub created_at: String,
    /// When it stops being readable, RFC 3339 UTC.
    #[cfg_attr(feature = "ssr", schema(format = DateTime, example = "2026-12-30T12:00:00.000Z"))]
    pub expires_at: String,
}
