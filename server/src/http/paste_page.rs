//! The page of a paste: named before it is made, so that whoever has it, or the cache, need not wait for it.
//!
//! Its name tells the paste, the site, this program's version and how far the colours are. A reader who has the
//! finished page is told so whether or not this process has ever made it; a CDN keeps an unfinished one for seconds.

use super::aside::Turn;
use super::caching::{add_headers, is_fresh, keep_briefly, not_modified, unmet, weak_etag};
use super::encoding::{accepts, gunzip, gzip};
use super::failure::Failure;
use super::page_cache::{Finish, Page};
use super::{Http, pages};
use crate::pastes::Paste;
use crate::render::{Answer, Subject};
use app::text::{Colouring, Painted};
use app::wire::paste::Metadata;
use axum::body::Body;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderValue};
use axum::response::Response;
use bytes::Bytes;
use std::sync::Arc;

/// Text from which a page is rendered aside: about 1 ms of work.
const RENDER_ASIDE_BYTES: u64 = 32 * 1024;

/// HTML from which it is decompressed aside.
const DECOMPRESS_ASIDE_BYTES: usize = 256 * 1024;

/// The effort at compressing a page that is kept, and one that colours will soon replace.
const EFFORT: u32 = 6;
const EFFORT_UNFINISHED: u32 = 1;

/// The page, or 304 for a client that has it.
pub(super) async fn page(
    http: &Arc<Http>,
    paste: &Paste,
    asked: &HeaderMap,
) -> Result<Response, Failure> {
    let metadata = paste.metadata()?;
    let name = http.pages.name(&metadata)?;
    let etag = weak_etag(&name)?;
    if let Some(refusal) = unmet(asked, &etag) {
        return Ok(refusal);
    }
    if is_fresh(asked, &etag) {
        return unchanged(paste, Finish::Whole, &name);
    }
    let found = match http.pages.get(&name).await {
        Some(page) => Found {
            finish: Finish::Whole,
            name,
            page: Some(page),
        },
        None => find(http, paste, asked, metadata, &name).await?,
    };
    // The turn that finding took is over: the answer may need one of its own.
    answer(http, paste, asked, found).await
}

/// A page and what it is called. None when the reader has it.
struct Found {
    finish: Finish,
    name: String,
    page: Option<Page>,
}

/// The page as far as the colours are, from the cache or made.
async fn find(
    http: &Arc<Http>,
    paste: &Paste,
    asked: &HeaderMap,
    metadata: Metadata,
    name: &str,
) -> Result<Found, Failure> {
    let mut loaded = None;
    let subject = Subject::new(paste.sha256(), paste.syntax(), paste.title());
    let colours = match http.highlighter.known(&subject).await {
        Some(known) => known,
        None => {
            let loaded = loaded.insert(load(http, paste).await?);
            let text = utf8(&loaded.text)?;
            http.highlighter.colours(&subject, text).await
        }
    };
    let finish = finish(&colours);
    let name = finish.name(name);
    let page = if is_fresh(asked, &weak_etag(&name)?) {
        None
    } else if let Some(page) = http.pages.get(&name).await {
        Some(page)
    } else {
        Some(make(http, paste, loaded, &name, (metadata, colours)).await?)
    };
    Ok(Found { finish, name, page })
}

/// A text in memory.
struct Loaded {
    text: Bytes,
    /// Turns for large texts are few, which bounds both those in memory and the work with them.
    turn: Turn,
}

async fn load(http: &Http, paste: &Paste) -> Result<Loaded, Failure> {
    let is_large = paste.size_bytes() > RENDER_ASIDE_BYTES;
    let turn = http.aside.turn(is_large).await?;
    let text = http.text(paste, 0..paste.size_bytes()).await?;
    Ok(Loaded { text, turn })
}

fn finish(colours: &Answer) -> Finish {
    match colours {
        Answer::Pending => Finish::Pending,
        Answer::Colours(colours) => colours
            .ends_early_after()
            .map_or(Finish::Whole, Finish::Lines),
    }
}

fn unchanged(paste: &Paste, finish: Finish, name: &str) -> Result<Response, Failure> {
    let mut response = not_modified(paste, &weak_etag(name)?);
    finish_headers(response.headers_mut(), paste, finish);
    Ok(response)
}

async fn answer(
    http: &Arc<Http>,
    paste: &Paste,
    asked: &HeaderMap,
    found: Found,
) -> Result<Response, Failure> {
    let Found { finish, name, page } = found;
    let Some(page) = page else {
        return unchanged(paste, finish, &name);
    };
    let takes_gzip = accepts(asked, "gzip");
    let body = if takes_gzip {
        page.gzip
    } else {
        decompressed(http, page).await?
    };
    let mut response = Response::new(Body::from(body));
    let headers = response.headers_mut();
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/html; charset=utf-8"),
    );
    if takes_gzip {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    add_headers(headers, paste, &weak_etag(&name)?);
    finish_headers(headers, paste, finish);
    Ok(response)
}

/// What depends on the finish, and the policy of pages.
fn finish_headers(headers: &mut HeaderMap, paste: &Paste, finish: Finish) {
    if finish != Finish::Whole {
        keep_briefly(headers, paste);
    }
    pages::add_policy(headers);
}

async fn decompressed(http: &Arc<Http>, page: Page) -> Result<Bytes, Failure> {
    let turn = http.aside.turn(page.size > DECOMPRESS_ASIDE_BYTES).await?;
    let work = move || gunzip(&page.gzip, page.size).map_err(|_| Failure::Internal);
    Ok(turn.work(work).await?.into())
}

/// Renders, compresses and keeps the page, reading the text unless it is there already.
async fn make(
    http: &Arc<Http>,
    paste: &Paste,
    loaded: Option<Loaded>,
    name: &str,
    (metadata, colours): (Metadata, Answer),
) -> Result<Page, Failure> {
    let loaded = match loaded {
        Some(loaded) => loaded,
        None => load(http, paste).await?,
    };
    // Another reader may have made it while this one waited for a turn.
    if let Some(page) = http.pages.get(name).await {
        return Ok(page);
    }
    let shared = Arc::clone(http);
    let Loaded { text, turn } = loaded;
    let work = move || render(&shared, &metadata, &text, &colours);
    let page = turn.work(work).await?;
    http.pages.keep(name, page.clone()).await;
    Ok(page)
}

fn render(
    http: &Http,
    metadata: &Metadata,
    text: &[u8],
    colours: &Answer,
) -> Result<Page, Failure> {
    let (colouring, effort) = match colours {
        Answer::Colours(colours) => (Colouring::Known(colours), EFFORT),
        Answer::Pending => (Colouring::Pending, EFFORT_UNFINISHED),
    };
    let text = utf8(text)?;
    let html = app::pages::paste(&http.site, metadata, Painted { text, colouring });
    let gzip = gzip(html.as_bytes(), effort).map_err(|_| Failure::Internal)?;
    Ok(Page {
        gzip: gzip.into(),
        size: html.len(),
    })
}

fn utf8(text: &[u8]) -> Result<&str, Failure> {
    std::str::from_utf8(text).map_err(|_| Failure::Internal)
}
