//! JSON that is read without a type of its own.
//!
//! Serde's derived readers, and the errors they can make, would cost the browser client 7 kB after compression, an
//! eighth of it. One reader for everything that comes in costs next to nothing: members are asked for by name.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A JSON value, as far as anybody here wants to know it.
pub(super) enum Json {
    /// An object's members, in order.
    Members(Vec<(String, Self)>),
    /// A string.
    Text(String),
    /// A whole number that is not negative.
    Number(u64),
    /// Anything else: it is valid, and passed over.
    Other,
}

impl Json {
    /// Reads a whole text; none when it is not JSON.
    pub(super) fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// Takes the string of this name out of an object.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        match self.member(name)? {
            Self::Text(text) => Some(std::mem::take(text)),
            _ => None,
        }
    }

    /// The number of this name in an object.
    pub(super) fn number(&mut self, name: &str) -> Option<u64> {
        match self.member(name)? {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    fn member(&mut self, name: &str) -> Option<&mut Self> {
        let Self::Members(members) = self else {
            return None;
        };
        let mut members = members.iter_mut();
        members.find(|(is, _)| is == name).map(|(_, value)| value)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

/// Takes any value. Each kind that JSON has is named: a default of serde's would bring its error texts in.
struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Json::Members(members))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Json, A::Error> {
        while elements.next_element::<Json>()?.is_some() {}
        Ok(Json::Other)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Json, E> {
        Ok(Json::Number(number))
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_unit<E: Error>(self) -> Result<Json, E> {
        Ok(Json::Other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_among_anything_else() {
        let text = r#"{"a":null,"b":[1,{"c":"no"}],"d":{"c":"no"},"e":-1,"f":1.5,"g":true,"c":"\u0041\"","n":7}"#;
        let mut json = Json::read(text).unwrap();
        assert_eq!(json.text("c").as_deref(), Some("A\""));
        assert_eq!(json.number("n"), Some(7));
        for other in ["a", "b", "d", "e", "f", "g", "n", "z"] {
            assert_eq!(json.text(other), None, "{other}");
        }
        for other in ["a", "b", "c", "d", "e", "f", "g", "z"] {
            assert_eq!(json.number(other), None, "{other}");
        }
    }

    #[test]
    fn what_is_no_object_has_no_members() {
        for text in ["[]", "1", "\"c\"", "null"] {
            assert_eq!(Json::read(text).unwrap().text("c"), None);
        }
    }

    #[test]
    fn what_is_no_json_is_not_read() {
        let deep = "[".repeat(10_000);
        for text in ["", "{", "{\"a\":}", "<html>", "{} {}", "\"\\ud800\"", &deep] {
            assert!(Json::read(text).is_none(), "{text:.20}");
        }
    }
}
