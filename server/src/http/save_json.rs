//! A save's body as JSON.
//!
//! The library's words may quote the text, so they stay here: a refusal has words of its own, and names the member.

use super::create_body::{Options, seconds};
use super::failure::Failure;
use crate::pastes::{Refusal, SaveRequest};
use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, Visitor};
use std::fmt;

const CONTENT: &str = "content";
const TITLE: &str = "title";
const SYNTAX: &str = "syntax";
const EXPIRES_IN: &str = "expires_in";

/// All that a save has.
const MEMBERS: [&str; 4] = [CONTENT, TITLE, SYNTAX, EXPIRES_IN];

/// The longest unknown name that a refusal repeats: shorter than any key or token.
const SHOWN_CHARS_MAX: usize = 20;

/// The request in a whole body.
pub(super) fn read(body: &[u8]) -> Result<SaveRequest, Failure> {
    // Whatever else is wrong with it, this says more.
    if body.trim_ascii_start().first() != Some(&b'{') {
        return Err(refused("it is no object"));
    }
    let mut at = At::Nowhere;
    let mut json = serde_json::Deserializer::from_slice(body);
    let members = Members { at: &mut at };
    let parsed = members
        .deserialize(&mut json)
        .and_then(|parsed| json.end().map(|()| parsed));
    let parsed = parsed.map_err(|error| broken(&error, &at))?;
    let Some(content) = parsed.content else {
        return Err(Failure::MalformedBody(
            "The member content, a string, is missing.".into(),
        ));
    };
    let expires_in_seconds = match parsed.expires_in {
        None => None,
        Some(JsonSpan::Seconds(seconds)) => Some(seconds),
        Some(JsonSpan::Text(text)) => Some(seconds(&text)?),
        Some(JsonSpan::NotWhole) => return Err(Failure::Refused(Refusal::ExpiryMalformed)),
    };
    let options = Options {
        title: parsed.title,
        syntax: parsed.syntax,
        expires_in_seconds,
    };
    Ok(options.with(content.into()))
}

/// What is wrong, and where.
fn broken(error: &serde_json::Error, at: &At) -> Failure {
    let place = format!("see line {} column {}", error.line(), error.column());
    match at {
        At::Unknown(name) if is_safe(name) => {
            refused(&format!("{name} is no member of it, {place}"))
        }
        At::Unknown(_) => refused(&format!("it has an unknown member, {place}")),
        At::Again(name) => refused(&format!("{name} is there twice, {place}")),
        At::Value(name) if error.is_data() => {
            refused(&format!("{name} is of the wrong type, {place}"))
        }
        At::Nowhere | At::Value(_) => refused(&place),
    }
}

/// Whether a name can be repeated: a short word that is nobody's secret.
fn is_safe(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (1..=SHOWN_CHARS_MAX).contains(&name.len()) && name.bytes().all(is_plain)
}

fn refused(why: &str) -> Failure {
    Failure::MalformedBody(format!(
        "Not the JSON of a save: {why}. Send {{\"content\": string}}, and if you like title, syntax and expires_in, \
         each once and nothing else."
    ))
}

/// The members, as they came.
#[derive(Default)]
struct JsonBody {
    content: Option<String>,
    title: Option<String>,
    syntax: Option<String>,
    expires_in: Option<JsonSpan>,
}

/// Where reading is, or where it ended.
#[derive(Debug)]
enum At {
    /// At no member that is known by name.
    Nowhere,
    /// At the value of this member.
    Value(&'static str),
    /// At a member that was there before.
    Again(&'static str),
    /// At a member of another name.
    Unknown(String),
}

/// Reads the members and keeps `at` up to date.
struct Members<'a> {
    at: &'a mut At,
}

impl<'de> DeserializeSeed<'de> for Members<'_> {
    type Value = JsonBody;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<JsonBody, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Members<'_> {
    type Value = JsonBody;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the members of a save")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonBody, A::Error> {
        let mut body = JsonBody::default();
        let mut seen = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            let Some(known) = MEMBERS.into_iter().find(|known| *known == name) else {
                *self.at = At::Unknown(name);
                return Err(de::Error::custom("an unknown member"));
            };
            if seen.contains(&known) {
                *self.at = At::Again(known);
                return Err(de::Error::custom("a member that is there twice"));
            }
            seen.push(known);
            *self.at = At::Value(known);
            match known {
                CONTENT => body.content = map.next_value()?,
                TITLE => body.title = map.next_value()?,
                SYNTAX => body.syntax = map.next_value()?,
                _ => body.expires_in = map.next_value()?,
            }
            *self.at = At::Nowhere;
        }
        Ok(body)
    }
}

/// `expires_in` in JSON: whole seconds, or text with a unit.
enum JsonSpan {
    Seconds(u64),
    Text(String),
    /// A number, but negative or not whole.
    NotWhole,
}

impl<'de> Deserialize<'de> for JsonSpan {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SpanVisitor)
    }
}

struct SpanVisitor;

impl Visitor<'_> for SpanVisitor {
    type Value = JsonSpan;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("whole seconds, or text such as \"1h\"")
    }

    fn visit_u64<E: de::Error>(self, seconds: u64) -> Result<JsonSpan, E> {
        Ok(JsonSpan::Seconds(seconds))
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<JsonSpan, E> {
        Ok(JsonSpan::NotWhole)
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<JsonSpan, E> {
        Ok(JsonSpan::NotWhole)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<JsonSpan, E> {
        Ok(JsonSpan::Text(text.to_owned()))
    }
}
