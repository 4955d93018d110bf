//! Markdown to HTML that is safe to put into a page.
//!
//! ```text
//!   text ──▶ pulldown-cmark ──▶ events, tamed ──▶ HTML ──▶ ammonia ──▶ safe HTML
//! ```
//! Two walls. `events` lets through no picture, little raw HTML and no depth, so that what the second wall has to parse
//! is balanced, shallow and no larger than its source allows: an HTML parser can be made to take minutes over a few
//! kilobytes. `sanitise` then parses the HTML as a browser does and keeps the tags and attributes on its lists.
//!
//! Pure: this module must not know HTTP, pages or pastes.

mod events;
mod headings;
mod raw_html;
mod sanitise;

#[cfg(test)]
mod tests;

use events::tamed;
use pulldown_cmark::{Options, Parser, html};

/// The most bytes of a text that are rendered: 256 KiB, some tens of milliseconds of work.
pub const RENDERED_BYTES_MAX: u64 = 256 * 1024;

/// What people know from other places, beside `CommonMark`.
const EXTENSIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_YAML_STYLE_METADATA_BLOCKS);

/// HTML of a text of at most [`RENDERED_BYTES_MAX`] bytes: no script, no picture, no form, no style, no frame; links to
/// web and mail alone; ids that start with `md-`.
#[must_use]
pub fn render(text: &str) -> String {
    let events = tamed(Parser::new_ext(text, EXTENSIONS));
    let mut unsafe_html = String::with_capacity(text.len() * 3 / 2);
    html::push_html(&mut unsafe_html, events.into_iter());
    sanitise::clean(&aligned(unsafe_html))
}

/// The start of a text that was cut somewhere, without the line that the cut went through.
#[must_use]
pub fn whole_lines(text: &str) -> &str {
    text.rfind('\n').map_or(text, |end| &text[..=end])
}

/// Alignment of table cells by attribute: the content security policy forbids the styles pulldown-cmark writes.
fn aligned(html: String) -> String {
    if !html.contains(" style=\"text-align: ") {
        return html;
    }
    ["left", "center", "right"].iter().fold(html, |html, side| {
        let [cell, head] =
            ["td", "th"].map(|tag| (tag, format!("<{tag} style=\"text-align: {side}\">")));
        [cell, head].iter().fold(html, |html, (tag, styled)| {
            html.replace(styled, &format!("<{tag} align=\"{side}\">"))
        })
    })
}
