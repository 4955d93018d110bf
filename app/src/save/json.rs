//! JSON that is read without a type of its own.
//!
//! Serde's derived readers, and the errors they can make, would cost the browser client 7 kB after compression, an
//! eighth of it, and serde_json alone, with its floating-point numbers and its error messages, another 2 kB. One reader
//! for everything that comes in costs next to nothing: members are asked for by name.

use super::json_reader::Reader;

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
        Reader::new(text).whole()
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

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
        for text in [
            "",
            "{",
            "{\"a\":}",
            "<html>",
            "{} {}",
            "[1,]",
            "{\"a\":1,}",
            "01",
            "-",
            "1.",
            "1e",
            ".5",
            "+1",
            "nul",
            "\"\n\"",
            "\"\\ud800\"",
            "\"\\udc00\"",
            "\"\\ud800\\u0041\"",
            "\"\\u+123\"",
            "\"\\x\"",
            "\"",
            "\u{0}",
            &deep,
        ] {
            assert!(Json::read(text).is_none(), "{text:.20}");
        }
    }

    #[test]
    fn numbers_are_whole_or_passed_over() {
        for (text, number) in [
            ("0", Some(0)),
            ("18446744073709551615", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("-1", None),
            ("1.0", None),
            ("1e2", None),
            ("1E+2", None),
            ("-0.5e-7", None),
        ] {
            let mut json = Json::read(&format!(" {{ \"n\" : {text} }} ")).unwrap();
            assert_eq!(json.number("n"), number, "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_string_is_read_back(text: String) {
            let written = serde_json::to_string(&[("t", &text)].into_iter().collect::<HashMap<_, _>>()).unwrap();
            prop_assert_eq!(Json::read(&written).unwrap().text("t"), Some(text));
        }

        #[test]
        fn what_is_json_is_what_serde_says(text in r#"[\[\]{}",:0-3a\\nutrl. -]{0,24}"#) {
            let is_json = serde_json::from_str::<serde_json::Value>(&text).is_ok();
            prop_assert_eq!(Json::read(&text).is_some(), is_json);
        }
    }
}
