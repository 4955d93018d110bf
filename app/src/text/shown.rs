//! How much of a text a page shows.

use super::Lines;

/// The most bytes of text a page shows: 1 MiB.
pub const SHOWN_BYTES_MAX: usize = 1024 * 1024;

/// The most lines of text a page shows.
pub const SHOWN_LINES_MAX: usize = 20_000;

/// The most bytes of one line a page shows: browsers take seconds to wrap a line of megabytes (measured in Chromium).
pub const SHOWN_LINE_BYTES_MAX: usize = 64 * 1024;

/// The start of a text that may be shown, by bytes alone.
#[must_use]
pub fn shown_start(text: &str) -> &str {
    &text[..text.floor_char_boundary(SHOWN_BYTES_MAX)]
}

/// The lines that are shown, each as far as it is.
pub fn shown_lines(text: &str) -> impl Iterator<Item = &str> {
    Lines(shown_start(text))
        .take(SHOWN_LINES_MAX)
        .map(shown_of_line)
}

/// The part of a line that is shown.
fn shown_of_line(line: &str) -> &str {
    &line[..line.floor_char_boundary(SHOWN_LINE_BYTES_MAX)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_shown_up_to_the_limits_and_cut_between_characters() {
        let many = "\n".repeat(SHOWN_LINES_MAX + 1);
        assert_eq!(shown_lines(&many).count(), SHOWN_LINES_MAX);
        let wide = format!("x{}\ny", "é".repeat(SHOWN_LINE_BYTES_MAX));
        let lengths: Vec<_> = shown_lines(&wide).map(str::len).collect();
        assert_eq!(lengths, [SHOWN_LINE_BYTES_MAX - 1, 1]);
        let long = format!("x{}", "é".repeat(SHOWN_BYTES_MAX));
        assert_eq!(shown_start(&long).len(), SHOWN_BYTES_MAX - 1);
    }
}
