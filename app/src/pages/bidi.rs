//! Characters that change the reading direction: which a text has and where, and how a page shows them.
//!
//! With them a line can read otherwise than a program reads it (CVE-2021-42574). A page names them, and shows each as a
//! label in its place, isolated, so that it has no effect on the text around it.

use crate::text::Lines;
use std::borrow::Cow;
use std::fmt::Write as _;

/// The lines named for each of the characters; "and more" stands for the others.
const NAMED_LINES_MAX: usize = 5;

/// The labels in one text. What comes after is a replacement character: a text of nothing else must not become a page
/// many times its size.
const LABELS_MAX: usize = 1_000;

/// The short name and the name of every character that embeds, overrides or isolates a direction, or ends that.
const NAMES: [(char, &str, &str); 9] = [
    ('\u{202A}', "LRE", "left-to-right embedding"),
    ('\u{202B}', "RLE", "right-to-left embedding"),
    ('\u{202C}', "PDF", "pop directional formatting"),
    ('\u{202D}', "LRO", "left-to-right override"),
    ('\u{202E}', "RLO", "right-to-left override"),
    ('\u{2066}', "LRI", "left-to-right isolate"),
    ('\u{2067}', "RLI", "right-to-left isolate"),
    ('\u{2068}', "FSI", "first strong isolate"),
    ('\u{2069}', "PDI", "pop directional isolate"),
];

/// One of these characters, as a text has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Its short name, as Unicode gives it: `RLO`.
    pub(super) short: &'static str,
    /// Its name in lower case.
    pub(super) name: &'static str,
    /// How often it is there; at least once.
    pub(super) count: usize,
    /// The first lines it is in, counted from 1.
    pub(super) lines: Vec<usize>,
    /// Whether it is in further lines.
    pub(super) more: bool,
}

/// Whether a character is one of these.
fn reorders(character: char) -> bool {
    matches!(character, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Which of these characters a text has.
pub(super) fn find(text: &str) -> Vec<Found> {
    // Most texts have none, and are searched once.
    if !text.contains(reorders) {
        return Vec::new();
    }
    let mut all = NAMES.map(|(_, short, name)| Found {
        short,
        name,
        count: 0,
        lines: Vec::new(),
        more: false,
    });
    for (index, line) in Lines(text).enumerate() {
        for character in line.chars().filter(|character| reorders(*character)) {
            let place = NAMES.iter().position(|(known, ..)| *known == character);
            if let Some(place) = place {
                all[place].add(index + 1);
            }
        }
    }
    let found = |found: &Found| found.count > 0;
    all.into_iter().filter(found).collect()
}

impl Found {
    fn add(&mut self, line: usize) {
        self.count += 1;
        if self.lines.last() == Some(&line) {
            return;
        }
        if self.lines.len() < NAMED_LINES_MAX {
            self.lines.push(line);
        } else {
            self.more = true;
        }
    }
}

/// The HTML of a text with every one of these characters labelled: `<bdi data-bidi="RLO">` around it, for the style
/// sheet to draw. They must stand in no attribute.
pub(super) fn label(html: String) -> String {
    if !html.contains(reorders) {
        return html;
    }
    let mut labelled = String::with_capacity(html.len() + html.len() / 4);
    let mut labels = 0;
    for character in html.chars() {
        match NAMES.iter().find(|(known, ..)| *known == character) {
            None => labelled.push(character),
            Some((_, short, _)) if labels < LABELS_MAX => {
                labels += 1;
                let written = write!(labelled, r#"<bdi data-bidi="{short}">{character}</bdi>"#);
                written.expect("writing to a string cannot fail");
            }
            Some(_) => labelled.push(char::REPLACEMENT_CHARACTER),
        }
    }
    labelled
}

/// The text without these characters, for places where no label can stand.
pub(super) fn without(text: &str) -> Cow<'_, str> {
    if text.contains(reorders) {
        text.replace(reorders, "").into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_character_is_counted_with_its_first_lines() {
        let found = find("a\nb\u{202E}c\u{202E}\n\u{2066}\n\u{202E}");
        let found: Vec<_> = found
            .iter()
            .map(|found| (found.short, found.count, &found.lines[..], found.more))
            .collect();
        assert_eq!(
            found,
            [("RLO", 3, &[2, 4][..], false), ("LRI", 1, &[3], false)]
        );
    }

    #[test]
    fn only_the_first_lines_are_named() {
        let [found] = &find(&"\u{2069}\n".repeat(7))[..] else {
            panic!("one kind")
        };
        assert_eq!((found.count, found.more), (7, true));
        assert_eq!(found.lines, [1, 2, 3, 4, 5]);
    }

    #[test]
    fn other_characters_of_scripts_from_right_to_left_are_no_reason_to_warn() {
        assert_eq!(find("שלום\u{200F} \u{61C}عالم\u{200E}"), []);
    }

    #[test]
    fn every_one_of_them_has_a_name() {
        let all = ('\0'..=char::MAX).filter(|character| reorders(*character));
        assert!(all.eq(NAMES.map(|(character, ..)| character)));
    }

    #[test]
    fn they_are_labelled_in_their_places() {
        assert_eq!(
            label("<i>a\u{202E}</i>b".into()),
            "<i>a<bdi data-bidi=\"RLO\">\u{202E}</bdi></i>b"
        );
        assert_eq!(label("<i>a</i>".into()), "<i>a</i>");
    }

    #[test]
    fn a_text_of_nothing_else_does_not_grow_without_end() {
        let html = label("\u{2066}".repeat(100_000));
        assert_eq!(html.matches("<bdi").count(), LABELS_MAX);
        assert!(html.len() < 400_000);
        assert!(html.ends_with(char::REPLACEMENT_CHARACTER));
    }

    #[test]
    fn they_can_be_taken_out() {
        assert_eq!(without("a\u{202E}b\u{2069}"), "ab");
        assert_eq!(without("ab"), "ab");
    }
}
