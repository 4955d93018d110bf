//! The fields of a form post, `multipart/form-data` or urlencoded.

use super::failure::Failure;
use super::urlencoded;
use crate::pastes::Refusal;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use bytes::Bytes;
use futures_util::stream::{self, Stream};
use std::convert::Infallible;

/// Text that is not UTF-8 is refused whichever way it comes.
const NOT_UTF8: Failure = Failure::Refused(Refusal::ContentNotUtf8);

/// The name of the field that holds the key.
pub(super) const KEY: &str = "idempotency_key";

/// Which of the two is meant, nobody knows.
pub(super) fn there_twice(name: &str) -> Failure {
    Failure::MalformedBody(format!("The field {name} is there twice."))
}

/// The key in the beginning of a form, when its field is there as a whole.
pub(super) async fn key(headers: &HeaderMap, beginning: &[u8]) -> Option<String> {
    let (name, value) = match Kind::of(headers) {
        Kind::Multipart(content_type) => {
            let boundary = multer::parse_boundary(content_type).ok()?;
            let beginning = Bytes::copy_from_slice(beginning);
            let mut form = multer::Multipart::new(whole(beginning), boundary);
            let field = form.next_field().await.ok()??;
            let name = field.name().unwrap_or_default().to_owned();
            (name, field.text().await.ok()?)
        }
        Kind::Urlencoded => {
            let end = beginning.iter().position(|byte| *byte == b'&')?;
            urlencoded::pairs(&beginning[..end]).ok()?.pop()?
        }
        Kind::Other => return None,
    };
    (name == KEY).then_some(value)
}

/// Which kind of form it is.
enum Kind<'a> {
    /// With the whole of its type, which names the boundary.
    Multipart(&'a str),
    Urlencoded,
    Other,
}

impl<'a> Kind<'a> {
    fn of(headers: &'a HeaderMap) -> Self {
        let content_type = headers
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let named = content_type.split(';').next().unwrap_or_default().trim();
        if named.eq_ignore_ascii_case("multipart/form-data") {
            Self::Multipart(content_type)
        } else if named.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            Self::Urlencoded
        } else {
            Self::Other
        }
    }
}

/// Names and values in the order they came.
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Reads a whole body.
    pub(super) async fn read(headers: &HeaderMap, body: Bytes) -> Result<Self, Failure> {
        match Kind::of(headers) {
            Kind::Multipart(content_type) => multipart(content_type, body).await.map(Self),
            Kind::Urlencoded => urlencoded::pairs(&body).map(Self).map_err(|_| NOT_UTF8),
            Kind::Other => Err(Failure::UnsupportedMediaType("This kind of form".into())),
        }
    }

    /// The first of these names that is there more than once.
    pub(super) fn twice<'a>(&self, names: &[&'a str]) -> Option<&'a str> {
        let count = |name| self.0.iter().filter(|(field, _)| field == name).count();
        names.iter().copied().find(|name| count(*name) > 1)
    }

    /// The first value of a field. Browsers send CRLF for every line end; it is LF again here. Empty is absent.
    pub(super) fn take(&mut self, name: &str) -> Option<String> {
        let place = self.0.iter().position(|(field, _)| field == name)?;
        let (_, value) = self.0.remove(place);
        let value = if value.contains("\r\n") {
            value.replace("\r\n", "\n")
        } else {
            value
        };
        (!value.is_empty()).then_some(value)
    }
}

fn whole(body: Bytes) -> impl Stream<Item = Result<Bytes, Infallible>> {
    stream::iter([Ok(body)])
}

async fn multipart(content_type: &str, body: Bytes) -> Result<Vec<(String, String)>, Failure> {
    let broken = |_| Failure::MalformedBody("The form cannot be read.".into());
    let boundary = multer::parse_boundary(content_type).map_err(broken)?;
    let mut form = multer::Multipart::new(whole(body), boundary);
    let mut fields = Vec::new();
    while let Some(field) = form.next_field().await.map_err(broken)? {
        let name = field.name().unwrap_or_default().to_owned();
        let value = field.bytes().await.map_err(broken)?;
        let value = String::from_utf8(value.into()).map_err(|_| NOT_UTF8)?;
        fields.push((name, value));
    }
    Ok(fields)
}
