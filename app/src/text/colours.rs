//! The colours of a text: what each piece of a line is, by length.

/// What a piece of text is, and so which colour it has. The style sheet has a rule for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Nothing in particular: no colour and no markup.
    Plain,
    /// A remark for people.
    Comment,
    /// A word of the language.
    Keyword,
    /// Quoted text.
    String,
    /// An escape within a string.
    Escape,
    /// A number.
    Number,
    /// A value with a name: `true`, `NULL`, a symbol.
    Constant,
    /// The name of something that is called.
    Function,
    /// The name of a type, class or module.
    Type,
    /// The name of an element, or the key of a mapping.
    Tag,
    /// The name of an attribute or property, or an annotation.
    Attribute,
    /// A parameter, or a variable where the language marks them.
    Variable,
    /// A heading or section.
    Heading,
    /// Emphasized text.
    Strong,
    /// A line that a change brings.
    Inserted,
    /// A line that a change takes away.
    Deleted,
}

impl Class {
    /// Every class, by its code.
    pub const ALL: [Self; 16] = [
        Self::Plain,
        Self::Comment,
        Self::Keyword,
        Self::String,
        Self::Escape,
        Self::Number,
        Self::Constant,
        Self::Function,
        Self::Type,
        Self::Tag,
        Self::Attribute,
        Self::Variable,
        Self::Heading,
        Self::Strong,
        Self::Inserted,
        Self::Deleted,
    ];

    /// The class's name in HTML and in the style sheet: one letter, and none for plain text.
    #[must_use]
    pub fn letter(self) -> Option<char> {
        let letter = match self {
            Self::Plain => return None,
            Self::Comment => 'c',
            Self::Keyword => 'k',
            Self::String => 's',
            Self::Escape => 'e',
            Self::Number => 'n',
            Self::Constant => 'o',
            Self::Function => 'f',
            Self::Type => 't',
            Self::Tag => 'g',
            Self::Attribute => 'a',
            Self::Variable => 'v',
            Self::Heading => 'h',
            Self::Strong => 'b',
            Self::Inserted => 'i',
            Self::Deleted => 'd',
        };
        Some(letter)
    }
}

/// A piece of a line that has one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its length in bytes, at least 1.
    pub bytes: usize,
    /// What it is.
    pub class: Class,
}

/// The colours of the first lines of a text.
///
/// Kept small, since many are kept: a run is its length above four bits of class, seven bits a byte (LEB128), most
/// often one byte in all. A zero ends a line; what follows the last run of a line is plain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Colours {
    runs: Box<[u8]>,
    ends_early_after: Option<usize>,
}

impl Colours {
    /// The lines that have colours, where they end before the text that is shown does.
    #[must_use]
    pub fn ends_early_after(&self) -> Option<usize> {
        self.ends_early_after
    }

    /// Bytes they take.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.runs.len()
    }

    /// The runs of each line. After the last there are only plain ones.
    #[must_use]
    pub fn lines(&self) -> LineRuns<'_> {
        LineRuns { rest: &self.runs }
    }
}

/// Gives the runs of one line after another.
#[derive(Clone, Debug)]
pub struct LineRuns<'a> {
    rest: &'a [u8],
}

impl LineRuns<'_> {
    /// The next run of this line. After the last one it goes on to the next line.
    pub fn next_run(&mut self) -> Option<Run> {
        let (mut value, mut shift) = (0usize, 0u32);
        while let Some((byte, rest)) = self.rest.split_first() {
            self.rest = rest;
            value |= usize::from(byte & 0x7F) << shift.min(usize::BITS - 8);
            shift += 7;
            if byte & 0x80 == 0 {
                break;
            }
        }
        let class = *Class::ALL.get(value & 0xF)?;
        let bytes = value >> 4;
        (bytes > 0).then_some(Run { bytes, class })
    }
}

/// Writes colours down line by line.
#[derive(Debug, Default)]
pub struct ColourWriter {
    runs: Vec<u8>,
    line: Option<Run>,
    lines: usize,
}

impl ColourWriter {
    /// The next piece of this line. Neighbours of one class become one run.
    pub fn push(&mut self, bytes: usize, class: Class) {
        match &mut self.line {
            _ if bytes == 0 => {}
            Some(run) if run.class == class => run.bytes += bytes,
            _ => {
                self.flush();
                self.line = Some(Run { bytes, class });
            }
        }
    }

    /// Ends the line.
    pub fn end_line(&mut self) {
        // Plain text at the end of a line needs no run.
        if self.line.is_some_and(|run| run.class != Class::Plain) {
            self.flush();
        }
        self.line = None;
        self.runs.push(0);
        self.lines += 1;
    }

    /// The colours written so far; `whole` says whether they are those of all that is shown.
    #[must_use]
    pub fn finish(self, whole: bool) -> Colours {
        Colours {
            runs: self.runs.into(),
            ends_early_after: (!whole).then_some(self.lines),
        }
    }

    fn flush(&mut self) {
        let Some(Run { bytes, class }) = self.line.take() else {
            return;
        };
        let code = Class::ALL.iter().position(|other| *other == class);
        let mut value = bytes << 4 | code.unwrap_or(0);
        while value > 0x7F {
            self.runs.push(0x80 | low_bits(value));
            value >>= 7;
        }
        self.runs.push(low_bits(value));
    }
}

/// The last seven bits.
fn low_bits(value: usize) -> u8 {
    u8::try_from(value & 0x7F).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn run(bytes: usize, class: Class) -> Run {
        Run { bytes, class }
    }

    #[test]
    fn every_class_but_plain_has_a_letter_of_its_own() {
        let letters: HashSet<_> = Class::ALL
            .iter()
            .filter_map(|class| class.letter())
            .collect();
        assert_eq!(letters.len(), Class::ALL.len() - 1);
        assert_eq!(Class::Plain.letter(), None);
    }

    #[test]
    fn neighbours_of_one_class_become_one_run_and_plain_ends_none() {
        let mut writer = ColourWriter::default();
        for (bytes, class) in [(2, Class::Keyword), (0, Class::String), (3, Class::Keyword)] {
            writer.push(bytes, class);
        }
        writer.push(9, Class::Plain);
        writer.end_line();
        writer.end_line();
        writer.push(1, Class::Plain);
        writer.push(300, Class::Comment);
        writer.end_line();
        let colours = writer.finish(true);
        let mut lines = colours.lines();
        assert_eq!(lines.next_run(), Some(run(5, Class::Keyword)));
        assert_eq!(lines.next_run(), None);
        assert_eq!(lines.next_run(), None);
        assert_eq!(lines.next_run(), Some(run(1, Class::Plain)));
        assert_eq!(lines.next_run(), Some(run(300, Class::Comment)));
        assert_eq!([lines.next_run(), lines.next_run()], [None, None]);
        assert_eq!(colours.ends_early_after(), None);
    }

    #[test]
    fn colours_that_end_early_say_after_which_line() {
        let mut writer = ColourWriter::default();
        writer.push(3, Class::Keyword);
        writer.end_line();
        assert_eq!(writer.finish(false).ends_early_after(), Some(1));
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(
            lines in proptest::collection::vec(
                proptest::collection::vec((1usize..70_000, 1usize..16), 0..6), 0..6,
            ),
        ) {
            let mut writer = ColourWriter::default();
            let mut expected = Vec::new();
            for line in &lines {
                let mut merged: Vec<Run> = Vec::new();
                for (bytes, code) in line {
                    let class = Class::ALL[*code];
                    writer.push(*bytes, class);
                    match merged.last_mut() {
                        Some(last) if last.class == class => last.bytes += bytes,
                        _ => merged.push(run(*bytes, class)),
                    }
                }
                writer.end_line();
                expected.push(merged);
            }
            let colours = writer.finish(true);
            let mut runs = colours.lines();
            for line in expected {
                let read: Vec<_> = std::iter::from_fn(|| runs.next_run()).collect();
                prop_assert_eq!(read, line);
            }
            prop_assert_eq!(runs.next_run(), None);
        }
    }
}
