//! `application/x-www-form-urlencoded`, the way forms and query strings write pairs.
//!
//! Text that is not UTF-8 is refused. The usual parsers replace it, which would save another text than was sent.

use percent_encoding::percent_decode;

/// Bytes that are no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NotUtf8;

/// Names and values in the order they came.
pub(super) fn pairs(text: &[u8]) -> Result<Vec<(String, String)>, NotUtf8> {
    text.split(|byte| *byte == b'&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let mut parts = pair.splitn(2, |byte| *byte == b'=');
            let mut part = || decoded(parts.next().unwrap_or_default());
            Ok((part()?, part()?))
        })
        .collect()
}

fn decoded(text: &[u8]) -> Result<String, NotUtf8> {
    let text: Vec<u8> = text
        .iter()
        .map(|byte| if *byte == b'+' { b' ' } else { *byte })
        .collect();
    let decoded = percent_decode(&text).decode_utf8().map_err(|_| NotUtf8)?;
    Ok(decoded.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_not_utf8_is_refused() {
        for text in ["%ff", "a=%C3", "%80=a", "a=b&c=%ED%A0%80"] {
            assert_eq!(pairs(text.as_bytes()), Err(NotUtf8), "{text}");
        }
        assert_eq!(pairs(b"a=\xff"), Err(NotUtf8));
    }

    proptest! {
        #[test]
        fn what_is_utf8_reads_as_it_does_everywhere(text in "([a-f0-9%+&=é\u{FFFD}]|%[0-7][0-9A-Fa-f]|%C3%A9){0,20}") {
            let everywhere: Vec<_> = form_urlencoded::parse(text.as_bytes()).into_owned().collect();
            let replaced = everywhere.iter().any(|(name, value)| format!("{name}{value}").contains('\u{FFFD}'));
            match pairs(text.as_bytes()) {
                Ok(pairs) => prop_assert_eq!(pairs, everywhere),
                Err(NotUtf8) => prop_assert!(replaced),
            }
        }
    }
}
