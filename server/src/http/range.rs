//! Which bytes of a text are asked for: one range at most (RFC 9110 §14).

use super::failure::Failure;
use axum::http::header::{CONTENT_RANGE, HeaderValue, IF_RANGE, RANGE};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use headers::{ETag, HeaderMapExt, IfRange};
use std::ops::Range;

/// Which part of the text is asked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it.
    Whole,
    /// These bytes of it.
    One(Range<u64>),
    /// Bytes it has not got.
    Unsatisfiable,
}

/// One range counts, on GET only; several, or a broken header, ask for the whole.
pub(super) fn part(method: &Method, asked: &HeaderMap, etag: &ETag, size: u64) -> Part {
    // A validator that cannot be read matches nothing (RFC 9110 §13.1.5).
    let changed = asked.contains_key(IF_RANGE)
        && asked
            .typed_get::<IfRange>()
            .is_none_or(|condition| condition.is_modified(Some(etag), None));
    if method != Method::GET || changed {
        return Part::Whole;
    }
    let range = asked.get(RANGE).and_then(|value| value.to_str().ok());
    range
        .and_then(|text| one_range(text, size))
        .unwrap_or(Part::Whole)
}

/// `bytes=FIRST-LAST`, `bytes=FIRST-` or `bytes=-COUNT` (RFC 9110 §14.1.2). The last byte is included.
fn one_range(text: &str, size: u64) -> Option<Part> {
    let (first, last) = text.strip_prefix("bytes=")?.trim().split_once('-')?;
    let number = |digits: &str| {
        digits
            .parse::<u64>()
            .ok()
            .filter(|_| !digits.starts_with('+'))
    };
    let (start, end) = match (first, last) {
        ("", count) => (size.saturating_sub(number(count)?), size),
        (first, "") => (number(first)?, size),
        (first, last) => {
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return None;
            }
            (first, last.saturating_add(1).min(size))
        }
    };
    Some(if start < end {
        Part::One(start..end)
    } else {
        Part::Unsatisfiable
    })
}

/// 416 with the size that there is.
pub(super) fn unsatisfiable(size: u64) -> Response {
    let mut response = StatusCode::RANGE_NOT_SATISFIABLE.into_response();
    if let Ok(value) = HeaderValue::from_str(&format!("bytes */{size}")) {
        response.headers_mut().insert(CONTENT_RANGE, value);
    }
    response
}

/// Which bytes of how many an answer holds.
pub(super) fn content_range(part: &Range<u64>, size: u64) -> Result<HeaderValue, Failure> {
    let text = format!("bytes {}-{}/{size}", part.start, part.end - 1);
    HeaderValue::from_str(&text).map_err(|_| Failure::Internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(range: &str) -> Part {
        let mut headers = HeaderMap::new();
        headers.insert(RANGE, HeaderValue::from_str(range).unwrap());
        part(&Method::GET, &headers, &"\"x\"".parse().unwrap(), 10)
    }

    #[test]
    fn one_range_is_a_part_and_everything_else_the_whole() {
        for (range, expected) in [
            ("bytes=0-0", Part::One(0..1)),
            ("bytes=2-4", Part::One(2..5)),
            ("bytes=8-", Part::One(8..10)),
            ("bytes=8-99", Part::One(8..10)),
            ("bytes=-3", Part::One(7..10)),
            ("bytes=-99", Part::One(0..10)),
            ("bytes=10-", Part::Unsatisfiable),
            ("bytes=-0", Part::Unsatisfiable),
            ("bytes=0-1,3-4", Part::Whole),
            ("lines=0-1", Part::Whole),
            ("bytes=4-2", Part::Whole),
            ("bytes=+1-2", Part::Whole),
            ("bytes=-", Part::Whole),
            ("bytes=1-99999999999999999999", Part::Whole),
            ("bytes", Part::Whole),
        ] {
            assert_eq!(asked(range), expected, "{range}");
        }
    }
}
