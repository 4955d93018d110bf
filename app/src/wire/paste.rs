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
pub struct Metadata {
    /// The paste's id.
    pub id: String,
    /// Where people read it.
    pub url: String,
    /// The title, when one was given.
    pub title: Option<String>,
    /// The syntax, when one was given.
    pub syntax: Option<String>,
    /// Bytes of content.
    pub size: u64,
    /// SHA-256 of the content, 64 lower-case hexadecimal digits.
    pub sha256: String,
    /// RFC 3339 UTC.
    pub created_at: String,
    /// RFC 3339 UTC.
    pub expires_at: String,
}
