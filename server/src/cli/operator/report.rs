//! The lines that `check` prints: what is right, what is worth a look, what is wrong.

use std::fmt::Display;
use std::io::Write;

/// Names that a line shows of many.
const NAMES_MAX: usize = 3;

/// Lines printed so far, and how many of them said that something is wrong.
#[derive(Debug, Default)]
pub(super) struct Report {
    wrong: usize,
}

impl Report {
    /// As it should be.
    pub(super) fn ok(&self, place: impl Display, what: impl Display) {
        print("ok   ", &place, &what);
    }

    /// Nothing to do about it: it is normal, or goes away by itself.
    pub(super) fn note(&self, place: impl Display, what: impl Display) {
        print("note ", &place, &what);
    }

    /// Something to do about.
    pub(super) fn wrong(&mut self, place: impl Display, what: impl Display) {
        self.wrong += 1;
        print("wrong", &place, &what);
    }

    /// [`Self::wrong`] or [`Self::note`].
    pub(super) fn wrong_if(&mut self, is_wrong: bool, place: impl Display, what: impl Display) {
        if is_wrong {
            self.wrong(place, what);
        } else {
            self.note(place, what);
        }
    }

    /// How many lines said that something is wrong.
    pub(super) fn wrong_lines(&self) -> usize {
        self.wrong
    }
}

/// A reader that went away wants no more lines.
fn print(word: &str, place: &dyn Display, what: &dyn Display) {
    writeln!(std::io::stdout(), "{word} {place}: {what}").ok();
}

/// Many things, of which the first few are named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) count: u64,
    first: Vec<String>,
}

impl Counted {
    pub(super) fn add(&mut self, name: impl Into<String>) {
        self.count += 1;
        if self.first.len() < NAMES_MAX {
            self.first.push(name.into());
        }
    }

    pub(super) fn is_none(&self) -> bool {
        self.count == 0
    }

    /// The first names, and whether there are more.
    pub(super) fn names(&self) -> String {
        names(&self.first, self.count)
    }
}

/// The first names of so many.
pub(super) fn names(first: &[String], count: u64) -> String {
    let more = if count > first.len() as u64 {
        ", …"
    } else {
        ""
    };
    format!("{}{more}", first.join(", "))
}

/// A number and its word: `1 paste`, `2 pastes`.
pub(super) fn many(count: u64, word: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {word}{s}")
}
