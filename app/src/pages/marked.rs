//! Plain words with two marks: `code` and **weight**. No other markup, and none of it can be broken.

use leptos::prelude::*;

/// A piece of words.
#[derive(Debug, PartialEq, Eq)]
enum Piece<'a> {
    Plain(&'a str),
    Code(&'a str),
    Strong(&'a str),
}

/// Paragraphs, set apart by empty lines.
pub(super) fn paragraphs(words: &str) -> impl IntoView + use<> {
    let paragraphs = words.split("\n\n").filter(|words| !words.is_empty());
    paragraphs
        .map(|words| view! { <p>{marked(words)}</p> })
        .collect_view()
}

/// Words with their marks.
pub(super) fn marked(words: &str) -> impl IntoView + use<> {
    let pieces = pieces(words).into_iter().map(|piece| match piece {
        Piece::Plain(text) => text.to_owned().into_any(),
        Piece::Code(text) => view! { <code>{text.to_owned()}</code> }.into_any(),
        Piece::Strong(text) => view! { <strong>{text.to_owned()}</strong> }.into_any(),
    });
    pieces.collect_view()
}

/// Marks come in pairs; one that is alone is text.
fn pieces(words: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = words;
    while !rest.is_empty() {
        let Some((before, mark, inside, after)) = next_marked(rest) else {
            pieces.push(Piece::Plain(rest));
            break;
        };
        if !before.is_empty() {
            pieces.push(Piece::Plain(before));
        }
        pieces.push(match mark {
            "`" => Piece::Code(inside),
            _ => Piece::Strong(inside),
        });
        rest = after;
    }
    pieces
}

/// The first pair of marks with something inside: what is before, the mark, what is inside and what is after.
fn next_marked(words: &str) -> Option<(&str, &str, &str, &str)> {
    let pairs = ["`", "**"].into_iter().filter_map(|mark| {
        let (before, rest) = words.split_once(mark)?;
        let (inside, after) = rest.split_once(mark)?;
        (!inside.is_empty()).then_some((before, mark, inside, after))
    });
    pairs.min_by_key(|(before, ..)| before.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn pairs_are_marks_and_single_ones_are_text() {
        use Piece::{Code, Plain, Strong};
        for (words, expected) in [
            ("", vec![]),
            ("plain", vec![Plain("plain")]),
            ("a `b` c", vec![Plain("a "), Code("b"), Plain(" c")]),
            ("**a** `*/*`", vec![Strong("a"), Plain(" "), Code("*/*")]),
            ("`**`", vec![Code("**")]),
            ("a ` b", vec![Plain("a ` b")]),
            ("``", vec![Plain("``")]),
        ] {
            assert_eq!(pieces(words), expected, "{words}");
        }
    }

    proptest! {
        #[test]
        fn nothing_but_marks_is_lost(words in "[a`* ]{0,20}") {
            let shown: String = pieces(&words).iter().map(|piece| match piece {
                Piece::Plain(text) | Piece::Code(text) | Piece::Strong(text) => *text,
            }).collect();
            let bare = |text: &str| text.replace(['`', '*'], "");
            prop_assert_eq!(bare(&shown), bare(&words));
        }
    }
}
