//! `POST /api/pastes`.

use super::call::{Call, Place, answer, content, optional, text_content};
use super::{headers, schemas};
use crate::pastes::Policy;
use app::wire::expiry;
use app::wire::limits::EXPIRY_SECONDS_MIN;
use app::wire::problem::Code;
use serde_json::json;
use utoipa::openapi::link::LinkBuilder;
use utoipa::openapi::path::{HttpMethod, ParameterIn};
use utoipa::openapi::request_body::{RequestBody, RequestBodyBuilder};
use utoipa::openapi::{ContentBuilder, Required, ResponseBuilder};

/// What a save can end with, wherever it comes from.
pub(super) const PROBLEMS: [Code; 16] = [
    Code::IdempotencyKeyMissing,
    Code::IdempotencyKeyInvalid,
    Code::MalformedBody,
    Code::MalformedQuery,
    Code::BodyTooSlow,
    Code::IdempotencyKeyReused,
    Code::PasteTooLarge,
    Code::UnsupportedMediaType,
    Code::InvalidContent,
    Code::InvalidTitle,
    Code::InvalidSyntax,
    Code::InvalidExpiry,
    Code::RateLimited,
    Code::ShardUnavailable,
    Code::StoreUnavailable,
    Code::Overloaded,
];

pub(super) fn calls(base_url: &str, policy: &Policy) -> Vec<Call> {
    let key = optional(
        "Idempotency-Key",
        ParameterIn::Header,
        "One field line with one UUID of version 4 or 7, hyphenated, in any letter case, bare or in double quotes. All \
         spellings of one UUID are one key. Make one for each save, at random, and send it again, unchanged, on every retry.",
        schemas::key(),
    )
    .required(Required::True);
    let beside = |name, what, schema| optional(name, ParameterIn::Query, what, schema);
    let save = Call::new(HttpMethod::Post, "/api/pastes", "createPaste", "Save")
        .words("Save a text", &words(policy))
        .parameter(key)
        .parameter(beside(
            "title",
            "Beside raw text only. At most 200 characters, no control characters; empty is absent.",
            schemas::title(),
        ))
        .parameter(beside(
            "syntax",
            "Beside raw text only. A name or a file extension, such as `rust` or `rs`, or `plain`; absent is \"not said\".",
            schemas::syntax(),
        ))
        .parameter(beside(
            "expires_in",
            &format!("Beside raw text only. {}", expiry::SPELLING),
            schemas::span(),
        ))
        .body(body())
        .answer(201, created())
        .problems(Place::Api, &PROBLEMS)
        .sample(
            "A file",
            &format!(
                "KEY=$(uuidgen)\ncurl --data-binary @file.txt -H \"Idempotency-Key: $KEY\" {base_url}/api/pastes"
            ),
        )
        .sample(
            "The same again: the same paste",
            &format!(
                "curl --data-binary @file.txt -H \"Idempotency-Key: $KEY\" {base_url}/api/pastes"
            ),
        )
        .sample(
            "JSON, for an hour",
            &format!(
                "curl --json '{{\"content\": \"fn main() {{}}\", \"syntax\": \"rust\", \"expires_in\": \"1h\"}}' \
                 -H \"Idempotency-Key: $(uuidgen)\" {base_url}/api/pastes"
            ),
        )
        .sample(
            "Only the link, as one line",
            &format!(
                "curl -H 'Accept: text/plain' -d 'Hello' -H \"Idempotency-Key: $(uuidgen)\" \
                 \"{base_url}/api/pastes?title=Greeting\""
            ),
        );
    vec![save]
}

fn words(policy: &Policy) -> String {
    let (default, max) = (policy.default_expiry.as_secs(), policy.max_expiry.as_secs());
    format!(
        "The body is JSON, or the text itself; then title, syntax and expiry stand in the query string, each at most once, \
         and nothing else does. Both kinds that say the same are the same request. `multipart/form-data`, any \
         `Content-Encoding` and any charset but UTF-8 are refused.\n\n\
         The text is UTF-8, at least 1 byte and at most {}, and is kept byte for byte. A paste lives {} unless you say \
         otherwise, from {} to {}; out of range is refused, never clipped.\n\n\
         **A retry**, same key and same request, gets the same 201 with the same body, and `Idempotent-Replayed: true`. \
         Nothing is inserted and nothing is written. So it stays for 25 hours by the server's clock, also when the paste has \
         been deleted or has expired since: the id stays dead. Retry for 24 hours at most: a retry more than 25 hours after \
         the save is a new paste. The key is a secret for that time: key and text together get the delete token again.\n\n\
         **The same key with another request** is 409. \"The same\" means equal content bytes, title, syntax and expiry in \
         seconds, each as given: a default that you spell out is another request than one you leave out; `1h` and `3600` are \
         the same. Two at once with one key make one paste, and each gets its 201.\n\n\
         Nothing but a committed save is remembered: after any error the key is as good as new. Limits, names and defaults \
         are judged only for a save that is not there yet, so a changed limit never breaks a retry, nor does the limit on \
         saves a minute.",
        bytes(policy.paste_bytes_max),
        expiry::human(default),
        expiry::human(EXPIRY_SECONDS_MIN),
        expiry::human(max),
    )
}

fn bytes(count: u64) -> String {
    let mib = 1024 * 1024;
    if count >= mib && count.is_multiple_of(mib) {
        format!("{} MiB", count / mib)
    } else {
        format!("{count} bytes")
    }
}

fn body() -> RequestBody {
    let json = ContentBuilder::new()
        .schema(Some(schemas::named("Save")))
        .example(Some(
            json!({ "content": "fn main() {}\n", "title": "Nothing", "syntax": "rust", "expires_in": "1h" }),
        ));
    let raw = ContentBuilder::new()
        .schema(Some(schemas::content()))
        .example(Some(json!("Hello\n")));
    RequestBodyBuilder::new()
        .description(Some(
            "`application/json`, or with any other type, or none, the text itself.",
        ))
        .required(Some(Required::True))
        .content("application/json", json.build())
        .content("text/plain", raw.build())
        .build()
}

fn created() -> ResponseBuilder {
    let saved = answer(
        "Saved. The delete token is handed out here and nowhere else. As plain text the body is the link and a newline, and \
         the token is in a header.",
    )
    .content("application/json", content(schemas::named("Created")))
    .content("text/plain", text_content());
    let names = ["Delete-Token", "Idempotent-Replayed", "Location", "Vary"];
    let follow = [
        "readMetadata",
        "readPaste",
        "readRaw",
        "downloadPaste",
        "deletePaste",
    ];
    follow
        .iter()
        .fold(headers::with(saved, &names), |answer, next| {
            let link = LinkBuilder::new()
                .operation_id(*next)
                .parameter("id", json!("$response.body#/id"));
            answer.link(*next, link.build())
        })
}
