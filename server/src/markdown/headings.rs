//! The ids of headings, so that a text's own table of contents leads somewhere.

use std::collections::HashMap;

/// Bytes of an id; a heading of megabytes needs none as long.
const SLUG_BYTES_MAX: usize = 80;

/// The ids given so far.
#[derive(Debug, Default)]
pub(super) struct Slugs(HashMap<String, usize>);

impl Slugs {
    /// The id of the next heading, made as other sites make it: lower case, hyphens for blanks, no punctuation, and a
    /// number if it was given before.
    pub(super) fn next<'a>(&mut self, words: impl Iterator<Item = &'a str>) -> String {
        let mut slug = String::new();
        for character in words.flat_map(str::chars) {
            if slug.len() >= SLUG_BYTES_MAX {
                break;
            }
            match character {
                ' ' | '-' => slug.push('-'),
                '_' => slug.push('_'),
                _ if character.is_alphanumeric() => slug.extend(character.to_lowercase()),
                _ => {}
            }
        }
        let given = self.0.entry(slug.clone()).or_default();
        let number = *given;
        *given += 1;
        if number == 0 {
            slug
        } else {
            format!("{slug}-{number}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_lower_case_words_and_unlike_each_other() {
        let mut slugs = Slugs::default();
        for (heading, slug) in [
            ("Getting Started", "getting-started"),
            ("What's new? (2.0)", "whats-new-20"),
            ("Über_Größe", "über_größe"),
            ("Getting started", "getting-started-1"),
            ("Getting started!", "getting-started-2"),
            ("\"><script>", "script"),
        ] {
            assert_eq!(slugs.next([heading].into_iter()), slug);
        }
    }

    #[test]
    fn an_id_is_short() {
        let long = "x".repeat(10_000);
        assert_eq!(Slugs::default().next([&*long].into_iter()).len(), 80);
    }
}
