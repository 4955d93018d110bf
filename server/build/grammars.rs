//! The grammars of the highlighter, made once for all services: two-face's, with one pattern mended.

use std::io;
use std::path::Path;
use syntect::dumps::dump_to_uncompressed_file;
use syntect::parsing::syntax_definition::{MatchPattern, Pattern, SyntaxDefinition};
use syntect::parsing::{Regex, SyntaxSet, SyntaxSetBuilder};

/// The end of a line, blanks before it.
const LINE_ENDS: &str = r"(?=\s*(?m:$))";

/// Writes the set of grammars to a file, as `syntect::dumps::from_uncompressed_data` reads it.
pub(crate) fn write(file: &Path) -> io::Result<()> {
    let mut mended = SyntaxSetBuilder::new();
    for syntax in two_face::syntax::extra_newlines().into_builder().syntaxes() {
        let mut syntax = syntax.clone();
        if syntax.name == "JavaScript" {
            mend_javascript(&mut syntax);
        }
        mended.add(syntax);
    }
    let set: SyntaxSet = mended.build();
    dump_to_uncompressed_file(&set, file).map_err(io::Error::other)
}

/// With `x /*` a parser never ends: one context takes the comment for the end of its line and another for an operator,
/// neither moves on, and each sets the other (trishume/syntect issue 460 and pull request 706). Here a comment ends no
/// line.
fn mend_javascript(syntax: &mut SyntaxDefinition) {
    let context = syntax.contexts.get_mut("expression-statement-end");
    let patterns = context
        .into_iter()
        .flat_map(|context| &mut context.patterns);
    let mut line_ends = patterns.filter_map(|pattern| match pattern {
        Pattern::Match(found) if ends_line(found) => Some(found),
        _ => None,
    });
    let pattern = line_ends.next().expect("the pattern that never ends");
    pattern.regex = Regex::new(LINE_ENDS.to_owned());
    assert!(line_ends.next().is_none(), "one such pattern");
}

fn ends_line(pattern: &MatchPattern) -> bool {
    let regex = pattern.regex.regex_str();
    regex.contains(r"/\*") && regex.ends_with("(?m:$))")
}
