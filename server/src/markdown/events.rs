//! The events of a Markdown text, tamed: pictures become links, headings get ids, raw HTML is bounded, depth too.

use super::headings::Slugs;
use super::raw_html::RawHtml;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Parser, Tag, TagEnd};

/// Elements within each other. What is deeper is kept as text without its own element: deep trees take an HTML parser
/// time that grows with their square.
const DEPTH_MAX: usize = 64;

/// Reads all events of a text.
pub(super) fn tamed(parser: Parser<'_>) -> Vec<Event<'_>> {
    let events: Vec<_> = parser.collect();
    let mut taming = Taming {
        out: Vec::with_capacity(events.len()),
        ..Taming::default()
    };
    for (index, event) in events.iter().enumerate() {
        taming.take(event.clone(), &events[index + 1..]);
    }
    taming.raw.close_to(0, &mut taming.out);
    taming.out
}

/// What stands before the words for a picture. No page loads one from elsewhere; a link leads to it.
const IMAGE: &str = "Image: ";

#[derive(Default)]
struct Taming<'a> {
    out: Vec<Event<'a>>,
    depth: usize,
    /// Links around the current place, dropped ones included.
    links: usize,
    slugs: Slugs,
    raw: RawHtml,
    /// The lines of the HTML block that is being read.
    block: Option<String>,
}

impl<'a> Taming<'a> {
    /// One event, and those that follow it.
    fn take(&mut self, event: Event<'a>, following: &[Event<'a>]) {
        match event {
            Event::Start(Tag::HtmlBlock) => self.block = Some(String::new()),
            Event::End(TagEnd::HtmlBlock) => {
                let block = self.block.take().unwrap_or_default();
                let event = self.raw.block(block);
                self.out.push(event);
            }
            Event::Html(line) => match &mut self.block {
                Some(block) => block.push_str(&line),
                None => self.out.push(Event::Text(line)),
            },
            Event::InlineHtml(tag) => self.raw.inline(&tag, self.depth, &mut self.out),
            Event::Start(tag) => self.start(tag, following),
            Event::End(tag) => self.end(tag),
            Event::TaskListMarker(done) => {
                let mark = if done { "☑ " } else { "☐ " };
                self.out.push(Event::Text(mark.into()));
            }
            Event::Text(text) if self.block.is_some() => {
                if let Some(block) = &mut self.block {
                    block.push_str(&text);
                }
            }
            other => self.out.push(other),
        }
    }

    fn start(&mut self, tag: Tag<'a>, following: &[Event<'a>]) {
        self.depth += 1;
        let mut kept = self.depth <= DEPTH_MAX;
        let mut words = None;
        let tag = match tag {
            Tag::Heading { level, .. } => self.heading(level, following),
            Tag::MetadataBlock(_) => Tag::CodeBlock(CodeBlockKind::Fenced("yaml".into())),
            Tag::Link { .. } => {
                kept &= self.opens_link();
                tag
            }
            Tag::Image { dest_url, .. } => {
                kept &= self.opens_link();
                words = kept.then_some(IMAGE);
                link(dest_url)
            }
            other => other,
        };
        if kept {
            self.out.push(Event::Start(tag));
        }
        self.out
            .extend(words.map(|words| Event::Text(words.into())));
    }

    fn end(&mut self, tag: TagEnd) {
        self.raw.close_to(self.depth, &mut self.out);
        let mut kept = self.depth <= DEPTH_MAX;
        self.depth -= 1;
        let tag = match tag {
            TagEnd::Image | TagEnd::Link => {
                self.links -= 1;
                kept &= self.links == 0;
                TagEnd::Link
            }
            TagEnd::MetadataBlock(_) => TagEnd::CodeBlock,
            other => other,
        };
        if kept {
            self.out.push(Event::End(tag));
        }
    }

    /// Counts a link; true for the outermost, the only one HTML can have.
    fn opens_link(&mut self) -> bool {
        self.links += 1;
        self.links == 1
    }

    fn heading(&mut self, level: HeadingLevel, following: &[Event<'a>]) -> Tag<'a> {
        let own = following
            .iter()
            .take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
        let words = own.filter_map(|event| match event {
            Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
            _ => None,
        });
        let slug = self.slugs.next(words);
        Tag::Heading {
            level,
            id: Some(slug.into()),
            classes: Vec::new(),
            attrs: Vec::new(),
        }
    }
}

fn link(dest_url: CowStr<'_>) -> Tag<'_> {
    Tag::Link {
        link_type: LinkType::Inline,
        dest_url,
        title: "".into(),
        id: "".into(),
    }
}
