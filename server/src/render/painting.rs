//! The colours of one text, line by line: work that can be left and taken up again between two lines.

use super::classes::Classes;
use app::text::{Class, ColourWriter, Colours, Lines, SHOWN_LINES_MAX};
use syntect::parsing::{ParseState, ScopeStack, SyntaxReference, SyntaxSet};

/// The most bytes of a line that are parsed; what follows is plain.
///
/// Nothing stops a pattern that has begun on a line, and some need time that grows with the third power of its length.
pub(super) const LINE_BYTES_MAX: usize = 1024;

/// A text that is being coloured.
#[derive(Debug)]
pub(super) struct Painting {
    text: String,
    /// Bytes of `text` that are done: whole lines.
    done_bytes: usize,
    done_lines: usize,
    parser: ParseState,
    scopes: ScopeStack,
    writer: ColourWriter,
    /// A line with its newline, for the parser.
    line: String,
}

/// The grammar cannot go on with this text.
#[derive(Debug)]
pub(super) struct Stuck;

impl Painting {
    /// The colours of a text's shown start, none of them worked out yet.
    pub(super) fn new(text: String, grammar: &SyntaxReference) -> Self {
        Self {
            text,
            done_bytes: 0,
            done_lines: 0,
            parser: ParseState::new(grammar),
            scopes: ScopeStack::new(),
            writer: ColourWriter::default(),
            line: String::new(),
        }
    }

    /// Colours the next line; false when there was none.
    pub(super) fn paint_line(
        &mut self,
        grammars: &SyntaxSet,
        classes: &mut Classes,
    ) -> Result<bool, Stuck> {
        if self.done_lines == SHOWN_LINES_MAX {
            return Ok(false);
        }
        let mut rest = Lines(&self.text[self.done_bytes..]);
        let Some(line) = rest.next() else {
            return Ok(false);
        };
        self.done_bytes = self.text.len() - rest.0.len();
        let start = &line[..line.floor_char_boundary(LINE_BYTES_MAX)];
        let is_cut = start.len() < line.len();
        self.line.clear();
        self.line.push_str(start);
        self.line.push('\n');
        // The end of a cut line is never seen, so the next line goes on as if the whole had not been there.
        let before = is_cut.then(|| (self.parser.clone(), self.scopes.clone()));
        self.paint(grammars, classes)?;
        if let Some((parser, scopes)) = before {
            (self.parser, self.scopes) = (parser, scopes);
        }
        self.writer.end_line();
        self.done_lines += 1;
        Ok(true)
    }

    /// The colours worked out so far; `whole` if that is all of them.
    pub(super) fn finish(self, whole: bool) -> Colours {
        self.writer.finish(whole)
    }

    /// Writes down the colours of `self.line`.
    fn paint(&mut self, grammars: &SyntaxSet, classes: &mut Classes) -> Result<(), Stuck> {
        let changes = self.parser.parse_line(&self.line, grammars);
        let changes = changes.map_err(|_| Stuck)?;
        let line = self.line.trim_end_matches('\n').as_bytes();
        let mut pieces = Pieces {
            writer: &mut self.writer,
            last: Class::Plain,
            blanks: 0,
        };
        let mut at = 0;
        for (offset, change) in &changes {
            let end = (*offset).clamp(at, line.len());
            if end > at {
                pieces.push(&line[at..end], classes.of(self.scopes.as_slice()));
                at = end;
            }
            self.scopes.apply(change).map_err(|_| Stuck)?;
        }
        pieces.push(&line[at..], classes.of(self.scopes.as_slice()));
        Ok(())
    }
}

/// Takes the pieces of a line. Blanks between two pieces of one class join them, which saves an element.
struct Pieces<'a> {
    writer: &'a mut ColourWriter,
    last: Class,
    blanks: usize,
}

impl Pieces<'_> {
    fn push(&mut self, piece: &[u8], class: Class) {
        if piece.iter().all(u8::is_ascii_whitespace) {
            self.blanks += piece.len();
            return;
        }
        let joined = if class == self.last {
            class
        } else {
            Class::Plain
        };
        self.writer.push(self.blanks, joined);
        self.writer.push(piece.len(), class);
        (self.last, self.blanks) = (class, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::grammars::Grammars;
    use std::time::Duration;

    /// The runs of each line, as class letter (a dot for plain) and length.
    fn painted(grammar: &str, text: &str) -> Vec<String> {
        let (grammars, mut classes) = (Grammars::load(), Classes::new());
        let grammar = grammars.find(grammar).unwrap();
        let mut painting = Painting::new(text.to_owned(), grammar);
        while painting.paint_line(&grammars.set, &mut classes).unwrap() {}
        let lines = painting.done_lines;
        let colours = painting.finish(true);
        let mut runs = colours.lines();
        let line = |_| {
            let runs = std::iter::from_fn(|| runs.next_run());
            let words =
                runs.map(|run| format!("{}{}", run.class.letter().unwrap_or('.'), run.bytes));
            words.collect::<Vec<_>>().join(" ")
        };
        (0..lines).map(line).collect()
    }

    #[test]
    fn pieces_have_their_classes_and_neighbours_are_one() {
        assert_eq!(painted("rust", "pub fn f() {}\n"), ["k6 .1 f1"]);
        assert_eq!(painted("json", r#"{"a": "\n"}"#), [".1 g3 .2 s1 e2 s1"]);
    }

    #[test]
    fn what_goes_over_several_lines_is_coloured_on_each() {
        assert_eq!(painted("c", "/* a\r\nb */ int"), ["c4", "c4 .1 k3"]);
    }

    #[test]
    fn a_long_line_is_coloured_at_its_start_and_spoils_nothing() {
        let text = format!("x = \"{}\"\ny = 1\n", "é".repeat(LINE_BYTES_MAX));
        assert_eq!(painted("python", &text), [".4 s1019", ".4 n1"]);
    }

    /// Found at random and made as short as they go: with the grammars as they come, none of these ends.
    #[test]
    fn a_comment_after_an_expression_is_no_endless_loop() {
        for (grammar, text, expected) in [
            ("javascript", "x /*", ".2 c2"),
            ("javascript", "x /* a\n*/ y", ".2 c4|c2"),
            ("javascript", "a.b /* c */\nd", ".4 c7|"),
            ("javascript", "return f /** g\n*/", "k6 .3 c5|c2"),
            ("javascript", "$\u{b}/*", ".2 c2"),
            (
                "html",
                "<script>\nx /* a */\n</script>",
                ".1 g6|.2 c7|.2 g6",
            ),
            ("markdown", "```js\nx /* a */\n```", ".3 o2|.2 c7|"),
        ] {
            let (send, in_time) = std::sync::mpsc::channel();
            std::thread::spawn(move || send.send(painted(grammar, text)));
            let painted = in_time.recv_timeout(Duration::from_secs(60));
            assert_eq!(
                painted.expect(text).join("|"),
                expected,
                "{grammar} {text:?}"
            );
        }
    }

    #[test]
    fn colours_end_with_what_is_shown() {
        let text = "# x\n".repeat(SHOWN_LINES_MAX + 1);
        assert_eq!(painted("python", &text).len(), SHOWN_LINES_MAX);
    }
}
