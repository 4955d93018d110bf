//! What a textarea does to a text: it shows LF for every line end, whatever was put in.

/// Whether a textarea that was given `exact` reads as `shown`.
pub(super) fn shows(exact: &str, shown: &str) -> bool {
    let mut shown = shown.bytes();
    let mut before = 0;
    for byte in exact.bytes() {
        let is_second_half = byte == b'\n' && before == b'\r';
        before = byte;
        let as_shown = if byte == b'\r' { b'\n' } else { byte };
        if !is_second_half && shown.next() != Some(as_shown) {
            return false;
        }
    }
    shown.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::shows;

    #[test]
    fn any_line_end_reads_as_lf() {
        for exact in ["a\nb\n", "a\r\nb\r\n", "a\rb\r", "a\r\nb\n"] {
            assert!(shows(exact, "a\nb\n"), "{exact:?}");
        }
        assert!(shows("\r\r\n\n", "\n\n\n"));
        assert!(shows("", ""));
    }

    #[test]
    fn an_edited_text_is_another_one() {
        for (exact, shown) in [
            ("a\r\n", "a"),
            ("a\r\n", "a\n\n"),
            ("a", "a\n"),
            ("a\n\r", "a\n"),
            ("a\r\nb", "a\nc"),
        ] {
            assert!(!shows(exact, shown), "{exact:?}");
        }
    }
}
