//! The text of a paste, and what is known of it.

use super::call::{Call, Place, UNMET, answer, content, id, kept_answer, optional, text_content};
use super::{headers, schemas};
use app::wire::problem::Code;
use utoipa::openapi::ResponseBuilder;
use utoipa::openapi::path::{HttpMethod, ParameterIn};

/// What a read can end with.
pub(super) const PROBLEMS: [Code; 4] = [
    Code::NotFound,
    Code::RateLimited,
    Code::ShardUnavailable,
    Code::StoreUnavailable,
];

pub(super) fn calls(base_url: &str) -> Vec<Call> {
    vec![
        text("/{id}/raw", "readRaw")
            .words(
                "Get the text",
                "The exact bytes, never compressed. Missing, expired and deleted are one 404 with one body; a part of the \
                 service that cannot be asked is 503, never 404.\n\n\
                 Takes one `Range` in bytes; several ranges get the whole. Browsers ask again each time; a CDN may keep a copy \
                 for `CDN-Cache-Control`, tagged with the id so that one purge removes it.",
            )
            .sample("Get it", &format!("curl {base_url}/$ID/raw"))
            .sample(
                "The first 4 bytes of it",
                &format!("curl -r 0-3 {base_url}/$ID/raw"),
            ),
        text("/{id}/download", "downloadPaste")
            .words(
                "Download the text as a file",
                "As `/{id}/raw`, as an attachment. The file is named by id, and by title if there is one.",
            )
            .sample("Download it", &format!("curl -O -J {base_url}/$ID/download")),
        page(base_url),
        view("/{id}/markdown", "readMarkdown", "text/html")
            .words(
                "Get the text rendered as Markdown",
                "A page without scripts and without pictures, sanitised: of the first 256 KiB of any text.",
            )
            .problems(Place::Pages, &PROBLEMS)
            .sample("Look", &format!("curl {base_url}/$ID/markdown")),
        view("/{id}/qr.svg", "readQrCode", "image/svg+xml")
            .words("Get the link as a QR code", "A picture of the paste's link.")
            .problems(
                Place::Pages,
                &[Code::NotFound, Code::RateLimited, Code::ShardUnavailable],
            )
            .sample("Get it", &format!("curl -O {base_url}/$ID/qr.svg")),
        Call::new(HttpMethod::Get, "/api/pastes/{id}", "readMetadata", "Read")
            .words("Get what is known of a paste", "Everything but its text.")
            .parameter(id())
            .conditional()
            .answer(
                200,
                of_a_paste("It lives.").content("application/json", content(schemas::named("Metadata"))),
            )
            .answer(304, of_a_paste("You have it already."))
            .problems(
                Place::Api,
                &[Code::NotFound, Code::RateLimited, Code::ShardUnavailable],
            )
            .sample("Ask", &format!("curl {base_url}/api/pastes/$ID")),
    ]
}

/// A call that answers with something made from the paste, compressed for whoever takes gzip.
fn view(path: &'static str, operation: &str, media_type: &str) -> Call {
    let made = of_a_paste("It lives.").content(media_type, text_content());
    let varying = |response| headers::with(response, &["Vary"]);
    Call::new(HttpMethod::Get, path, operation, "Read")
        .parameter(id())
        .conditional()
        .answer(200, varying(headers::with(made, &["Content-Encoding"])))
        .answer(304, varying(of_a_paste("You have it already.")))
        .answer(412, varying(answer(UNMET)))
}

/// A call that answers with the text.
fn text(path: &'static str, operation: &str) -> Call {
    with_ranges(Call::new(HttpMethod::Get, path, operation, "Read"), &[])
        .problems(Place::Pages, &PROBLEMS)
}

fn page(base_url: &str) -> Call {
    let call = Call::new(HttpMethod::Get, "/{id}", "readPaste", "Read").words(
        "Get the page, or the text",
        "The page for whoever names `text/html`, complete without JavaScript; for everybody else as `/{id}/raw`.",
    );
    with_ranges(call, &["Vary"])
        .problems(Place::Pages, &PROBLEMS)
        .sample("The text", &format!("curl {base_url}/$ID"))
        .sample(
            "The page",
            &format!("curl -H 'Accept: text/html' {base_url}/$ID"),
        )
}

fn with_ranges(call: Call, more: &[&str]) -> Call {
    let is_page = more.contains(&"Vary");
    let named = |response: ResponseBuilder| headers::with(response, more);
    let whole = named(of_a_text("The text.")).content("text/plain", text_content());
    let whole = if is_page {
        headers::with(whole, &["Content-Encoding"]).content("text/html", text_content())
    } else {
        whole
    };
    let part = named(of_a_text("The part that was asked for."));
    let part = headers::with(part, &["Content-Range"]).content("text/plain", text_content());
    let beyond = answer("Bytes were asked for that it has not got.");
    let unchanged = named(of_a_paste("You have it already."));
    let disposition: &[&str] = if call.path.ends_with("/download") {
        &["Content-Disposition"]
    } else {
        &[]
    };
    let named = |response: ResponseBuilder| headers::with(response, disposition);
    call.parameter(id())
        .conditional()
        .parameter(optional(
            "Range",
            ParameterIn::Header,
            "`bytes=FIRST-LAST`, `bytes=FIRST-` or `bytes=-COUNT`. Anything else asks for the whole.",
            schemas::text(),
        ))
        .parameter(optional(
            "If-Range",
            ParameterIn::Header,
            "The `ETag` that the range belongs to; with another one the whole is sent.",
            schemas::text(),
        ))
        .answer(200, named(whole))
        .answer(206, named(part))
        .answer(304, named(unchanged))
        .answer(412, named(headers::with(answer(UNMET), more)))
        .answer(
            416,
            named(headers::with(beyond, &[&["Content-Range"], more].concat())),
        )
}

fn of_a_paste(what: &str) -> ResponseBuilder {
    headers::with(kept_answer(what), &headers::OF_A_PASTE)
}

fn of_a_text(what: &str) -> ResponseBuilder {
    headers::with(of_a_paste(what), &["Accept-Ranges", "Content-Length"])
}
