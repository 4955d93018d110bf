//! Errors as `application/problem+json` (RFC 9457) with a stable code.

use serde::{Deserialize, Serialize};

/// The media type of a problem.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// The stable name of an error. Clients may branch on it; it never changes its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub enum Code {
    /// 400: no `Idempotency-Key`.
    IdempotencyKeyMissing,
    /// 400: not one UUID of version 4 or 7 in hyphenated form.
    IdempotencyKeyInvalid,
    /// 400: a body that cannot be read as the request.
    MalformedBody,
    /// 400: unknown, repeated or ill-typed query parameters.
    MalformedQuery,
    /// 401: no delete token, or text that cannot be one.
    DeleteTokenMissing,
    /// 404: missing, expired or deleted; one answer for all of them.
    NotFound,
    /// 405: another method is allowed here, see `Allow`.
    MethodNotAllowed,
    /// 408: the body did not arrive in time.
    BodyTooSlow,
    /// 409: the key was used for another request.
    IdempotencyKeyReused,
    /// 413: more content than the limit.
    PasteTooLarge,
    /// 415: a media type, encoding or charset that is not read.
    UnsupportedMediaType,
    /// 422: empty, or not UTF-8.
    InvalidContent,
    /// 422: too long, or control characters.
    InvalidTitle,
    /// 422: no syntax of that name.
    InvalidSyntax,
    /// 422: not a span, or outside the bounds.
    InvalidExpiry,
    /// 429: too many saves, unknown ids or wrong delete tokens from one address.
    RateLimited,
    /// 500: a bug.
    Internal,
    /// 503: the shard that owns the paste cannot be asked.
    ShardUnavailable,
    /// 503: the object store cannot be asked.
    StoreUnavailable,
    /// 503: more requests than the server takes on at once.
    Overloaded,
}

impl Code {
    /// Every code, for tables and tests.
    pub const ALL: [Self; 20] = [
        Self::IdempotencyKeyMissing,
        Self::IdempotencyKeyInvalid,
        Self::MalformedBody,
        Self::MalformedQuery,
        Self::DeleteTokenMissing,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::BodyTooSlow,
        Self::IdempotencyKeyReused,
        Self::PasteTooLarge,
        Self::UnsupportedMediaType,
        Self::InvalidContent,
        Self::InvalidTitle,
        Self::InvalidSyntax,
        Self::InvalidExpiry,
        Self::RateLimited,
        Self::Internal,
        Self::ShardUnavailable,
        Self::StoreUnavailable,
        Self::Overloaded,
    ];

    /// The code as it stands on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::IdempotencyKeyMissing => "idempotency_key_missing",
            Self::IdempotencyKeyInvalid => "idempotency_key_invalid",
            Self::MalformedBody => "malformed_body",
            Self::MalformedQuery => "malformed_query",
            Self::DeleteTokenMissing => "delete_token_missing",
            Self::NotFound => "not_found",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::BodyTooSlow => "body_too_slow",
            Self::IdempotencyKeyReused => "idempotency_key_reused",
            Self::PasteTooLarge => "paste_too_large",
            Self::UnsupportedMediaType => "unsupported_media_type",
            Self::InvalidContent => "invalid_content",
            Self::InvalidTitle => "invalid_title",
            Self::InvalidSyntax => "invalid_syntax",
            Self::InvalidExpiry => "invalid_expiry",
            Self::RateLimited => "rate_limited",
            Self::Internal => "internal",
            Self::ShardUnavailable => "shard_unavailable",
            Self::StoreUnavailable => "store_unavailable",
            Self::Overloaded => "overloaded",
        }
    }

    /// The HTTP status of the code.
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Self::IdempotencyKeyMissing
            | Self::IdempotencyKeyInvalid
            | Self::MalformedBody
            | Self::MalformedQuery => 400,
            Self::DeleteTokenMissing => 401,
            Self::NotFound => 404,
            Self::MethodNotAllowed => 405,
            Self::BodyTooSlow => 408,
            Self::IdempotencyKeyReused => 409,
            Self::PasteTooLarge => 413,
            Self::UnsupportedMediaType => 415,
            Self::InvalidContent
            | Self::InvalidTitle
            | Self::InvalidSyntax
            | Self::InvalidExpiry => 422,
            Self::RateLimited => 429,
            Self::Internal => 500,
            Self::ShardUnavailable | Self::StoreUnavailable | Self::Overloaded => 503,
        }
    }

    /// Whether the same request with the same key may succeed later.
    #[must_use]
    pub const fn retryable(self) -> bool {
        matches!(self.status(), 408 | 429 | 500 | 503)
    }

    /// What the code means, in a few words; the same for every occurrence.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::IdempotencyKeyMissing => "The Idempotency-Key header is missing",
            Self::IdempotencyKeyInvalid => "The Idempotency-Key header is not one UUID",
            Self::MalformedBody => "The body cannot be read",
            Self::MalformedQuery => "The query string cannot be read",
            Self::DeleteTokenMissing => "A delete token is needed",
            Self::NotFound => "Nothing is here",
            Self::MethodNotAllowed => "This method is not allowed here",
            Self::BodyTooSlow => "The body took too long to arrive",
            Self::IdempotencyKeyReused => "This key was used for another paste",
            Self::PasteTooLarge => "The paste is too large",
            Self::UnsupportedMediaType => "This kind of body is not read",
            Self::InvalidContent => "The text cannot be saved",
            Self::InvalidTitle => "The title cannot be saved",
            Self::InvalidSyntax => "The syntax is not known",
            Self::InvalidExpiry => "The expiry cannot be used",
            Self::RateLimited => "Too many requests",
            Self::Internal => "Something went wrong on our side",
            Self::ShardUnavailable => "Part of the service cannot be reached",
            Self::StoreUnavailable => "The text store cannot be reached",
            Self::Overloaded => "The service is busy",
        }
    }
}

/// The body of an error (RFC 9457).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct Problem {
    /// A URI that names the kind of problem: `urn:oncebin:problem:` and the code.
    #[serde(rename = "type")]
    pub kind: String,
    /// What the code means, in a few words.
    pub title: String,
    /// The HTTP status, again.
    pub status: u16,
    /// What was wrong here and what is allowed.
    pub detail: String,
    /// The stable code.
    pub code: Code,
    /// Whether the same request, with the same key, may succeed later.
    pub retryable: bool,
    /// The limit that was passed, for 413 (bytes), 422 (characters, seconds or bytes) and 429 (a minute).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub limit: Option<u64>,
}

impl Problem {
    /// The problem of a code, with what was wrong here.
    #[must_use]
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self {
            kind: format!("urn:oncebin:problem:{}", code.as_str()),
            title: code.title().to_owned(),
            status: code.status(),
            detail: detail.into(),
            code,
            retryable: code.retryable(),
            limit: None,
        }
    }

    /// The same problem with the limit that was passed.
    #[must_use]
    pub fn with_limit(mut self, limit: u64) -> Self {
        self.limit = Some(limit);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_spelled_on_the_wire_as_it_says() {
        for code in Code::ALL {
            let json = serde_json::to_string(&code).unwrap();
            assert_eq!(json, format!("\"{}\"", code.as_str()));
        }
    }

    #[test]
    fn only_passing_troubles_are_retryable() {
        for code in Code::ALL {
            let passing = [408, 429, 500, 503].contains(&code.status());
            assert_eq!(code.retryable(), passing, "{code:?}");
        }
    }
}
