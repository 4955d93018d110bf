//! What a CDN's answer to a purge means.

use super::PurgeError;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{Response, StatusCode};
use serde_json::{Map, Value};
use std::time::Duration;

/// Bytes of an answer that are read.
const ANSWER_BYTES_MAX: usize = 64 * 1024;

/// The longest that a CDN is left alone because it said so.
const REST_MAX: Duration = Duration::from_secs(60 * 60);

/// How long after too many requests when it does not say.
const REST_AFTER_TOO_MANY: Duration = Duration::from_secs(10);

/// How long after a refused credential. Only the operator can help.
const REST_AFTER_DENIED: Duration = Duration::from_secs(60);

/// Judges an answer: 2xx and 404 are success, if the JSON has the members it must have.
pub(super) async fn judge(
    mut response: Response,
    must_have: &Map<String, Value>,
) -> Result<(), PurgeError> {
    let status = response.status();
    let rest = retry_after(response.headers());
    let body = read(&mut response).await?;
    match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            Err(PurgeError::Denied(REST_AFTER_DENIED))
        }
        StatusCode::TOO_MANY_REQUESTS => Err(PurgeError::Busy(rest.unwrap_or(REST_AFTER_TOO_MANY))),
        status if status.is_server_error() => {
            Err(rest.map_or(PurgeError::Refused(status.as_u16()), PurgeError::Busy))
        }
        // Nothing was cached.
        StatusCode::NOT_FOUND => Ok(()),
        status if status.is_success() && has(&body, must_have) => Ok(()),
        status => Err(PurgeError::Refused(status.as_u16())),
    }
}

/// Read to its end, so that its connection can be used again.
async fn read(response: &mut Response) -> Result<Vec<u8>, PurgeError> {
    let mut body = Vec::new();
    while body.len() <= ANSWER_BYTES_MAX {
        match response.chunk().await.map_err(|_| PurgeError::NoAnswer)? {
            Some(chunk) => body.extend_from_slice(&chunk),
            None => break,
        }
    }
    Ok(body)
}

fn has(body: &[u8], must_have: &Map<String, Value>) -> bool {
    let answer: Option<Map<String, Value>> = serde_json::from_slice(body).ok();
    let has = |answer: &Map<String, Value>| {
        must_have
            .iter()
            .all(|(name, value)| answer.get(name) == Some(value))
    };
    must_have.is_empty() || answer.as_ref().is_some_and(has)
}

/// Seconds, or a date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let rest = match text.parse() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => {
            let then = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
            let seconds = then.as_second() - jiff::Timestamp::now().as_second();
            Duration::from_secs(u64::try_from(seconds).unwrap_or(0))
        }
    };
    Some(rest.min(REST_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_seconds_or_a_date_and_bounded() {
        let rest = |text: &str| {
            let headers = [(RETRY_AFTER, text.parse().unwrap())];
            retry_after(&HeaderMap::from_iter(headers))
        };
        assert_eq!(rest("7"), Some(Duration::from_secs(7)));
        assert_eq!(rest("999999999"), Some(REST_MAX));
        assert_eq!(rest("Fri, 31 Dec 1999 23:59:59 GMT"), Some(Duration::ZERO));
        assert_eq!(rest("Thu, 31 Dec 2099 23:59:59 GMT"), Some(REST_MAX));
        assert_eq!(rest("soon"), None);
        assert_eq!(retry_after(&HeaderMap::new()), None);
    }

    #[test]
    fn members_of_the_answer_are_compared() {
        let must_have: Map<_, _> = serde_json::from_str(r#"{"success": true}"#).unwrap();
        for (body, expected) in [
            (r#"{"errors":[],"success":true}"#, true),
            (r#"{ "success" : true }"#, true),
            (r#"{"success":false}"#, false),
            (r#"{"success":"true"}"#, false),
            (r"{}", false),
            (r"[true]", false),
            ("", false),
        ] {
            assert_eq!(has(body.as_bytes(), &must_have), expected, "{body}");
        }
        assert!(has(b"anything", &Map::new()));
    }
}
