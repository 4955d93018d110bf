//! The text itself: exact bytes, conditional requests, one range.

use super::caching::{add_headers, is_fresh, not_modified, text_etag};
use super::failure::Failure;
use super::path::IdInPath;
use super::{Http, State};
use crate::pastes::{Paste, PastesError, ReadOutcome};
use axum::body::Body;
use axum::http::header::{
    ACCEPT_RANGES, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_SECURITY_POLICY,
    CONTENT_TYPE, HeaderValue, RANGE,
};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use headers::{ETag, HeaderMapExt, IfRange};
use std::ops::Range;
use std::sync::Arc;

/// Bytes read from the store at once. A slow reader holds one such piece, not the whole text.
const PIECE_BYTES: u64 = 512 * 1024;

/// Nothing in it runs or loads, whatever a browser takes it for.
const SANDBOX: HeaderValue =
    HeaderValue::from_static("default-src 'none'; sandbox; frame-ancestors 'none'");

/// `GET /{id}/raw`.
pub(super) async fn raw(
    axum::extract::State(http): State,
    IdInPath(id): IdInPath,
    method: Method,
    asked: HeaderMap,
) -> Result<Response, Failure> {
    let paste = http.live(id).await?;
    text(&http, paste, &method, &asked).await
}

/// `GET /{id}/download`: the same as an attachment.
pub(super) async fn download(
    axum::extract::State(http): State,
    IdInPath(id): IdInPath,
    method: Method,
    asked: HeaderMap,
) -> Result<Response, Failure> {
    let paste = http.live(id).await?;
    let disposition = disposition(&paste)?;
    let mut response = text(&http, paste, &method, &asked).await?;
    response
        .headers_mut()
        .insert(CONTENT_DISPOSITION, disposition);
    Ok(response)
}

/// Answers with the text of a paste, or the part that was asked for.
pub(super) async fn text(
    http: &Arc<Http>,
    paste: Paste,
    method: &Method,
    asked: &HeaderMap,
) -> Result<Response, Failure> {
    let etag = text_etag(&paste)?;
    if is_fresh(asked, &etag) {
        return Ok(not_modified(&paste, &etag));
    }
    let size = paste.size_bytes();
    let part = match part(method, asked, &etag, size) {
        Part::Whole => 0..size,
        Part::One(range) => range,
        Part::Unsatisfiable => return Ok(unsatisfiable(size)),
    };
    let mut response = StatusCode::OK.into_response();
    let headers = response.headers_mut();
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/plain; charset=utf-8"),
    );
    headers.insert(CONTENT_SECURITY_POLICY, SANDBOX);
    headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(part.end - part.start));
    add_headers(headers, &paste, &etag);
    if part != (0..size) {
        headers.insert(CONTENT_RANGE, content_range(&part, size)?);
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
    }
    *response.body_mut() = body(http, paste, part).await?;
    Ok(response)
}

/// The first piece is read before the answer begins, so that a missing object is a status and not a broken body.
async fn body(http: &Arc<Http>, paste: Paste, part: Range<u64>) -> Result<Body, Failure> {
    let first = piece(&part);
    let rest = first.end..part.end;
    let first = read_piece(http, &paste, first).await?;
    if rest.is_empty() {
        return Ok(Body::from(first));
    }
    let pieces = Pieces {
        http: Arc::clone(http),
        paste,
        rest,
        ready: Some(first),
    };
    Ok(Body::from_stream(stream::try_unfold(pieces, Pieces::next)))
}

struct Pieces {
    http: Arc<Http>,
    paste: Paste,
    rest: Range<u64>,
    ready: Option<Bytes>,
}

impl Pieces {
    /// An error cuts the connection: the client sees fewer bytes than `Content-Length` says.
    async fn next(mut self) -> Result<Option<(Bytes, Self)>, PastesError> {
        if let Some(ready) = self.ready.take() {
            return Ok(Some((ready, self)));
        }
        if self.rest.is_empty() {
            return Ok(None);
        }
        let next = piece(&self.rest);
        self.rest.start = next.end;
        match self.http.pastes.text(&self.paste, next).await? {
            ReadOutcome::Live(bytes) => Ok(Some((bytes, self))),
            ReadOutcome::NotFound => Err(PastesError::StoreUnavailable),
        }
    }
}

async fn read_piece(http: &Http, paste: &Paste, piece: Range<u64>) -> Result<Bytes, Failure> {
    match http.pastes.text(paste, piece).await? {
        ReadOutcome::Live(bytes) => Ok(bytes),
        ReadOutcome::NotFound => Err(Failure::NotFound),
    }
}

fn piece(part: &Range<u64>) -> Range<u64> {
    part.start..part.end.min(part.start + PIECE_BYTES)
}

/// Which part of the text is asked for.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    Whole,
    One(Range<u64>),
    Unsatisfiable,
}

/// One range counts, on GET only; several, or a broken header, ask for the whole.
fn part(method: &Method, asked: &HeaderMap, etag: &ETag, size: u64) -> Part {
    let changed = asked
        .typed_get::<IfRange>()
        .is_some_and(|condition| condition.is_modified(Some(etag), None));
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

fn unsatisfiable(size: u64) -> Response {
    let mut response = StatusCode::RANGE_NOT_SATISFIABLE.into_response();
    if let Ok(value) = HeaderValue::from_str(&format!("bytes */{size}")) {
        response.headers_mut().insert(CONTENT_RANGE, value);
    }
    response
}

fn content_range(part: &Range<u64>, size: u64) -> Result<HeaderValue, Failure> {
    let text = format!("bytes {}-{}/{size}", part.start, part.end - 1);
    HeaderValue::from_str(&text).map_err(|_| Failure::Internal)
}

/// A file name from id and title (RFC 6266): the plain form is ours alone, the other is percent-encoded, so no title
/// can leave its quotes or its folder.
fn disposition(paste: &Paste) -> Result<HeaderValue, Failure> {
    let plain = format!("{}.txt", paste.id());
    let named = paste
        .title()
        .map(|title| format!("; filename*=UTF-8''{}", encoded_name(title)));
    let text = format!(
        "attachment; filename=\"{plain}\"{}",
        named.unwrap_or_default()
    );
    HeaderValue::from_str(&text).map_err(|_| Failure::Internal)
}

fn encoded_name(title: &str) -> String {
    let safe: String = title
        .chars()
        .map(|c| {
            if matches!(c, '/' | '\\' | ':') {
                '_'
            } else {
                c
            }
        })
        .collect();
    let safe = safe.trim().trim_start_matches('.');
    let name = if safe.contains('.') {
        safe.to_owned()
    } else {
        format!("{safe}.txt")
    };
    name.bytes()
        .map(|byte| match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'.' | b'_' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect()
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

    #[test]
    fn file_names_stay_in_their_place() {
        for (title, name) in [
            ("main.rs", "main.rs"),
            ("notes", "notes.txt"),
            ("../../etc/passwd", "_.._etc_passwd"),
            ("a\"; filename=b", "a%22%3B%20filename%3Db.txt"),
            ("żółw", "%C5%BC%C3%B3%C5%82w.txt"),
        ] {
            assert_eq!(encoded_name(title), name, "{title}");
        }
    }
}
