//! `GET /pkg/{file}`: the client's files, embedded, compressed beforehand, immutable by their hashed names.

use super::encoding::accepts;
use super::failure::Failure;
use crate::assets::{self, Asset, find};
use app::pages::{AssetNames, ClientNames};
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, HeaderValue, VARY};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;

/// Where the files are.
const FOLDER: &str = "/pkg/";

/// The paths under which pages link to the files.
pub(super) fn names() -> AssetNames {
    let path = |name: &str| format!("{FOLDER}{name}");
    AssetNames {
        style: path(assets::style()),
        mine: path(assets::mine()),
        view: path(assets::view()),
        client: assets::client().map(|[start, glue, wasm]| ClientNames {
            start: path(start),
            glue: path(glue),
            wasm: path(wasm),
        }),
    }
}

/// The name is read from the path as sent, as ids are.
pub(super) async fn asset(uri: Uri, asked: HeaderMap) -> Result<Response, Failure> {
    let file = uri.path().strip_prefix(FOLDER).and_then(find);
    file.map(|asset| respond(asset, &asked))
        .ok_or(Failure::NotFound)
}

fn respond(asset: &'static Asset, asked: &HeaderMap) -> Response {
    let (encoding, bytes) = encoded(asset, asked);
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(asset.content_type));
    headers.insert(
        CACHE_CONTROL,
        HeaderValue::from_static("public, max-age=31536000, immutable"),
    );
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(encoding) = encoding {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

fn encoded(asset: &'static Asset, asked: &HeaderMap) -> (Option<&'static str>, &'static [u8]) {
    if let Some(brotli) = asset.brotli.filter(|_| accepts(asked, "br")) {
        return (Some("br"), brotli);
    }
    if let Some(gzip) = asset.gzip.filter(|_| accepts(asked, "gzip")) {
        return (Some("gzip"), gzip);
    }
    (None, asset.plain)
}
