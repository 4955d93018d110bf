//! Text with placeholders.

use std::fmt;

/// Beginning of the placeholder of a variable.
const ENV: &str = "env:";

/// Variables that are settings of ours; one that no flag reads stops the start.
const OURS: &str = "ONCEBIN_";

/// A placeholder for what is purged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Items {
    /// `{url}`: one URL.
    Url,
    /// `{urls_json}`: a JSON array of URLs.
    UrlsJson,
    /// `{tags_space}`: tags with blanks between them.
    TagsSpace,
    /// `{tags_json}`: a JSON array of tags.
    TagsJson,
}

impl Items {
    fn named(name: &str) -> Option<Self> {
        match name {
            "url" => Some(Self::Url),
            "urls_json" => Some(Self::UrlsJson),
            "tags_space" => Some(Self::TagsSpace),
            "tags_json" => Some(Self::TagsJson),
            _ => None,
        }
    }

    /// Whether it stands for URLs, not for tags.
    pub(super) fn are_urls(self) -> bool {
        matches!(self, Self::Url | Self::UrlsJson)
    }

    /// Whether it needs a place where JSON is read.
    pub(super) fn are_json(self) -> bool {
        matches!(self, Self::UrlsJson | Self::TagsJson)
    }

    fn write(self, items: &[&str], text: &mut String) {
        match self {
            Self::Url | Self::TagsSpace => text.push_str(&items.join(" ")),
            Self::UrlsJson | Self::TagsJson => {
                text.push_str(&serde_json::json!(items).to_string());
            }
        }
    }
}

#[derive(Clone, PartialEq, Eq)]
enum Piece {
    Literal(String),
    Items(Items),
    /// What a variable holds: perhaps a credential.
    Secret(String),
}

/// A line of a template, or its body. Shown, it shows nothing: an operator may have written a credential into it.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Text(Vec<Piece>);

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Text(***)")
    }
}

impl Text {
    /// Reads placeholders: a word in braces. Other braces are text, as in JSON.
    pub(super) fn parse(
        text: &str,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, name, after)) = next_placeholder(rest) {
            pieces.push(Piece::Literal(before.to_owned()));
            pieces.push(piece(name, &variable)?);
            rest = after;
        }
        pieces.push(Piece::Literal(rest.to_owned()));
        Ok(Self(pieces))
    }

    /// The text with its placeholders filled.
    pub(super) fn fill(&self, items: &[&str]) -> String {
        let mut text = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Literal(piece) | Piece::Secret(piece) => text.push_str(piece),
                Piece::Items(kind) => kind.write(items, &mut text),
            }
        }
        text
    }

    /// The placeholders for what is purged.
    pub(super) fn items(&self) -> impl Iterator<Item = Items> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Items(items) => Some(*items),
            _ => None,
        })
    }
}

fn piece(name: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Piece, String> {
    let Some(name) = name.strip_prefix(ENV) else {
        let items = Items::named(name).ok_or_else(|| {
            format!("{{{name}}} is no placeholder; there are {{url}}, {{urls_json}}, {{tags_space}}, {{tags_json}} and {{env:NAME}}")
        })?;
        return Ok(Piece::Items(items));
    };
    if name.starts_with(OURS) {
        return Err(format!(
            "{{env:{name}}}: names that begin with {OURS} are settings of oncebin; choose another"
        ));
    }
    match variable(name).filter(|value| !value.is_empty()) {
        Some(value) => Ok(Piece::Secret(value)),
        None => Err(format!("the variable {name} is not set")),
    }
}

/// What is before the first placeholder, its name, and what is after it.
fn next_placeholder(text: &str) -> Option<(&str, &str, &str)> {
    text.match_indices('{').find_map(|(at, _)| {
        let (name, after) = text[at + 1..].split_once('}')?;
        let (word, is_word): (_, fn(char) -> bool) = match name.strip_prefix(ENV) {
            Some(variable) => (variable, |c| c.is_ascii_alphanumeric() || c == '_'),
            None => (name, |c| c.is_ascii_lowercase() || c == '_'),
        };
        let is_placeholder = !word.is_empty() && word.chars().all(is_word);
        is_placeholder.then_some((&text[..at], name, after))
    })
}
