//! The tab that shows a paste of Markdown as it is meant to look. It has no script, and its policy allows none.

use super::document::{Head, document};
use super::site::Site;
use super::tools::{self, Tab};
use super::{about, bidi, paste_words as say};
use crate::wire::paste::Metadata;
use leptos::prelude::*;

/// Markdown made into HTML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// HTML that has been sanitised: it goes into the page as it is.
    pub html: String,
    /// The most bytes of a text that are rendered, if this one is longer.
    pub cut_at_bytes: Option<u64>,
    /// Whether characters that change the reading direction were left out.
    pub reordered: bool,
}

/// A text as it is to be rendered: without characters that change the reading direction, and whether it had any.
#[must_use]
pub fn without_reordering(text: &str) -> (std::borrow::Cow<'_, str>, bool) {
    let without = bidi::without(text);
    let reordered = without.len() < text.len();
    (without, reordered)
}

/// The page of a paste of Markdown.
#[must_use]
pub fn markdown(site: &Site, metadata: &Metadata, rendered: Rendered) -> String {
    let title = about::title(metadata);
    let head = Head {
        title: &title,
        listed: false,
        islands: false,
        links_to_form: true,
        links_to_mine: false,
    };
    document(site, &head, || {
        let raw = site.path(&format!("/{}/raw", metadata.id));
        let reordered = rendered
            .reordered
            .then(|| view! { <p class="notice" role="note">{say::LEFT_OUT}</p> });
        let rest = rendered.cut_at_bytes.map(|bytes| {
            view! {
                <p class="notice">
                    {say::markdown_limit(bytes)} <a href=raw>{say::REST}</a> "."
                </p>
            }
        });
        view! {
            <main class="read">
                {about::heading(metadata)} {reordered}
                <div class="paper">
                    <div class="strip">
                        {tools::tabs(site, metadata, Tab::Markdown)} {about::facts(metadata, None)}
                    </div>
                    <article class="prose" lang="" inner_html=rendered.html></article>
                </div>
                <div id="end">{rest} {about::report(site, &metadata.id)}</div>
            </main>
        }
    })
}
