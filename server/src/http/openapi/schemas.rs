//! The shapes of what is sent and answered. Those with a type of their own describe themselves.

use crate::pastes::Policy;
use app::wire::created::Created;
use app::wire::expiry::SPELLING;
use app::wire::limits::{EXPIRY_SECONDS_MIN, TITLE_CHARS_MAX};
use app::wire::paste::Metadata;
use app::wire::problem::{Code, Problem};
use serde_json::json;
use utoipa::openapi::schema::{ComponentsBuilder, Ref, Schema, SchemaType, Type};
use utoipa::openapi::{ObjectBuilder, OneOfBuilder, RefOr};

/// One line without control characters, C1 ones included.
const ONE_LINE: &str = "^[^\\u0000-\\u001f\\u007f-\\u009f]*$";

pub(super) type AnySchema = RefOr<Schema>;

/// All of them, under their names.
pub(super) fn add(components: ComponentsBuilder, policy: &Policy) -> ComponentsBuilder {
    components
        .schema_from::<Created>()
        .schema_from::<Metadata>()
        .schema_from::<Problem>()
        .schema_from::<Code>()
        .schema("Save", save(policy))
        .schema("Form", form())
        .schema("DeleteForm", delete_form())
}

pub(super) fn named(name: &str) -> AnySchema {
    Ref::from_schema_name(name).into()
}

pub(super) fn text() -> AnySchema {
    string().into()
}

/// Any JSON object.
pub(super) fn object() -> AnySchema {
    ObjectBuilder::new().into()
}

pub(super) fn matching(pattern: &str, example: &str) -> AnySchema {
    string()
        .pattern(Some(pattern))
        .examples([json!(example)])
        .into()
}

pub(super) fn content() -> ObjectBuilder {
    string()
        .min_length(Some(1))
        .description(Some("The text, kept byte for byte."))
}

pub(super) fn title() -> ObjectBuilder {
    string()
        .max_length(Some(TITLE_CHARS_MAX))
        .pattern(Some(ONE_LINE))
        .description(Some(
            "At most 200 characters, no control characters. Empty is absent.",
        ))
}

pub(super) fn syntax() -> ObjectBuilder {
    string().examples([json!("rust")]).description(Some(
        "A name or a file extension, such as `rust` or `rs`, or `plain`. Absent is \"not said\".",
    ))
}

/// In a query string or a form, where there is only text.
pub(super) fn span() -> ObjectBuilder {
    string()
        .pattern(Some("^[0-9]+[mhd]?$"))
        .examples([json!("1h")])
        .description(Some(SPELLING))
}

fn string() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

fn or_null(schema: ObjectBuilder) -> ObjectBuilder {
    schema.schema_type(
        [Type::String, Type::Null]
            .into_iter()
            .collect::<SchemaType>(),
    )
}

fn save(policy: &Policy) -> ObjectBuilder {
    let seconds = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(whole(EXPIRY_SECONDS_MIN)))
        .maximum(Some(whole(policy.max_expiry.as_secs())));
    let nothing = ObjectBuilder::new().schema_type(Type::Null);
    let expires_in = OneOfBuilder::new()
        .item(seconds)
        .item(span())
        .item(nothing)
        .description(Some("How long the paste lives. `null` is absence."));
    ObjectBuilder::new()
        .description(Some("A save. It holds nothing else; `null` is absence."))
        .property("content", content())
        .required("content")
        .property("title", or_null(title()))
        .property("syntax", or_null(syntax()))
        .property("expires_in", expires_in)
        .additional_properties(Some(
            utoipa::openapi::schema::AdditionalProperties::FreeForm(false),
        ))
}

fn form() -> ObjectBuilder {
    ObjectBuilder::new()
        .description(Some("The fields of the form. An empty one is absent."))
        .property("idempotency_key", key())
        .required("idempotency_key")
        .property("content", content())
        .required("content")
        .property("title", title())
        .property("syntax", syntax())
        .property("expires_in", span())
}

fn delete_form() -> ObjectBuilder {
    let token = string().description(Some("The delete token that came with the 201."));
    ObjectBuilder::new()
        .property("delete_token", token)
        .required("delete_token")
}

/// An idempotency key.
pub(super) fn key() -> ObjectBuilder {
    string()
        .pattern(Some(
            "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[47][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$",
        ))
        .examples([json!("6f2d8a3e-4c1b-4f7a-9d25-0b8e7c6a5f41")])
}

/// Limits are far below where an `f64` is no longer exact.
fn whole(number: u64) -> f64 {
    u32::try_from(number).map_or(f64::from(u32::MAX), f64::from)
}
