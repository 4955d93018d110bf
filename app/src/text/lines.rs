//! Where the lines of a text break.

/// The lines of a text as a browser breaks them: at LF, CR LF and CR. A break at the very end opens no further line.
#[derive(Clone, Debug)]
pub struct Lines<'a>(pub &'a str);

impl<'a> Iterator for Lines<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.0.is_empty() {
            return None;
        }
        let bytes = self.0.as_bytes();
        let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let end = bytes.iter().position(is_break).unwrap_or(bytes.len());
        let (line, rest) = self.0.split_at(end);
        self.0 = rest
            .strip_prefix("\r\n")
            .or_else(|| rest.strip_prefix(['\n', '\r']))
            .unwrap_or_default();
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(text: &str) -> Vec<&str> {
        Lines(text).collect()
    }

    #[test]
    fn lines_break_as_a_browser_breaks_them() {
        assert_eq!(lines("a\nb\r\nc\rd"), ["a", "b", "c", "d"]);
        assert_eq!(lines("\n\n"), ["", ""]);
        assert_eq!(lines("\r\r\n\n"), ["", "", ""]);
        assert_eq!(lines("a\n"), ["a"]);
        assert_eq!(lines(""), [""; 0]);
    }

    proptest! {
        #[test]
        fn lines_and_newlines_make_up_the_text(text in "[a\n\r]{0,30}") {
            let unified = text.replace("\r\n", "\n").replace('\r', "\n");
            prop_assert_eq!(lines(&text), unified.lines().collect::<Vec<_>>());
        }
    }
}
