//! What of the HTML in a Markdown text is kept as HTML. The rest is shown as the text it is.
//!
//! A block is sanitised alone, so no tag reaches beyond its block. Within a line a few tags without attributes are
//! kept, and closed no later than the element they stand in. So all that is kept is balanced: an HTML parser repeats
//! what is left open in every paragraph that follows, which multiplies.

use super::sanitise;
use pulldown_cmark::Event;

/// Tags kept in one text; far more than a text with some HTML in it has.
const TAGS_MAX: usize = 500;

/// Tags kept in one block.
const BLOCK_TAGS_MAX: usize = 60;

/// Tags kept within a line, when they have no attributes.
const INLINE: [&str; 14] = [
    "b", "cite", "del", "em", "i", "ins", "kbd", "mark", "s", "small", "strong", "sub", "sup", "u",
];

/// The HTML kept so far.
#[derive(Debug, Default)]
pub(super) struct RawHtml {
    tags: usize,
    /// The tags that stand open, each with the depth of elements it was opened in.
    open: Vec<(&'static str, usize)>,
}

impl RawHtml {
    /// A block of HTML.
    pub(super) fn block<'a>(&mut self, block: String) -> Event<'a> {
        let tags = block.matches('<').count();
        if tags > BLOCK_TAGS_MAX || self.tags + tags > TAGS_MAX {
            return Event::Text(block.into());
        }
        self.tags += tags;
        Event::Html(sanitise::clean(&block).into())
    }

    /// A tag or comment within a line.
    pub(super) fn inline<'a>(&mut self, tag: &str, depth: usize, out: &mut Vec<Event<'a>>) {
        let inside = tag.strip_prefix('<').and_then(|tag| tag.strip_suffix('>'));
        let inside = inside.unwrap_or_default().to_ascii_lowercase();
        let known = |name: &str| INLINE.iter().find(|known| **known == name).copied();
        if inside.starts_with("!--") {
            return;
        }
        if ["br", "br/", "br /"].contains(&&*inside) {
            return out.push(Event::HardBreak);
        }
        let opened = known(&inside).filter(|_| self.tags < TAGS_MAX);
        let closed = inside.strip_prefix('/').and_then(known);
        if let Some(name) = opened {
            self.tags += 1;
            self.open.push((name, depth));
            out.push(Event::InlineHtml(format!("<{name}>").into()));
        } else if closed.is_some_and(|name| self.open.last() == Some(&(name, depth))) {
            self.close_one(out);
        } else {
            out.push(Event::Text(tag.to_owned().into()));
        }
    }

    /// Closes what was opened at this depth or deeper: the element at this depth is about to end.
    pub(super) fn close_to(&mut self, depth: usize, out: &mut Vec<Event<'_>>) {
        while self.open.last().is_some_and(|(_, opened)| *opened >= depth) {
            self.close_one(out);
        }
    }

    fn close_one(&mut self, out: &mut Vec<Event<'_>>) {
        if let Some((name, _)) = self.open.pop() {
            out.push(Event::InlineHtml(format!("</{name}>").into()));
        }
    }
}
