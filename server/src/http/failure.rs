//! Everything a handler can end with instead of an answer, and the one match that turns it into a problem.

use crate::pastes::{PastesError, Refusal};
use app::wire::limits::{DEFAULT_PASTE_BYTES_MAX, TITLE_CHARS_MAX};
use app::wire::problem::{Code, Problem};
use app::wire::recipe::save_command;
use app::wire::{expiry, problem, size};
use axum::http::header::{HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// Why a request is not answered as asked. It becomes a response in `finish`, which knows what the client reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// No `Idempotency-Key`.
    KeyMissing,
    /// An `Idempotency-Key` that is not one key.
    KeyInvalid,
    /// A body that cannot be read as the request, and why.
    MalformedBody(String),
    /// A query string that cannot be read, and why.
    MalformedQuery(String),
    /// A media type, encoding or charset that is not read, and which.
    UnsupportedMediaType(String),
    /// What should be the form that deletes is another kind of body.
    NotADeleteForm,
    /// No delete token, or text that cannot be one.
    DeleteTokenMissing,
    /// No route, or what cannot be an id or a token: nothing was looked up.
    NotFound,
    /// Looked up in vain: missing, expired, deleted, or not with this token. The client is told the same.
    LookedUpInVain,
    /// Another method is allowed here.
    MethodNotAllowed,
    /// The body did not arrive in time.
    BodyTooSlow,
    /// The body ended before it was complete. Nobody is left to read the answer.
    BodyBroken,
    /// The body is larger than any that could hold this many bytes of content.
    BodyTooLarge(u64),
    /// The key was used for another request.
    KeyReused,
    /// The request may not be saved.
    Refused(Refusal),
    /// Too many saves that are no replay from one address.
    RateLimited {
        /// Saves a minute.
        per_minute: u32,
        /// When the next one is allowed.
        retry_after_seconds: u64,
    },
    /// Too many unknown ids and wrong tokens from one address.
    TooManyMisses {
        /// Misses a minute.
        per_minute: u32,
        /// When the next one is allowed.
        retry_after_seconds: u64,
    },
    /// More bytes in flight than the server holds.
    Overloaded,
    /// The use case could not be carried out.
    Pastes(PastesError),
    /// A bug.
    Internal,
}

impl From<PastesError> for Failure {
    fn from(error: PastesError) -> Self {
        Self::Pastes(error)
    }
}

impl Failure {
    /// The failure as a problem. `base_url` is for commands a reader can copy.
    pub(super) fn problem(&self, base_url: &str) -> Problem {
        match self {
            Self::KeyMissing => Problem::new(
                Code::IdempotencyKeyMissing,
                format!(
                    "Every save needs a key of its own, made once and sent again on every retry: {}",
                    save_command(base_url)
                ),
            ),
            Self::KeyInvalid => Problem::new(
                Code::IdempotencyKeyInvalid,
                "The Idempotency-Key header holds exactly one UUID of version 4 or 7 in hyphenated form, as uuidgen \
                 prints it.",
            ),
            Self::MalformedBody(why) => Problem::new(Code::MalformedBody, why),
            Self::MalformedQuery(why) => Problem::new(Code::MalformedQuery, why),
            Self::UnsupportedMediaType(which) => Problem::new(
                Code::UnsupportedMediaType,
                format!(
                    "{which} is not read here. Send the text itself as UTF-8, or JSON: {}",
                    save_command(base_url)
                ),
            ),
            Self::NotADeleteForm => Problem::new(
                Code::UnsupportedMediaType,
                format!(
                    "Only a form is read here, with the field delete_token. Programs send DELETE \
                     {base_url}/api/pastes/ID with Authorization: Bearer once_…"
                ),
            ),
            Self::DeleteTokenMissing => Problem::new(
                Code::DeleteTokenMissing,
                "Send the delete token that came with the save: Authorization: Bearer once_…",
            ),
            Self::NotFound | Self::LookedUpInVain => Problem::new(
                Code::NotFound,
                "There is nothing here. A paste that was here has expired or was deleted; a delete token that is not its own \
                 deletes nothing.",
            ),
            Self::MethodNotAllowed => Problem::new(
                Code::MethodNotAllowed,
                "The Allow header says which methods this address has.",
            ),
            Self::BodyTooSlow | Self::BodyBroken => Problem::new(
                Code::BodyTooSlow,
                "The body did not arrive completely. Nothing was saved; send it again with the same key.",
            ),
            Self::BodyTooLarge(limit) => too_large(*limit),
            Self::KeyReused => Problem::new(
                Code::IdempotencyKeyReused,
                "Another request was saved with this key. A new text needs a new key.",
            ),
            Self::Refused(refusal) => refused(*refusal),
            Self::RateLimited {
                per_minute,
                retry_after_seconds,
            } => Problem::new(
                Code::RateLimited,
                format!(
                    "At most {per_minute} saves a minute from one address; refused ones count. Send the same again in \
                     {retry_after_seconds} s."
                ),
            )
            .with_limit(u64::from(*per_minute)),
            Self::TooManyMisses {
                per_minute,
                retry_after_seconds,
            } => Problem::new(
                Code::RateLimited,
                format!(
                    "Too many links that lead nowhere, or wrong delete tokens, from one address: for now it reads and \
                     deletes nothing, whether the paste is there or not. Try again in {retry_after_seconds} s."
                ),
            )
            .with_limit(u64::from(*per_minute)),
            Self::Overloaded => passing(Code::Overloaded),
            Self::Pastes(PastesError::ShardUnavailable) => passing(Code::ShardUnavailable),
            Self::Pastes(PastesError::StoreUnavailable) => passing(Code::StoreUnavailable),
            Self::Pastes(PastesError::Internal) | Self::Internal => Problem::new(
                Code::Internal,
                "This is a bug, and it is logged. The same request with the same key may work later.",
            ),
        }
    }

    /// The stable code.
    pub(super) fn code(&self) -> Code {
        self.problem("").code
    }

    /// A failure of each code, for the API's description.
    pub(super) fn example(code: Code) -> Self {
        match code {
            Code::IdempotencyKeyMissing => Self::KeyMissing,
            Code::IdempotencyKeyInvalid => Self::KeyInvalid,
            Code::MalformedBody => {
                Self::MalformedBody("The member content, a string, is missing.".into())
            }
            Code::MalformedQuery => Self::MalformedQuery("The query string is not UTF-8.".into()),
            Code::DeleteTokenMissing => Self::DeleteTokenMissing,
            Code::NotFound => Self::NotFound,
            Code::MethodNotAllowed => Self::MethodNotAllowed,
            Code::BodyTooSlow => Self::BodyTooSlow,
            Code::IdempotencyKeyReused => Self::KeyReused,
            Code::PasteTooLarge => Self::BodyTooLarge(DEFAULT_PASTE_BYTES_MAX),
            Code::UnsupportedMediaType => Self::UnsupportedMediaType("multipart/form-data".into()),
            Code::InvalidContent => Self::Refused(Refusal::ContentEmpty),
            Code::InvalidTitle => Self::Refused(Refusal::TitleControl),
            Code::InvalidSyntax => Self::Refused(Refusal::SyntaxUnknown),
            Code::InvalidExpiry => Self::Refused(Refusal::ExpiryMalformed),
            Code::RateLimited => Self::RateLimited {
                per_minute: 60,
                retry_after_seconds: 2,
            },
            Code::Internal => Self::Internal,
            Code::ShardUnavailable => Self::Pastes(PastesError::ShardUnavailable),
            Code::StoreUnavailable => Self::Pastes(PastesError::StoreUnavailable),
            Code::Overloaded => Self::Overloaded,
        }
    }

    /// The headers that go with the failure, however it is rendered.
    pub(super) fn add_headers(&self, headers: &mut HeaderMap) {
        if let Some(seconds) = self.retry_after_seconds() {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if *self == Self::DeleteTokenMissing {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
    }

    fn retry_after_seconds(&self) -> Option<u64> {
        match self {
            Self::RateLimited {
                retry_after_seconds,
                ..
            }
            | Self::TooManyMisses {
                retry_after_seconds,
                ..
            } => Some(*retry_after_seconds),
            Self::Overloaded
            | Self::Pastes(PastesError::ShardUnavailable | PastesError::StoreUnavailable) => {
                Some(1)
            }
            _ => None,
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.problem("").status)
            .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = status.into_response();
        self.add_headers(response.headers_mut());
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

fn passing(code: Code) -> Problem {
    Problem::new(
        code,
        "This passes: try again in a moment. A save that is sent again with its own key is saved once, however often it \
         is sent.",
    )
}

fn too_large(limit: u64) -> Problem {
    Problem::new(
        problem::Code::PasteTooLarge,
        format!("A paste has at most {}.", size::human(limit)),
    )
    .with_limit(limit)
}

fn refused(refusal: Refusal) -> Problem {
    match refusal {
        Refusal::ContentTooLarge(limit) => too_large(limit),
        Refusal::ContentEmpty => {
            Problem::new(Code::InvalidContent, "A paste has at least 1 byte.").with_limit(1)
        }
        Refusal::ContentNotUtf8 => Problem::new(Code::InvalidContent, "A paste is UTF-8 text."),
        Refusal::TitleTooLong => Problem::new(
            Code::InvalidTitle,
            format!("A title has at most {TITLE_CHARS_MAX} characters."),
        )
        .with_limit(TITLE_CHARS_MAX as u64),
        Refusal::TitleControl => Problem::new(
            Code::InvalidTitle,
            "A title is one line without control characters.",
        ),
        Refusal::SyntaxUnknown => Problem::new(
            Code::InvalidSyntax,
            "Name a syntax or a file extension, such as rust or rs, or plain, or leave it out.",
        ),
        Refusal::ExpiryOutOfRange {
            min_seconds,
            max_seconds,
            passed_seconds,
        } => Problem::new(
            Code::InvalidExpiry,
            format!(
                "A paste lives from {} to {}.",
                expiry::human(min_seconds),
                expiry::human(max_seconds)
            ),
        )
        .with_limit(passed_seconds),
        Refusal::ExpiryMalformed => Problem::new(Code::InvalidExpiry, expiry::SPELLING),
    }
}
