//! Which syntax a text is in that names none: by its title, its first line, or words that stand at line starts.
//!
//! A guess must be quick and may be wrong only quietly: without enough signs a text stays plain.

use super::grammars::grammar;
use super::hints::{BEGINNINGS, FILE_NAMES, INTERPRETERS, SIGNS};
use app::wire::syntax::PLAIN;
use serde::de::IgnoredAny;

/// Bytes at the start of a text that are looked at.
const LOOKED_AT_BYTES: usize = 8 * 1024;

/// The longest text that is tried as JSON.
const JSON_BYTES_MAX: usize = 256 * 1024;

/// Signs that a guess needs.
const SIGNS_MIN: usize = 3;

/// The grammar a title's file name points to.
pub(super) fn by_title(title: &str) -> Option<&'static str> {
    let file = title.trim().rsplit(['/', '\\']).next()?;
    let lower = file.to_ascii_lowercase();
    if let Some((_, found)) = FILE_NAMES.iter().find(|(name, _)| *name == lower) {
        return grammar(found);
    }
    let (_, extension) = file.rsplit_once('.')?;
    grammar(extension)
}

/// The grammar a text itself points to; [`PLAIN`] where it does not.
pub(super) fn guess(text: &str) -> &'static str {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let start = &text[..text.floor_char_boundary(LOOKED_AT_BYTES)];
    let found = by_first_line(start)
        .or_else(|| is_json(text).then_some("json"))
        .or_else(|| by_signs(start));
    found.and_then(grammar).unwrap_or(PLAIN)
}

fn by_first_line(start: &str) -> Option<&'static str> {
    let line = start.trim_start().lines().next()?;
    if let Some(command) = line.strip_prefix("#!") {
        let words = command.split_ascii_whitespace();
        let mut programs = words.map(|word| word.rsplit('/').next().unwrap_or(word));
        let program = programs.find(|word| *word != "env" && !word.starts_with('-'))?;
        let name = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        return find(INTERPRETERS, |known| known == name);
    }
    let lower = line.to_ascii_lowercase();
    find(BEGINNINGS, |known| lower.starts_with(known))
}

fn find(table: &[(&'static str, &'static str)], is: impl Fn(&str) -> bool) -> Option<&'static str> {
    let row = table.iter().find(|(known, _)| is(known))?;
    Some(row.1)
}

/// Whether a text is an object or array, whole. A deep one is not: the parser gives up at 128 levels.
fn is_json(text: &str) -> bool {
    text.len() <= JSON_BYTES_MAX
        && text.trim_start().starts_with(['{', '['])
        && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// The syntax with most signs, if they are enough and of at least two kinds, and no other has as many.
fn by_signs(start: &str) -> Option<&'static str> {
    let count = |signs: &str| {
        let mut seen = vec![0; signs.split('|').count()];
        for line in start.lines() {
            if let Some(at) = signs.split('|').position(|sign| is_sign(sign, line)) {
                seen[at] += 1;
            }
        }
        let kinds = seen.iter().filter(|lines| **lines > 0).count();
        if kinds >= 2 { seen.iter().sum() } else { 0 }
    };
    let counts = SIGNS.iter().map(|(name, signs)| (count(signs), *name));
    let counts: Vec<(usize, &str)> = counts.collect();
    let most = counts.iter().map(|(signs, _)| *signs).max()?;
    let mut first = counts.iter().filter(|(signs, _)| *signs == most);
    let (_, name) = first.next()?;
    (most >= SIGNS_MIN && first.next().is_none()).then_some(name)
}

/// Whether a line begins with a sign, or is it: a bare word could begin prose.
fn is_sign(sign: &str, line: &str) -> bool {
    let bare = line.trim();
    if sign.bytes().all(|byte| byte.is_ascii_lowercase()) {
        bare.trim_end_matches(';') == sign
    } else {
        bare.starts_with(sign)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_names_syntaxes() {
        let tables = [FILE_NAMES, INTERPRETERS, BEGINNINGS];
        let named = tables.into_iter().flatten().map(|(_, name)| *name);
        for name in named.chain(SIGNS.iter().map(|(name, _)| *name)) {
            assert!(grammar(name).is_some(), "{name}");
        }
    }

    #[test]
    fn a_title_tells_by_its_file_name() {
        for (title, expected) in [
            ("main.rs", Some("rust")),
            ("src\\App.TSX", Some("tsx")),
            ("a/b/Makefile", Some("makefile")),
            ("CMakeLists.txt", Some("cmake")),
            ("notes.txt", Some(PLAIN)),
            ("Meeting at 10.30", None),
            ("A title.", None),
            ("rust", None),
            ("", None),
        ] {
            assert_eq!(by_title(title), expected, "{title}");
        }
    }

    #[test]
    fn a_text_tells_by_its_first_line_or_its_words() {
        for (text, expected) in [
            ("#!/usr/bin/env python3\nx", "python"),
            ("#!/bin/sh -e\n", "bash"),
            ("#!/usr/bin/env -S node --x\n", "javascript"),
            ("\u{FEFF}<?xml version='1.0'?>", "xml"),
            ("<!DOCTYPE html>\n", "html"),
            ("{\"a\": [1, 2]}\n", "json"),
            (
                "use std::io;\n\nfn main() {\n    let mut x = 1;\n}\n",
                "rust",
            ),
            (
                "import os\n\ndef f(x):\n    return x\n\nprint(f(1))\n",
                "python",
            ),
            ("package main\n\nfunc main() {\n\tif err != nil {\n", "go"),
            ("SELECT a\nFROM b\nWHERE c = 1;\n", "sql"),
            (
                "# Title\n\nSome words.\n\n## Part\n\n```\nx\n```\n",
                "markdown",
            ),
        ] {
            assert_eq!(guess(text), expected, "{text}");
        }
    }

    #[test]
    fn prose_and_notes_stay_plain() {
        let letter = "Dear all,\n\nfrom Monday on the office is closed.\nlet me know if that\nis a problem.\n\nimport duties rise, \
                      return the form\n";
        let list = "- milk\n- bread\n- eggs\n";
        for text in [
            "",
            "\n",
            "some text",
            letter,
            list,
            "a,b,c\n1,2,3\n",
            "[not json",
            "{}x",
            "12:00 start\n12:01 done\n",
        ] {
            assert_eq!(guess(text), PLAIN, "{text}");
        }
        assert_eq!(guess(&"[".repeat(100_000)), PLAIN);
    }
}
