//! The two forms of a create's body: JSON, or the content itself with the rest in the query string.

use super::body::Reading;
use super::failure::Failure;
use super::{save_json, urlencoded};
use crate::pastes::{Refusal, SaveRequest};
use app::wire::expiry::parse_seconds;
use app::wire::limits::json_bytes_max;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::{HeaderMap, Uri};
use bytes::Bytes;

/// How a body is to be understood, decided by the headers and the query string before it is read.
#[derive(Debug)]
pub(super) enum BodyForm {
    /// `application/json`.
    Json,
    /// The bytes are the content; title, syntax and expiry came in the query string.
    Raw(Options),
}

/// What may stand beside the content.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    pub(super) title: Option<String>,
    pub(super) syntax: Option<String>,
    pub(super) expires_in_seconds: Option<u64>,
}

impl BodyForm {
    pub(super) fn of(headers: &HeaderMap, uri: &Uri) -> Result<Self, Failure> {
        if let Some(encoding) = headers.get(CONTENT_ENCODING) {
            let encoding = String::from_utf8_lossy(encoding.as_bytes()).into_owned();
            return Err(Failure::UnsupportedMediaType(format!(
                "Content-Encoding {encoding}"
            )));
        }
        let query = uri.query().unwrap_or_default();
        match media_type(headers)?.as_str() {
            "multipart/form-data" => Err(Failure::UnsupportedMediaType("multipart/form-data".into())),
            "application/json" if !query.is_empty() => Err(Failure::MalformedBody(
                "With JSON, title, syntax and expires_in stand in the body; leave the query string out.".into(),
            )),
            "application/json" => Ok(Self::Json),
            _ => Options::from_query(query).map(Self::Raw),
        }
    }

    /// How much of the body is read for content of at most `content_bytes_max`.
    pub(super) fn reading(&self, content_bytes_max: u64) -> Reading {
        match self {
            Self::Json => Reading {
                bytes_max: json_bytes_max(content_bytes_max),
                content_bytes_max,
                copies: 2,
            },
            Self::Raw(_) => Reading {
                bytes_max: content_bytes_max,
                content_bytes_max,
                copies: 1,
            },
        }
    }

    /// The request that a whole body is.
    pub(super) fn request(self, body: Bytes) -> Result<SaveRequest, Failure> {
        match self {
            Self::Json => save_json::read(&body),
            Self::Raw(options) => Ok(options.with(body)),
        }
    }
}

impl Options {
    /// The request of these options and this content. An empty title is none.
    pub(super) fn with(self, content: Bytes) -> SaveRequest {
        SaveRequest {
            content,
            title: self.title.filter(|title| !title.is_empty()),
            syntax: self.syntax,
            expires_in_seconds: self.expires_in_seconds,
        }
    }

    fn from_query(query: &str) -> Result<Self, Failure> {
        let mut options = Self::default();
        let mut expires_in = None;
        let pairs = urlencoded::pairs(query.as_bytes())
            .map_err(|_| Failure::MalformedQuery("The query string is not UTF-8.".into()))?;
        for (name, value) in pairs {
            let field = match name.as_str() {
                "title" => &mut options.title,
                "syntax" => &mut options.syntax,
                "expires_in" => &mut expires_in,
                _ => return Err(query_refused("is not known")),
            };
            if field.replace(value).is_some() {
                return Err(query_refused("is there twice"));
            }
        }
        options.expires_in_seconds = expires_in.as_deref().map(seconds).transpose()?;
        Ok(options)
    }
}

fn query_refused(why: &str) -> Failure {
    Failure::MalformedQuery(format!(
        "A parameter {why}. The query string may hold title, syntax and expires_in, each once."
    ))
}

/// Seconds that text spells; text that spells none is refused.
pub(super) fn seconds(text: &str) -> Result<u64, Failure> {
    parse_seconds(text).map_err(|_| Failure::Refused(Refusal::ExpiryMalformed))
}

/// The media type in lower case, empty for none. Another charset than UTF-8 is refused, and so are two types: which of
/// them is meant, nobody knows.
fn media_type(headers: &HeaderMap) -> Result<String, Failure> {
    let mut lines = headers.get_all(CONTENT_TYPE).into_iter();
    let Some(value) = lines.next() else {
        return Ok(String::new());
    };
    if lines.next().is_some() {
        return Err(Failure::UnsupportedMediaType(
            "More than one Content-Type".into(),
        ));
    }
    let text = String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase();
    let mut parts = text.split(';').map(str::trim);
    let media_type = parts.next().unwrap_or_default().to_owned();
    let charsets = parts
        .filter_map(|parameter| parameter.split_once('='))
        .filter(|(name, _)| name.trim() == "charset")
        .map(|(_, charset)| charset.trim().trim_matches('"'));
    match charsets.into_iter().find(|charset| *charset != "utf-8") {
        Some(charset) => Err(Failure::UnsupportedMediaType(format!(
            "The charset {charset}"
        ))),
        None => Ok(media_type),
    }
}
