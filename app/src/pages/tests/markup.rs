//! A strict reader of the little HTML the pages are written in. It panics at anything else, so that text which
//! breaks out of its place cannot pass for markup of ours.

use std::borrow::Cow;

/// One piece of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A start tag: its name, and its attributes with their decoded values.
    Open(String, Vec<(String, String)>),
    /// An end tag.
    Close(String),
    /// Text as a browser has it after parsing.
    Text(String),
}

const VOID: [&str; 4] = ["meta", "link", "input", "img"];

/// A document, read whole: every tag closed in order, every character reference known.
pub(super) struct Document(pub(super) Vec<Piece>);

impl Document {
    /// Reads a page, or panics where it is not as strict as ours must be.
    pub(super) fn read(html: &str) -> Self {
        let mut rest = html.strip_prefix("<!DOCTYPE html>").expect("a doctype");
        let (mut pieces, mut open) = (Vec::new(), Vec::<String>::new());
        while !rest.is_empty() {
            let text_only = matches!(open.last().map(String::as_str), Some("title" | "textarea"));
            if let Some(after) = rest.strip_prefix("<!>") {
                assert!(!text_only, "a marker that would be seen");
                rest = after;
            } else if let Some(after) = rest.strip_prefix("</") {
                let (name, after) = after.split_once('>').expect("an end of an end tag");
                assert_eq!(open.pop().as_deref(), Some(name), "closed out of order");
                pieces.push(Piece::Close(name.to_owned()));
                rest = after;
            } else if let Some(after) = rest.strip_prefix('<') {
                assert!(!text_only, "a tag that would be seen");
                let (piece, after) = start_tag(after);
                if let Piece::Open(name, _) = &piece
                    && !VOID.contains(&name.as_str())
                {
                    open.push(name.clone());
                }
                pieces.push(piece);
                rest = after;
            } else {
                let end = rest.find('<').expect("a tag after the text");
                pieces.push(Piece::Text(decode(&rest[..end])));
                rest = &rest[end..];
            }
        }
        assert_eq!(open, [""; 0], "left open");
        Self(pieces)
    }

    /// Tags and attribute names in order: everything but the values.
    pub(super) fn skeleton(&self) -> Vec<String> {
        let tag = |piece: &Piece| match piece {
            Piece::Open(name, attributes) => {
                let names: Vec<&str> = attributes.iter().map(|(name, _)| name.as_str()).collect();
                Some(format!("<{name} {}>", names.join(" ")))
            }
            Piece::Close(name) => Some(format!("</{name}>")),
            Piece::Text(_) => None,
        };
        self.0.iter().filter_map(tag).collect()
    }

    /// Every value of an attribute, wherever it stands.
    pub(super) fn values(&self, attribute: &str) -> Vec<&str> {
        let attributes = self.0.iter().flat_map(|piece| match piece {
            Piece::Open(_, attributes) => attributes.as_slice(),
            _ => &[],
        });
        attributes
            .filter(|(name, _)| name == attribute)
            .map(|(_, value)| value.as_str())
            .collect()
    }

    /// The attribute of the element that has another attribute with this value.
    pub(super) fn value_beside(&self, with: (&str, &str), attribute: &str) -> Option<&str> {
        self.0.iter().find_map(|piece| match piece {
            Piece::Open(_, attributes) => {
                let value = |name: &str| attributes.iter().find(|(key, _)| key == name);
                let (_, found) = value(with.0)?;
                (found == with.1)
                    .then(|| value(attribute))?
                    .map(|(_, value)| value.as_str())
            }
            _ => None,
        })
    }

    /// The text inside the first element of this name.
    pub(super) fn text_of(&self, element: &str) -> String {
        let is_open = |piece: &&Piece| matches!(piece, Piece::Open(name, _) if name == element);
        let inside = self.0.iter().skip_while(|piece| !is_open(piece)).skip(1);
        inside
            .take_while(|piece| !matches!(piece, Piece::Close(name) if name == element))
            .filter_map(|piece| match piece {
                Piece::Text(text) => Some(text.as_str()),
                _ => None,
            })
            .collect()
    }
}

/// A start tag after its `<`, and what follows it.
fn start_tag(text: &str) -> (Piece, &str) {
    let end = text.find([' ', '>']).expect("an end of a tag name");
    let (name, mut rest) = text.split_at(end);
    assert!(is_name(name), "no tag of ours: <{name:?}");
    let mut attributes = Vec::new();
    while let Some(after) = rest.strip_prefix(' ') {
        let end = after
            .find(['=', ' ', '>'])
            .expect("an end of an attribute name");
        let (key, after) = after.split_at(end);
        assert!(is_name(key), "no attribute of ours: {key:?}");
        let (value, after) = match after.strip_prefix("=\"") {
            Some(value) => value.split_once('"').expect("a closing quote"),
            None => ("", after),
        };
        assert!(!value.contains(['<', '>']), "unescaped: {value:?}");
        attributes.push((key.to_owned(), decode(value)));
        rest = after;
    }
    let rest = rest.strip_prefix('>').expect("an end of a start tag");
    (Piece::Open(name.to_owned(), attributes), rest)
}

fn is_name(name: &str) -> bool {
    let is_ours = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !name.is_empty() && name.bytes().all(is_ours)
}

/// Text as a browser reads it: newlines unified, NUL replaced, then the character references decoded.
fn decode(text: &str) -> String {
    for (position, _) in text.match_indices('&') {
        let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&#13;"];
        let rest = &text[position..];
        assert!(
            known.iter().any(|reference| rest.starts_with(reference)),
            "stray & in {text:?}"
        );
    }
    let text = read_by_browser(text);
    html_escape::decode_html_entities(&text).into_owned()
}

/// What the first steps of an HTML parser make of characters that stand for themselves.
pub(super) fn read_by_browser(text: &str) -> Cow<'_, str> {
    if text.contains(['\r', '\0']) {
        let unified = text.replace("\r\n", "\n").replace('\r', "\n");
        unified.replace('\0', "\u{FFFD}").into()
    } else {
        text.into()
    }
}
