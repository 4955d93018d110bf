//! What a scope of a grammar means for colours.

use app::text::Class;
use std::collections::HashMap;
use syntect::parsing::Scope;

/// What begins like this is of that class. The first match counts; `None` is plain, and ends the search.
const RULES: &[(&str, Option<Class>)] = &[
    ("comment", Some(Class::Comment)),
    ("constant.character.escape", Some(Class::Escape)),
    ("constant.other.placeholder", Some(Class::Escape)),
    ("constant.numeric", Some(Class::Number)),
    ("constant", Some(Class::Constant)),
    ("string", Some(Class::String)),
    ("keyword.operator.word", Some(Class::Keyword)),
    ("keyword.operator.new", Some(Class::Keyword)),
    ("keyword.operator.logical.python", Some(Class::Keyword)),
    ("keyword.operator", None),
    ("keyword", Some(Class::Keyword)),
    ("storage", Some(Class::Keyword)),
    ("entity.name.function", Some(Class::Function)),
    ("entity.name.macro", Some(Class::Function)),
    ("entity.name.tag", Some(Class::Tag)),
    ("entity.name.section", Some(Class::Heading)),
    ("entity.name.constant", Some(Class::Constant)),
    ("entity.name.label", Some(Class::Constant)),
    ("entity.name.variable", None),
    ("entity.name", Some(Class::Type)),
    ("entity.other.attribute-name", Some(Class::Attribute)),
    ("entity.other.inherited-class", Some(Class::Type)),
    ("variable.function", Some(Class::Function)),
    ("variable.annotation", Some(Class::Attribute)),
    ("variable.language", Some(Class::Constant)),
    ("variable.parameter", Some(Class::Variable)),
    ("variable.other.readwrite.shell", Some(Class::Variable)),
    ("variable.other.php", Some(Class::Variable)),
    ("variable.other.readwrite.powershell", Some(Class::Variable)),
    (
        "variable.other.readwrite.global.perl",
        Some(Class::Variable),
    ),
    ("punctuation.definition.variable", Some(Class::Variable)),
    ("support.function", Some(Class::Function)),
    ("support.macro", Some(Class::Function)),
    ("support.type.property-name", Some(Class::Attribute)),
    ("support.type", Some(Class::Type)),
    ("support.class", Some(Class::Type)),
    ("support.constant", Some(Class::Constant)),
    ("meta.annotation", Some(Class::Attribute)),
    ("meta.attribute.rust", Some(Class::Attribute)),
    ("meta.diff.header", Some(Class::Heading)),
    ("meta.diff.range", Some(Class::Heading)),
    ("meta.property-name", Some(Class::Attribute)),
    ("markup.heading", Some(Class::Heading)),
    ("markup.bold", Some(Class::Strong)),
    ("markup.italic", Some(Class::Strong)),
    ("markup.raw", Some(Class::String)),
    ("markup.quote", Some(Class::Comment)),
    ("markup.underline.link", Some(Class::Attribute)),
    ("markup.inserted", Some(Class::Inserted)),
    ("markup.deleted", Some(Class::Deleted)),
    // An interpolated expression is no longer text of the string around it.
    ("meta.interpolation", None),
    ("source", None),
];

/// What one scope says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Is(Class),
    /// It says nothing; the scope around it may.
    Silent,
}

/// Classes of scopes. Remembers each scope it has judged: a text has thousands of pieces and dozens of scopes.
#[derive(Debug)]
pub(super) struct Classes {
    rules: Vec<(Scope, Option<Class>)>,
    mapping_key: Scope,
    judged: HashMap<Scope, Verdict>,
}

impl Classes {
    pub(super) fn new() -> Self {
        // Every name here is one that the tests have parsed.
        let scope = |name| Scope::new(name).unwrap_or_default();
        Self {
            rules: RULES
                .iter()
                .map(|(name, class)| (scope(name), *class))
                .collect(),
            mapping_key: scope("meta.mapping.key"),
            judged: HashMap::new(),
        }
    }

    /// The class of text within these scopes, the innermost last.
    pub(super) fn of(&mut self, scopes: &[Scope]) -> Class {
        let mut inward = scopes.iter().rev();
        let class = inward.find_map(|scope| match self.judge(*scope) {
            Verdict::Is(class) => Some(class),
            Verdict::Silent => None,
        });
        let class = class.unwrap_or(Class::Plain);
        if class == Class::String && inward.any(|scope| self.mapping_key.is_prefix_of(*scope)) {
            return Class::Tag;
        }
        class
    }

    fn judge(&mut self, scope: Scope) -> Verdict {
        let rules = &self.rules;
        *self.judged.entry(scope).or_insert_with(|| {
            let rule = rules.iter().find(|(prefix, _)| prefix.is_prefix_of(scope));
            rule.map_or(Verdict::Silent, |(_, class)| {
                Verdict::Is(class.unwrap_or(Class::Plain))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr;
    use syntect::parsing::ScopeStack;

    fn class(scopes: &str) -> Class {
        Classes::new().of(ScopeStack::from_str(scopes).unwrap().as_slice())
    }

    #[test]
    fn every_rule_names_a_scope() {
        for (name, _) in RULES {
            assert_ne!(Scope::new(name).unwrap(), Scope::default(), "{name}");
        }
    }

    #[test]
    fn the_innermost_scope_that_says_something_decides() {
        for (scopes, expected) in [
            ("source.rust", Class::Plain),
            (
                "source.rust meta.function.rust storage.type.function.rust",
                Class::Keyword,
            ),
            (
                "source.json string.quoted.double.json punctuation.definition.string.begin",
                Class::String,
            ),
            (
                "source.json string.quoted.double.json constant.character.escape.json",
                Class::Escape,
            ),
            (
                "source.json meta.mapping.key.json string.quoted.double.json",
                Class::Tag,
            ),
            ("source.c keyword.operator.assignment.c", Class::Plain),
            (
                "source.python keyword.operator.logical.python",
                Class::Keyword,
            ),
            (
                "text.html.basic string.quoted source.js.embedded.html",
                Class::Plain,
            ),
            (
                "source.yaml string.unquoted.plain.out.yaml entity.name.tag.yaml",
                Class::Tag,
            ),
            (
                "source.diff markup.inserted.diff punctuation.definition.inserted.diff",
                Class::Inserted,
            ),
        ] {
            assert_eq!(class(scopes), expected, "{scopes}");
        }
    }
}
