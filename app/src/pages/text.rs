//! The text of a paste as HTML: numbered lines, escaped, in parts that a browser can skip while they are out of sight.
//!
//! ```text
//!   <span>                                           a part: up to 200 lines
//!     <span id="L1"><a href="#L1" aria-label="1"></a><i class="k">let</i> x\n</span>
//! ```
//! The number is drawn by the style sheet from `aria-label`, so no selection copies it. Every line ends with a
//! newline, for readers that do not know the style sheet. An `<i>` is a piece with a colour: the shortest element that
//! means no more than "set off"; no piece goes over the end of a line, and plain text has none.

use crate::text::{
    Class, Colouring, Colours, LineRuns, Lines, Painted, SHOWN_LINE_BYTES_MAX, shown_lines,
    shown_start,
};
use std::borrow::Cow;
use std::fmt::Write as _;

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
    /// The first line, counted from 1, with a character that reorders text.
    pub(super) first_reordered_line: Option<usize>,
}

impl Text {
    /// The HTML of a text, or of its start when it is very long.
    pub(super) fn new(painted: Painted<'_>) -> Self {
        let text = painted.text;
        let none = Colours::default();
        let colours = match painted.colouring {
            Colouring::Known(colours) => colours,
            Colouring::None | Colouring::Pending => &none,
        };
        let (html, shown_lines) = numbered(text, colours);
        let lines = Lines(text).count();
        let is_long = |line: &str| line.len() > SHOWN_LINE_BYTES_MAX;
        let is_short = shown_start(text).len() == text.len();
        let cut = !is_short || shown_lines < lines || Lines(text).any(is_long);
        Self {
            html,
            lines,
            shown_lines,
            cut,
            first_reordered_line: first_reordered_line(text),
        }
    }
}

/// The HTML of the lines that are shown, and how many they are.
fn numbered(text: &str, colours: &Colours) -> (String, usize) {
    let lines: Vec<&str> = shown_lines(text).collect();
    let mut runs = colours.lines();
    let mut html = String::with_capacity(text.len() * 2);
    for (part, part_lines) in lines.chunks(PART_LINES).enumerate() {
        html.push_str("<span>");
        for (index, line) in part_lines.iter().enumerate() {
            push_line(&mut html, part * PART_LINES + index + 1, line, &mut runs);
        }
        html.push_str("</span>");
    }
    (html, lines.len())
}

fn push_line(html: &mut String, number: usize, line: &str, runs: &mut LineRuns<'_>) {
    let written = write!(
        html,
        r##"<span id="L{number}"><a href="#L{number}" aria-label="{number}"></a>"##
    );
    written.expect("writing to a string cannot fail");
    let mut rest = line;
    while let Some(run) = runs.next_run() {
        // Whatever the lengths say, every character is written once, whole.
        let (piece, after) = rest.split_at(rest.floor_char_boundary(run.bytes));
        push_piece(html, piece, run.class);
        rest = after;
    }
    push_piece(html, rest, Class::Plain);
    html.push_str("\n</span>");
}

/// A piece of a line in its colour.
fn push_piece(html: &mut String, piece: &str, class: Class) {
    let letter = class.letter().filter(|_| !piece.is_empty());
    if let Some(letter) = letter {
        html.push_str("<i class=\"");
        html.push(letter);
        html.push_str("\">");
    }
    html_escape::encode_text_to_string(visible(piece), html);
    if letter.is_some() {
        html.push_str("</i>");
    }
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

fn first_reordered_line(text: &str) -> Option<usize> {
    let index = Lines(text).position(|line| line.contains(reorders))?;
    Some(index + 1)
}

/// Whether a character embeds, overrides or isolates a direction, or ends that: it can make text read otherwise than
/// a program reads it.
fn reorders(character: char) -> bool {
    matches!(character, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{ColourWriter, SHOWN_BYTES_MAX, SHOWN_LINES_MAX};
    use proptest::prelude::*;

    fn text(text: &str) -> Text {
        Text::new(text.into())
    }

    #[test]
    fn a_line_is_numbered_and_escaped() {
        let line = r##"<span><span id="L1"><a href="#L1" aria-label="1"></a>&lt;b&gt; &amp;
</span></span>"##;
        assert_eq!(text("<b> &").html, line);
    }

    #[test]
    fn control_characters_are_shown_as_pictures() {
        assert_eq!(visible("\0\t\u{1b}[0m\u{7f}\u{85}é"), "␀\t␛[0m␡\u{FFFD}é");
    }

    #[test]
    fn a_part_ends_after_200_lines() {
        let html = text(&"x\n".repeat(401)).html;
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
        let many = text(&"\n".repeat(SHOWN_LINES_MAX));
        assert_eq!((many.shown_lines, many.cut), (SHOWN_LINES_MAX, false));
        let line = "x".repeat(1023) + "\n";
        assert!(!text(&line.repeat(SHOWN_BYTES_MAX / 1024)).cut);
        assert!(!text(&"x".repeat(SHOWN_LINE_BYTES_MAX)).cut);
    }

    #[test]
    fn too_many_lines_are_cut() {
        let text = text(&"x\n".repeat(SHOWN_LINES_MAX + 1));
        assert_eq!((text.shown_lines, text.lines), (20_000, 20_001));
        assert!(text.cut);
    }

    #[test]
    fn too_many_bytes_are_cut_at_the_end_of_a_character() {
        // 1,025 lines of 1,023 bytes, and one byte of a character.
        let text = text(&("é".repeat(511) + "\n").repeat(1_100));
        assert!(text.cut);
        assert_eq!(text.html.matches('é').count(), 1_025 * 511);
    }

    #[test]
    fn a_line_of_megabytes_is_cut_at_the_end_of_a_character() {
        let text = text(&format!("x{}\nnext", "é".repeat(500_000)));
        assert_eq!((text.lines, text.shown_lines, text.cut), (2, 2, true));
        assert_eq!(text.html.matches('é').count(), SHOWN_LINE_BYTES_MAX / 2 - 1);
        assert!(text.html.contains("next"));
    }

    #[test]
    fn the_first_reordered_line_is_found_wherever_it_is() {
        assert_eq!(
            text("a\nb\u{202E}c\n\u{2066}").first_reordered_line,
            Some(2)
        );
        assert_eq!(text("שלום\u{200F}\n").first_reordered_line, None);
    }

    fn painted(text: &str, lines: &[&[(usize, Class)]]) -> String {
        let mut writer = ColourWriter::default();
        for line in lines {
            for (bytes, class) in *line {
                writer.push(*bytes, *class);
            }
            writer.end_line();
        }
        let colours = writer.finish(true);
        let colouring = Colouring::Known(&colours);
        Text::new(Painted { text, colouring }).html
    }

    #[test]
    fn a_run_becomes_an_element_and_plain_text_none() {
        let runs: &[&[_]] = &[
            &[(3, Class::Keyword), (1, Class::Plain), (3, Class::String)],
            &[(1, Class::Number)],
        ];
        let html = painted("let <&>x\n1", runs);
        let first = "<i class=\"k\">let</i> <i class=\"s\">&lt;&amp;&gt;</i>x\n</span>";
        assert!(html.contains(first), "{html}");
        assert!(html.contains("<i class=\"n\">1</i>\n</span>"), "{html}");
    }

    /// Bytes and class of the runs of some lines.
    fn any_lines() -> impl Strategy<Value = Vec<Vec<(usize, Class)>>> {
        let class = proptest::sample::select(&Class::ALL[..]);
        let line = proptest::collection::vec((1..9usize, class), 0..5);
        proptest::collection::vec(line, 0..5)
    }

    proptest! {
        #[test]
        fn no_lengths_change_the_text(text in "[aé<&\n]{0,40}", lines in any_lines()) {
            let lines: Vec<&[_]> = lines.iter().map(Vec::as_slice).collect();
            let html = painted(&text, &lines);
            let mut bare = html.replace("</i>", "");
            for letter in Class::ALL.iter().filter_map(|class| class.letter()) {
                bare = bare.replace(&format!("<i class=\"{letter}\">"), "");
            }
            prop_assert_eq!(bare, painted(&text, &[]));
        }
    }
}
