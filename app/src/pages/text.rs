//! The text of a paste as HTML: numbered lines, escaped, in parts that a browser can skip while they are out of sight.
//!
//! ```text
//!   <span>                                           a part: up to 200 lines
//!     <span id="L1"><a href="#L1" aria-label="1"></a>first line\n</span>
//! ```
//! The number is drawn by the style sheet from `aria-label`, so no selection copies it. Every line ends with a
//! newline, for readers that do not know the style sheet.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The most bytes of text a page shows: 1 MiB.
pub(super) const SHOWN_BYTES_MAX: usize = 1024 * 1024;

/// The most lines of text a page shows.
pub(super) const SHOWN_LINES_MAX: usize = 20_000;

/// The most bytes of one line a page shows: browsers take seconds to wrap a line of megabytes (measured in Chromium).
pub(super) const SHOWN_LINE_BYTES_MAX: usize = 64 * 1024;

/// Lines a browser lays out, or skips, together. The style sheet assumes the same number.
const PART_LINES: usize = 200;

/// The text of a paste, ready for its page.
pub(super) struct Text {
    /// The children of `<pre>`: nothing but our own tags and escaped text.
    pub(super) html: String,
    /// Lines of the whole text.
    pub(super) lines: usize,
    /// Lines in `html`; fewer than `lines` when the text is too long to show whole.
    pub(super) shown_lines: usize,
    /// Whether the text goes on after what `html` shows.
    pub(super) cut: bool,
}

impl Text {
    /// The HTML of a text, or of its start when it is very long.
    pub(super) fn new(text: &str) -> Self {
        let start = &text[..text.floor_char_boundary(SHOWN_BYTES_MAX)];
        let (html, shown_lines) = numbered(start);
        let lines = Lines(text).count();
        let is_long = |line: &str| line.len() > SHOWN_LINE_BYTES_MAX;
        let cut = start.len() < text.len() || shown_lines < lines || Lines(text).any(is_long);
        Self {
            html,
            lines,
            shown_lines,
            cut,
        }
    }
}

/// The HTML of the first lines of a text, and how many they are.
fn numbered(text: &str) -> (String, usize) {
    let lines: Vec<&str> = Lines(text).take(SHOWN_LINES_MAX).collect();
    let mut html = String::with_capacity(text.len() * 2);
    for (part, part_lines) in lines.chunks(PART_LINES).enumerate() {
        html.push_str("<span>");
        for (index, line) in part_lines.iter().enumerate() {
            push_line(&mut html, part * PART_LINES + index + 1, line);
        }
        html.push_str("</span>");
    }
    (html, lines.len())
}

fn push_line(html: &mut String, number: usize, line: &str) {
    let written = write!(
        html,
        r##"<span id="L{number}"><a href="#L{number}" aria-label="{number}"></a>"##
    );
    written.expect("writing to a string cannot fail");
    let start = &line[..line.floor_char_boundary(SHOWN_LINE_BYTES_MAX)];
    html_escape::encode_text_to_string(visible(start), html);
    html.push_str("\n</span>");
}

/// The line with a picture in place of every control character but the tab.
fn visible(line: &str) -> Cow<'_, str> {
    if line.contains(is_unprintable) {
        line.chars()
            .map(|c| if is_unprintable(c) { picture(c) } else { c })
            .collect()
    } else {
        line.into()
    }
}

/// Whether a character within a line needs a picture to be seen.
fn is_unprintable(character: char) -> bool {
    character.is_control() && character != '\t'
}

/// The picture of a control character: Unicode has one for each in ASCII.
fn picture(control: char) -> char {
    match u32::from(control) {
        code @ 0..=0x1F => char::from_u32(0x2400 + code).unwrap_or(char::REPLACEMENT_CHARACTER),
        0x7F => '\u{2421}',
        _ => char::REPLACEMENT_CHARACTER,
    }
}

/// The lines of a text as a browser breaks them: at LF, CR LF and CR. A break at the very end opens no further line.
pub(super) struct Lines<'a>(pub(super) &'a str);

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

    #[test]
    fn a_line_is_numbered_and_escaped() {
        let line = r##"<span><span id="L1"><a href="#L1" aria-label="1"></a>&lt;b&gt; &amp;
</span></span>"##;
        assert_eq!(Text::new("<b> &").html, line);
    }

    #[test]
    fn control_characters_are_shown_as_pictures() {
        assert_eq!(visible("\0\t\u{1b}[0m\u{7f}\u{85}é"), "␀\t␛[0m␡\u{FFFD}é");
    }

    #[test]
    fn a_part_ends_after_200_lines() {
        let html = Text::new(&"x\n".repeat(401)).html;
        assert_eq!(html.matches("</span><span><span id=").count(), 2);
        assert!(html.contains(r#"</span></span><span><span id="L201">"#));
    }

    #[test]
    fn the_style_sheet_knows_how_long_a_part_is() {
        let style = include_str!("../../../style/main.css");
        assert!(style.contains(&format!("auto {PART_LINES}lh;")));
    }

    #[test]
    fn a_text_at_the_limit_is_shown_whole() {
        let many = Text::new(&"\n".repeat(SHOWN_LINES_MAX));
        assert_eq!((many.shown_lines, many.cut), (SHOWN_LINES_MAX, false));
        let line = "x".repeat(1023) + "\n";
        assert!(!Text::new(&line.repeat(SHOWN_BYTES_MAX / 1024)).cut);
        assert!(!Text::new(&"x".repeat(SHOWN_LINE_BYTES_MAX)).cut);
    }

    #[test]
    fn too_many_lines_are_cut() {
        let text = Text::new(&"x\n".repeat(SHOWN_LINES_MAX + 1));
        assert_eq!((text.shown_lines, text.lines), (20_000, 20_001));
        assert!(text.cut);
    }

    #[test]
    fn too_many_bytes_are_cut_at_the_end_of_a_character() {
        // 1,025 lines of 1,023 bytes, and one byte of a character.
        let text = Text::new(&("é".repeat(511) + "\n").repeat(1_100));
        assert!(text.cut);
        assert_eq!(text.html.matches('é').count(), 1_025 * 511);
    }

    #[test]
    fn a_line_of_megabytes_is_cut_at_the_end_of_a_character() {
        let text = Text::new(&format!("x{}\nnext", "é".repeat(500_000)));
        assert_eq!((text.lines, text.shown_lines, text.cut), (2, 2, true));
        assert_eq!(text.html.matches('é').count(), SHOWN_LINE_BYTES_MAX / 2 - 1);
        assert!(text.html.contains("next"));
    }

    proptest! {
        #[test]
        fn lines_and_newlines_make_up_the_text(text in "[a\n\r]{0,30}") {
            let unified = text.replace("\r\n", "\n").replace('\r', "\n");
            prop_assert_eq!(lines(&text), unified.lines().collect::<Vec<_>>());
        }
    }
}
