//! What browsers use.

use super::call::{Call, Place, answer, content, id, kept_answer, optional, text_content};
use super::reading::PROBLEMS as READ_PROBLEMS;
use super::{headers, saving, schemas};
use app::wire::problem::Code;
use utoipa::openapi::path::{HttpMethod, ParameterIn};
use utoipa::openapi::request_body::{RequestBody, RequestBodyBuilder};
use utoipa::openapi::{Required, ResponseBuilder};

pub(super) fn calls(base_url: &str) -> Vec<Call> {
    vec![
        Call::new(HttpMethod::Get, "/", "showForm", "Pages")
            .words(
                "The form",
                "It carries a key made when it was rendered, so that it saves once without JavaScript too.",
            )
            .parameter(optional(
                "from",
                ParameterIn::Query,
                "The id of a paste whose text, title and syntax are to be in the form.",
                schemas::text(),
            ))
            .answer(200, page("The form, with a fresh key."))
            .problems(Place::Pages, &READ_PROBLEMS)
            .sample("Look", &format!("curl {base_url}/"))
            .sample("With the text of a paste", &format!("curl {base_url}/?from=$ID")),
        save_by_form(base_url),
        Call::new(HttpMethod::Get, "/saved", "showSaved", "Pages")
            .words(
                "Where the browser client shows what it saved",
                "The same page for everybody: link and token are fetched by sending the save again.",
            )
            .answer(200, page("The page."))
            .problems(Place::Pages, &[])
            .sample("Look", &format!("curl {base_url}/saved")),
        Call::new(HttpMethod::Get, "/mine", "showMine", "Pages")
            .words(
                "Where the browser client lists what it saved",
                "The same page for everybody: the list is in the browser, and no server knows it.",
            )
            .answer(200, page("The page."))
            .problems(Place::Pages, &[])
            .sample("Look", &format!("curl {base_url}/mine")),
        delete_by_form(base_url),
        Call::new(HttpMethod::Get, "/docs", "showReference", "Pages")
            .words("This reference", "Made from `/api/openapi.json`.")
            .conditional()
            .answer(200, kept_page("The page."))
            .answer(304, kept("You have it already."))
            .problems(Place::Pages, &[])
            .sample("Read", &format!("curl {base_url}/docs")),
    ]
}

fn save_by_form(base_url: &str) -> Call {
    Call::new(HttpMethod::Post, "/", "createPasteByForm", "Pages")
        .words(
            "Save by form",
            "An empty field is an absent one, one that is there twice is refused, and CRLF becomes LF, since browsers send \
             CRLF. The answer is **the result page \
             itself**: no redirect, so a reload sends the same key and gets the same page. Any error that comes after the form \
             was read gives the form back with everything in it; 409 also puts a fresh key in it.",
        )
        .body(form_body("Form"))
        .answer(
            201,
            headers::with(page("Saved: the page with link and token."), &["Idempotent-Replayed", "Location"]),
        )
        .problems(Place::Pages, &saving::PROBLEMS)
        .sample(
            "As a browser does",
            &format!("curl -F idempotency_key=$(uuidgen) -F 'content=<file.txt' {base_url}/"),
        )
}

fn delete_by_form(base_url: &str) -> Call {
    Call::new(
        HttpMethod::Post,
        "/{id}/delete",
        "deletePasteByForm",
        "Pages",
    )
    .words(
        "Delete by form",
        "As `DELETE /api/pastes/{id}`, for people without JavaScript.",
    )
    .parameter(id())
    .body(form_body("DeleteForm"))
    .answer(200, page("It is gone: a page that says so."))
    .problems(
        Place::Pages,
        &[
            Code::MalformedBody,
            Code::NotFound,
            Code::BodyTooSlow,
            Code::UnsupportedMediaType,
            Code::RateLimited,
            Code::ShardUnavailable,
            Code::Overloaded,
        ],
    )
    .sample(
        "As a browser does",
        &format!("curl -d delete_token=$TOKEN {base_url}/$ID/delete"),
    )
}

fn form_body(schema: &str) -> RequestBody {
    RequestBodyBuilder::new()
        .required(Some(Required::True))
        .content("multipart/form-data", content(schemas::named(schema)))
        .content(
            "application/x-www-form-urlencoded",
            content(schemas::named(schema)),
        )
        .build()
}

fn page(what: &str) -> ResponseBuilder {
    answer(what).content("text/html", text_content())
}

fn kept(what: &str) -> ResponseBuilder {
    headers::with(kept_answer(what), &["ETag"])
}

fn kept_page(what: &str) -> ResponseBuilder {
    kept(what).content("text/html", text_content())
}
