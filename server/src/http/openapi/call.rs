//! One method of one route, as it is put together.

use super::headers;
use super::schemas::{self, AnySchema};
use crate::http::failure::Failure;
use crate::http::finish::line;
use app::wire::problem::{Code, MEDIA_TYPE};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::path::{
    HttpMethod, OperationBuilder, Parameter, ParameterBuilder, ParameterIn, PathItem,
};
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{Content, ContentBuilder, Required, Response, ResponseBuilder};

/// Any call may end with a bug of ours.
const ALWAYS: [Code; 1] = [Code::Internal];

/// What 412 means.
pub(super) const UNMET: &str = "It is not the one that `If-Match` names. No body.";

/// What an error looks like here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A problem, unless plain text is preferred.
    Api,
    /// A page for whoever names HTML, else plain text.
    Pages,
}

/// A call and what it is made of.
pub(super) struct Call {
    pub(super) path: &'static str,
    method: HttpMethod,
    operation: OperationBuilder,
    samples: Vec<Value>,
    needs_token: bool,
}

impl Call {
    pub(super) fn new(method: HttpMethod, path: &'static str, id: &str, tag: &str) -> Self {
        Self {
            path,
            method,
            operation: OperationBuilder::new().operation_id(Some(id)).tag(tag),
            samples: Vec::new(),
            needs_token: false,
        }
    }

    /// A line, and the paragraphs below it.
    pub(super) fn words(mut self, summary: &str, description: &str) -> Self {
        self.operation = self
            .operation
            .summary(Some(summary))
            .description(Some(description));
        self
    }

    pub(super) fn parameter(mut self, parameter: ParameterBuilder) -> Self {
        self.operation = self.operation.parameter(parameter);
        self
    }

    /// The client says what it has, or what it wants. A call whose 412 has more headers answers it once more.
    pub(super) fn conditional(self) -> Self {
        let condition = |name, what| optional(name, ParameterIn::Header, what, schemas::text());
        self.parameter(condition("If-None-Match", "The `ETag` of what you have."))
            .parameter(condition(
                "If-Match",
                "The `ETag` of the only one you want, or `*`.",
            ))
            .answer(412, answer(UNMET))
    }

    pub(super) fn body(mut self, body: RequestBody) -> Self {
        self.operation = self.operation.request_body(Some(body));
        self
    }

    /// The call needs a delete token.
    pub(super) fn with_token(mut self) -> Self {
        let token = SecurityRequirement::new::<_, [&str; 0], &str>("deleteToken", []);
        self.operation = self.operation.security(token);
        self.needs_token = true;
        self
    }

    /// Lines for a shell in which `KEY`, `ID` and `TOKEN` are set. They are run by the tests.
    pub(super) fn sample(mut self, label: &str, lines: &str) -> Self {
        let sample = json!({ "lang": "sh", "label": label, "source": lines });
        self.samples.push(sample);
        self
    }

    pub(super) fn answer(mut self, status: u16, response: impl Into<Response>) -> Self {
        self.operation = self.operation.response(status.to_string(), response.into());
        self
    }

    /// The problems it can end with, by status.
    pub(super) fn problems(mut self, place: Place, codes: &[Code]) -> Self {
        let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
        for code in codes.iter().chain(&ALWAYS) {
            by_status.entry(code.status()).or_default().push(*code);
        }
        for (status, codes) in by_status {
            let failures: Vec<_> = codes
                .into_iter()
                .map(|code| (code, self.failure(code)))
                .collect();
            self = self.answer(status, problem(place, &failures));
        }
        self
    }

    /// What a code is here, where it is not the same everywhere.
    fn failure(&self, code: Code) -> Failure {
        let is_save = self.method == HttpMethod::Post && !self.path.contains("{id}");
        match (code, self.path) {
            (Code::RateLimited, _) if !is_save => Failure::TooManyMisses {
                per_minute: 300,
                retry_after_seconds: 1,
            },
            (Code::UnsupportedMediaType, "/{id}/delete") => Failure::NotADeleteForm,
            (Code::UnsupportedMediaType, "/") => {
                Failure::UnsupportedMediaType("This kind of form".into())
            }
            _ => Failure::example(code),
        }
    }

    pub(super) fn build(mut self) -> (&'static str, PathItem) {
        if !self.needs_token {
            self.operation = self.operation.securities(Some([]));
        }
        self = self.answer(
            431,
            ResponseBuilder::new()
                .description("The head of the request has more than 64 lines, or is longer than 32 KiB. No body."),
        );
        let samples = Extensions::from_iter([("x-codeSamples", Value::Array(self.samples))]);
        let operation = self.operation.extensions(Some(samples));
        (self.path, PathItem::new(self.method, operation))
    }
}

/// A parameter that may be left out.
pub(super) fn optional(
    name: &str,
    place: ParameterIn,
    what: &str,
    schema: impl Into<AnySchema>,
) -> ParameterBuilder {
    Parameter::builder()
        .name(name)
        .parameter_in(place)
        .required(Required::False)
        .description(Some(what))
        .schema(Some(schema.into()))
}

/// The id in the path.
pub(super) fn id() -> ParameterBuilder {
    let schema = schemas::matching("^[0-4][0-9A-Za-z]{13}$", "2w0123456789AB");
    optional(
        "id",
        ParameterIn::Path,
        "The paste's id: 14 letters and digits, whose case matters.",
        schema,
    )
    .required(Required::True)
}

/// An answer that nobody keeps.
pub(super) fn answer(what: &str) -> ResponseBuilder {
    headers::with(kept_answer(what), &[headers::REQUEST_ID])
}

/// An answer that browsers or a CDN may keep.
pub(super) fn kept_answer(what: &str) -> ResponseBuilder {
    headers::with(ResponseBuilder::new().description(what), &headers::BASELINE)
}

/// A body of text.
pub(super) fn text_content() -> Content {
    content(schemas::text())
}

pub(super) fn content(schema: AnySchema) -> Content {
    Content::new(Some(schema))
}

fn problem(place: Place, failures: &[(Code, Failure)]) -> Response {
    let spelled: Vec<_> = failures.iter().map(|(code, _)| spelled(*code)).collect();
    let rendered = match place {
        Place::Api => answer(&spelled.join("\n\n")).content(
            MEDIA_TYPE,
            examples(schemas::named("Problem"), failures, as_json),
        ),
        Place::Pages => answer(&spelled.join("\n\n")).content("text/html", text_content()),
    };
    let rendered = rendered.content("text/plain", examples(schemas::text(), failures, as_line));
    let mut names = vec!["Vary"];
    let has = |code| failures.iter().any(|(has, _)| *has == code);
    if has(Code::DeleteTokenMissing) {
        names.push("WWW-Authenticate");
    }
    if matches!(failures[0].0.status(), 429 | 503) {
        names.push("Retry-After");
    }
    headers::with(rendered, &names).build()
}

/// The code and what it means, as one line.
fn spelled(code: Code) -> String {
    format!("`{}`: {}.", code.as_str(), code.title())
}

fn examples(
    schema: AnySchema,
    failures: &[(Code, Failure)],
    value: fn(&Failure) -> Value,
) -> Content {
    let examples = failures.iter().map(|(code, failure)| {
        let example = utoipa::openapi::example::ExampleBuilder::new()
            .summary(code.title())
            .value(Some(value(failure)));
        (code.as_str(), example)
    });
    ContentBuilder::new()
        .schema(Some(schema))
        .examples_from_iter(examples)
        .build()
}

fn as_json(failure: &Failure) -> Value {
    let problem = failure.problem(super::EXAMPLE_BASE_URL);
    serde_json::to_value(problem).unwrap_or_default()
}

fn as_line(failure: &Failure) -> Value {
    Value::String(line(&failure.problem(super::EXAMPLE_BASE_URL)))
}
