//! Every header that an answer can have.

use super::schemas;
use utoipa::openapi::schema::{ComponentsBuilder, Ref};
use utoipa::openapi::{Header, HeaderBuilder, ResponseBuilder};

/// On every answer.
pub(super) const BASELINE: [&str; 8] = [
    "Cache-Control",
    "Content-Security-Policy",
    "Cross-Origin-Opener-Policy",
    "Cross-Origin-Resource-Policy",
    "Referrer-Policy",
    "Strict-Transport-Security",
    "X-Content-Type-Options",
    "X-Frame-Options",
];

/// On every answer that nobody keeps.
pub(super) const REQUEST_ID: &str = "X-Request-Id";

/// On texts and pages of a paste, and on their 304.
pub(super) const OF_A_PASTE: [&str; 5] = [
    "CDN-Cache-Control",
    "Cache-Tag",
    "ETag",
    "Surrogate-Key",
    "X-Robots-Tag",
];

/// What each header says.
const ALL: [(&str, &str); 25] = [
    ("Accept-Ranges", "`bytes`: a `Range` is answered."),
    (
        "CDN-Cache-Control",
        "For a CDN: the seconds it may keep a copy, at most a day and never longer than the paste lives.",
    ),
    (
        "Cache-Control",
        "What may be kept. Whatever carries a key or a token says `no-store`, and so does every error.",
    ),
    ("Cache-Tag", "The id, so that one purge finds every copy."),
    (
        "Content-Disposition",
        "`attachment`, with a safe file name.",
    ),
    (
        "Content-Encoding",
        "`gzip` of a paste's pages and picture, `br` or `gzip` of this site's own files. Nothing with a secret is compressed.",
    ),
    ("Content-Length", "Bytes of the body."),
    (
        "Content-Range",
        "Which bytes these are, or, with 416, how many there are.",
    ),
    (
        "Content-Security-Policy",
        "Pages load this site's own files and run nothing inline; texts are sandboxed; everything else may load nothing.",
    ),
    ("Cross-Origin-Opener-Policy", "`same-origin`"),
    ("Cross-Origin-Resource-Policy", "`same-origin`"),
    (
        "Delete-Token",
        "The secret that deletes the paste, where the body is plain text.",
    ),
    (
        "ETag",
        "For `If-None-Match`: strong and the SHA-256 for texts, weak for pages and metadata.",
    ),
    (
        "Idempotent-Replayed",
        "`true` on a 201 that was stored: nothing was inserted and nothing was written.",
    ),
    ("Location", "Where people read the paste."),
    ("Referrer-Policy", "`no-referrer`"),
    (
        "Retry-After",
        "Seconds to wait before the same request is sent again.",
    ),
    ("Strict-Transport-Security", "`max-age=31536000`"),
    (
        "Surrogate-Key",
        "The id, so that one purge finds every copy.",
    ),
    (
        "Vary",
        "`accept`, `accept-encoding`: what the answer depends on.",
    ),
    ("WWW-Authenticate", "`Bearer`"),
    ("X-Content-Type-Options", "`nosniff`"),
    ("X-Frame-Options", "`DENY`"),
    (
        "X-Request-Id",
        "The request's name in the operator's log, on every answer that says `no-store`.",
    ),
    ("X-Robots-Tag", "`noindex`: pastes are unlisted."),
];

/// All of them, under their names.
pub(super) fn add(components: ComponentsBuilder) -> ComponentsBuilder {
    ALL.iter().fold(components, |components, (name, what)| {
        components.header(*name, header(what))
    })
}

fn header(what: &str) -> Header {
    HeaderBuilder::new()
        .schema(Some(schemas::text()))
        .description(Some(what))
        .build()
}

/// The answer with these headers.
pub(super) fn with(response: ResponseBuilder, names: &[&str]) -> ResponseBuilder {
    names.iter().fold(response, |response, name| {
        let reference = Ref::new(format!("#/components/headers/{name}"));
        response.header_ref(*name, reference)
    })
}
