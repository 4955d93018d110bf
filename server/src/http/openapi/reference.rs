//! From the description to what the page says.

use super::headers::{BASELINE, REQUEST_ID};
use app::pages::{Answer, Call, Field, Group, Reference, Sample, Shape};
use serde_json::Value;
use utoipa::openapi::OpenApi;

/// In the order in which they are met.
const SHAPES: [&str; 6] = [
    "Save",
    "Created",
    "Metadata",
    "Problem",
    "Form",
    "DeleteForm",
];

/// The page's words. They are read from the JSON that programs get, so that people read the same.
pub(super) fn of(document: &OpenApi) -> Reference {
    let document = serde_json::to_value(document).unwrap_or_default();
    let groups = list(&document["tags"]).map(|tag| Group {
        name: text(&tag["name"]),
        words: text(&tag["description"]),
        calls: calls(&document, &tag["name"]),
    });
    let shapes = SHAPES.iter().map(|name| {
        let schema = &document["components"]["schemas"][name];
        Shape {
            name: (*name).to_owned(),
            words: text(&schema["description"]),
            fields: members(schema),
        }
    });
    let headers = members_of(&document["components"]["headers"]).map(|(name, header)| Field {
        name: name.clone(),
        kind: String::new(),
        words: text(&header["description"]),
    });
    Reference {
        introduction: text(&document["info"]["description"]),
        groups: groups.collect(),
        shapes: shapes.collect(),
        headers: headers.collect(),
    }
}

fn calls(document: &Value, tag: &Value) -> Vec<Call> {
    let calls = members_of(&document["paths"]).flat_map(|(path, item)| {
        let operations = members_of(item).filter(|(_, operation)| operation["tags"][0] == *tag);
        operations.map(move |(method, operation)| call(method, path, operation))
    });
    calls.collect()
}

fn call(method: &str, path: &str, operation: &Value) -> Call {
    let parameters = list(&operation["parameters"]).map(|parameter| Field {
        name: text(&parameter["name"]),
        kind: text(&parameter["in"]),
        words: text(&parameter["description"]),
    });
    let answers = members_of(&operation["responses"]).map(|(status, answer)| Answer {
        status: status.clone(),
        words: text(&answer["description"]),
        media_types: names(&answer["content"]),
        headers: names(&answer["headers"])
            .into_iter()
            .filter(|name| !BASELINE.contains(&name.as_str()) && name != REQUEST_ID)
            .collect(),
    });
    let samples = list(&operation["x-codeSamples"]).map(|sample| Sample {
        label: text(&sample["label"]),
        lines: text(&sample["source"]),
    });
    Call {
        anchor: text(&operation["operationId"]),
        method: method.to_uppercase(),
        path: path.to_owned(),
        summary: text(&operation["summary"]),
        words: text(&operation["description"]),
        parameters: parameters.collect(),
        bodies: bodies(&operation["requestBody"]),
        answers: answers.collect(),
        samples: samples.collect(),
    }
}

fn bodies(body: &Value) -> Vec<Field> {
    let bodies = members_of(&body["content"]).map(|(media_type, content)| {
        let shape = content["schema"]["$ref"].as_str();
        let shape = shape.and_then(|shape| shape.rsplit('/').next());
        Field {
            name: media_type.clone(),
            kind: String::new(),
            words: shape.map_or_else(
                || text(&content["schema"]["description"]),
                |shape| format!("Holds `{shape}`, below."),
            ),
        }
    });
    bodies.collect()
}

/// The members of an object, those that must be there named so.
fn members(schema: &Value) -> Vec<Field> {
    let members = members_of(&schema["properties"]).map(|(name, member)| {
        let required = list(&schema["required"]).any(|required| required == name);
        Field {
            name: name.clone(),
            kind: if required { "required" } else { "" }.to_owned(),
            words: text(&member["description"]),
        }
    });
    members.collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn members_of(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn names(value: &Value) -> Vec<String> {
    members_of(value).map(|(name, _)| name.clone()).collect()
}
