//! A save as its client gave it, before any limit or default is applied.

use bytes::Bytes;
use std::fmt;

/// What is compared to tell a retry from another request: everything as given, whichever way it came.
#[derive(Clone, PartialEq, Eq)]
pub struct SaveRequest {
    /// The content's bytes; perhaps not UTF-8, perhaps too many.
    pub content: Bytes,
    /// The title; absent and empty are the same.
    pub title: Option<String>,
    /// The syntax, when one was given.
    pub syntax: Option<String>,
    /// How long the paste shall live, when that was given.
    pub expires_in_seconds: Option<u64>,
}

impl fmt::Debug for SaveRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SaveRequest")
            .field("content_bytes", &self.content.len())
            .field("syntax", &self.syntax)
            .field("expires_in_seconds", &self.expires_in_seconds)
            .finish_non_exhaustive()
    }
}
