//! The fields of a form post, `multipart/form-data` or urlencoded.

use super::failure::Failure;
use super::urlencoded;
use crate::pastes::Refusal;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use bytes::Bytes;
use futures_util::stream;
use std::convert::Infallible;

/// Text that is not UTF-8 is refused whichever way it comes.
const NOT_UTF8: Failure = Failure::Refused(Refusal::ContentNotUtf8);

/// Names and values in the order they came.
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Reads a whole body.
    pub(super) async fn read(headers: &HeaderMap, body: Bytes) -> Result<Self, Failure> {
        let content_type = headers
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let is = |media_type: &str| {
            let named = content_type.split(';').next().unwrap_or_default();
            named.trim().eq_ignore_ascii_case(media_type)
        };
        if is("multipart/form-data") {
            multipart(content_type, body).await.map(Self)
        } else if is("application/x-www-form-urlencoded") {
            urlencoded::pairs(&body).map(Self).map_err(|_| NOT_UTF8)
        } else {
            Err(Failure::UnsupportedMediaType("This kind of form".into()))
        }
    }

    /// The value of a field. Browsers send CRLF for every line end; it is LF again here. Empty is absent.
    pub(super) fn take(&mut self, name: &str) -> Option<String> {
        let place = self.0.iter().position(|(field, _)| field == name)?;
        let (_, value) = self.0.swap_remove(place);
        let value = if value.contains("\r\n") {
            value.replace("\r\n", "\n")
        } else {
            value
        };
        (!value.is_empty()).then_some(value)
    }
}

async fn multipart(content_type: &str, body: Bytes) -> Result<Vec<(String, String)>, Failure> {
    let broken = |_| Failure::MalformedBody("The form cannot be read.".into());
    let boundary = multer::parse_boundary(content_type).map_err(broken)?;
    let whole = stream::iter([Ok::<_, Infallible>(body)]);
    let mut form = multer::Multipart::new(whole, boundary);
    let mut fields = Vec::new();
    while let Some(field) = form.next_field().await.map_err(broken)? {
        let name = field.name().unwrap_or_default().to_owned();
        let value = field.bytes().await.map_err(broken)?;
        let value = String::from_utf8(value.into()).map_err(|_| NOT_UTF8)?;
        fields.push((name, value));
    }
    Ok(fields)
}
