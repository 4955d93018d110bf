//! What may be saved here: limits, names and defaults. They apply to new pastes, never to a replay.

use super::SaveRequest;
use app::wire::limits::{EXPIRY_SECONDS_MIN, TITLE_CHARS_MAX};
use app::wire::syntax;
use std::time::Duration;

/// The limits and defaults that the operator may set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The most bytes of content.
    pub paste_bytes_max: u64,
    /// How long a paste lives when the client does not say.
    pub default_expiry: Duration,
    /// The longest a client may ask for.
    pub max_expiry: Duration,
    /// How long a create may take beside its allowance by size: [`CREATE_DEADLINE`](super::CREATE_DEADLINE), which no flag
    /// sets and tests shorten.
    pub create_deadline: Duration,
}

/// What is wrong with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No content at all.
    ContentEmpty,
    /// Content that is not UTF-8.
    ContentNotUtf8,
    /// More content than the limit, in bytes.
    ContentTooLarge(u64),
    /// More characters than [`TITLE_CHARS_MAX`].
    TitleTooLong,
    /// Control characters in the title.
    TitleControl,
    /// No syntax of that name.
    SyntaxUnknown,
    /// Outside the bounds, in seconds.
    ExpiryOutOfRange {
        /// The shortest life.
        min_seconds: u64,
        /// The longest life.
        max_seconds: u64,
        /// That of the two which was passed.
        passed_seconds: u64,
    },
    /// Neither seconds nor a number with a unit.
    ExpiryMalformed,
}

impl Policy {
    /// How long a request's paste would live, if the request may be saved.
    ///
    /// # Errors
    /// Why it may not.
    pub fn judge(&self, request: &SaveRequest) -> Result<Duration, Refusal> {
        self.judge_content(&request.content)?;
        request.title.as_deref().map_or(Ok(()), judge_title)?;
        request.syntax.as_deref().map_or(Ok(()), judge_syntax)?;
        self.judge_expiry(request.expires_in_seconds)
    }

    fn judge_content(&self, content: &[u8]) -> Result<(), Refusal> {
        if content.is_empty() {
            return Err(Refusal::ContentEmpty);
        }
        if content.len() as u64 > self.paste_bytes_max {
            return Err(Refusal::ContentTooLarge(self.paste_bytes_max));
        }
        std::str::from_utf8(content).map_err(|_| Refusal::ContentNotUtf8)?;
        Ok(())
    }

    fn judge_expiry(&self, seconds: Option<u64>) -> Result<Duration, Refusal> {
        let Some(seconds) = seconds else {
            return Ok(self.default_expiry);
        };
        let max_seconds = self.max_expiry.as_secs();
        let within = seconds.clamp(EXPIRY_SECONDS_MIN, max_seconds);
        if within != seconds {
            return Err(Refusal::ExpiryOutOfRange {
                min_seconds: EXPIRY_SECONDS_MIN,
                max_seconds,
                passed_seconds: within,
            });
        }
        Ok(Duration::from_secs(seconds))
    }
}

fn judge_title(title: &str) -> Result<(), Refusal> {
    if title.chars().count() > TITLE_CHARS_MAX {
        return Err(Refusal::TitleTooLong);
    }
    if title.chars().any(char::is_control) {
        return Err(Refusal::TitleControl);
    }
    Ok(())
}

fn judge_syntax(name: &str) -> Result<(), Refusal> {
    if syntax::is_known(name) {
        Ok(())
    } else {
        Err(Refusal::SyntaxUnknown)
    }
}
