//! The grammars of the highlighter, found by the names of `app::wire::syntax`.

use app::wire::syntax::{self, PLAIN};
use syntect::dumps::from_uncompressed_data;
use syntect::parsing::{SyntaxReference, SyntaxSet};

/// What the build script made.
const SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/grammars"));

/// The name or extension by which the syntax set knows a syntax, or `plain`; `None` for a spelling nobody knows.
pub(super) fn grammar(spelling: &str) -> Option<&'static str> {
    // Dialects with a grammar of their own.
    for dialect in ["tsx", "jsx", "sass"] {
        if spelling.eq_ignore_ascii_case(dialect) {
            return Some(dialect);
        }
    }
    let name = syntax::canonical(spelling)?;
    Some(match name {
        "batch" => "bat",
        "csharp" => "cs",
        "fortran" => "f90",
        "fsharp" => "fs",
        known => known,
    })
}

/// The syntaxes, with a grammar for each. Loading takes about 10 ms and 3 MB; patterns are compiled when first used.
#[derive(Debug)]
pub(super) struct Grammars {
    pub(super) set: SyntaxSet,
}

impl Grammars {
    pub(super) fn load() -> Self {
        Self {
            // Tests read it: it can be read. Without it there are no colours, and everything else is there.
            set: from_uncompressed_data(SET).unwrap_or_default(),
        }
    }

    /// The grammar of that name, unless the name is [`PLAIN`] or unknown.
    pub(super) fn find(&self, grammar: &str) -> Option<&SyntaxReference> {
        (grammar != PLAIN)
            .then(|| self.set.find_syntax_by_token(grammar))
            .flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_syntax_has_a_grammar_of_its_own() {
        let grammars = Grammars::load();
        let mut seen = std::collections::HashSet::new();
        for syntax in syntax::ALL.iter().filter(|syntax| syntax.name != PLAIN) {
            let found = grammar(syntax.name).and_then(|name| grammars.find(name));
            let found = found.unwrap_or_else(|| panic!("{} is unknown", syntax.name));
            assert!(seen.insert(found.name.clone()), "{} twice", found.name);
            for alias in syntax.aliases {
                assert!(
                    grammar(alias)
                        .and_then(|name| grammars.find(name))
                        .is_some()
                );
            }
        }
    }

    #[test]
    fn dialects_have_their_own_and_plain_has_none() {
        let grammars = Grammars::load();
        let named = |spelling| Some(grammars.find(grammar(spelling)?)?.name.as_str());
        assert_eq!(named("TSX"), Some("TypeScriptReact"));
        assert_eq!(named("jsx"), Some("JavaScript (Babel)"));
        assert_eq!(named("c"), Some("C"));
        assert_eq!(named("C#"), Some("C#"));
        assert_eq!(named("plain"), None);
        assert_eq!(grammar("brainfuck"), None);
    }
}
