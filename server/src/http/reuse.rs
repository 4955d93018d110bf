//! `GET /`: the form, empty or, with `?from=ID`, with what a paste holds: to save it again, changed or not.
//!
//! The answer carries a key, so nobody keeps it. The paste is read as on every other way: its row decides.

use super::failure::Failure;
use super::{Http, State, form, urlencoded};
use app::pages::FormValues;
use app::wire::id::PasteId;
use axum::http::Uri;
use axum::response::Response;
use std::sync::Arc;

/// Text from which a form is rendered aside, as in [`super::paste_page`].
const RENDER_ASIDE_BYTES: u64 = 64 * 1024;

/// `GET /`. Of the query string `from` alone means anything.
pub(super) async fn form(axum::extract::State(http): State, uri: Uri) -> Result<Response, Failure> {
    match source(&uri) {
        None => Ok(form::fresh(&http, FormValues::default())),
        Some(id) => filled(&http, &id).await,
    }
}

/// The id of the paste that `GET /` is asked to fill the form with.
pub(super) fn id(uri: &Uri) -> Option<PasteId> {
    source(uri)?.parse().ok()
}

/// The value of `from`.
fn source(uri: &Uri) -> Option<String> {
    let pairs = urlencoded::pairs(uri.query()?.as_bytes()).ok()?;
    pairs
        .into_iter()
        .find(|(name, _)| name == "from")
        .map(|(_, id)| id)
}

async fn filled(http: &Arc<Http>, id: &str) -> Result<Response, Failure> {
    let id = id.parse().map_err(|_| Failure::NotFound)?;
    let paste = http.live(id).await?;
    let is_large = paste.size_bytes() > RENDER_ASIDE_BYTES;
    let turn = http.aside.turn(is_large).await?;
    let text = http.text(&paste, 0..paste.size_bytes()).await?;
    let values = FormValues {
        content: String::from_utf8(text.into()).map_err(|_| Failure::Internal)?,
        title: paste.title().unwrap_or_default().to_owned(),
        syntax: paste.syntax().unwrap_or_default().to_owned(),
        ..FormValues::default()
    };
    let http = Arc::clone(http);
    turn.work(move || Ok(form::fresh(&http, values))).await
}
