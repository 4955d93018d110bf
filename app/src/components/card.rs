//! One save as the person sees it: a line, a link, a token, and what can be done.

use super::{copying, messages, owning};
use crate::browser::clock;
use crate::browser::dom::{self, Element};
use crate::save::{Line, Link};
use crate::wire::created::Created;
use crate::wire::paste::CreateRequest;
use crate::wire::size;
use std::rc::Rc;

/// A copy of the template on the page.
#[derive(Clone)]
pub(super) struct Card {
    section: Element,
}

impl Card {
    /// A card at the end of the island's list; none when the page has no template.
    pub(super) fn append(root: &Element) -> Option<Self> {
        let section = dom::from_template(root, "save")?;
        dom::append(&dom::part(root, "saves")?, &section);
        Some(Self { section })
    }

    /// Says how the save stands. `is_fetching`: it is known to exist.
    pub(super) fn tell(&self, line: &Line, is_fetching: bool) {
        let words = messages::line(line, is_fetching, messages::TEXT_WAITS, clock::time_in);
        self.say(messages::state(line), &words);
    }

    pub(super) fn say(&self, state: &str, words: &str) {
        dom::set(&self.section, "data-state", state);
        self.fill("line", words);
    }

    /// Shows which text it is, by its title or its first line.
    pub(super) fn show_excerpt(&self, request: &CreateRequest) {
        let first_line = request.content.trim_start().lines().next();
        let title = request.title.as_deref().or(first_line).unwrap_or_default();
        let excerpt: String = title.chars().take(80).collect();
        self.fill("excerpt", &excerpt);
        self.show("excerpt", true);
    }

    /// Shows the link and until when it works.
    pub(super) fn show_link(&self, link: &Link) {
        self.fill("url", &link.url);
        self.fill("expires", &clock::local(&link.expires_at));
        if let Some(expires) = self.part("expires") {
            dom::set(&expires, "datetime", &link.expires_at);
        }
        if let Some(url) = self.part("url") {
            dom::set(&url, "href", &link.url);
        }
        self.copies("copy-link", &link.url);
        self.show("link", true);
        self.show("facts", true);
    }

    /// Shows everything a 201 holds, and calls `forget` when the person has it, or has deleted it at `api`.
    pub(super) fn show_result(
        &self,
        api: &str,
        created: &Created,
        words: &str,
        forget: impl Fn() + 'static,
    ) {
        self.show_link(&Link::of(created));
        self.fill("size", &size::human(created.size));
        self.show("size", true);
        self.fill("token", &created.delete_token);
        self.copies("copy-token", &created.delete_token);
        self.show("secret", true);
        self.show("fetch", false);
        self.say("saved", words);
        let forget: Rc<dyn Fn()> = Rc::new(forget);
        owning::offer_delete(self, api, created, forget.clone());
        let card = self.clone();
        self.offer("acknowledge", move || {
            forget();
            card.hide_secret();
            card.say("acknowledged", owning::acknowledged(&card));
        });
    }

    /// The token goes, and what was shown of the text.
    pub(super) fn hide_secret(&self) {
        self.fill("token", "");
        self.fill("excerpt", "");
        for part in ["excerpt", "secret", "copy-token", "acknowledge", "delete"] {
            self.show(part, false);
        }
        // The button that was pressed has gone; the focus stays here.
        self.focus();
    }

    /// Puts the focus on the line, which scrolls it into view.
    pub(super) fn focus(&self) {
        if let Some(line) = self.part("line") {
            dom::focus(&line);
        }
    }

    /// The save has left the page: a last word stays of it. The focus comes here if it was on something that goes.
    pub(super) fn close(&self, words: &str) {
        let had_focus = dom::has_focus(&self.section);
        self.say("idle", words);
        if let Some(line) = self.part("line") {
            dom::keep_only(&self.section, &line);
        }
        if had_focus {
            self.focus();
        }
    }

    /// The link goes, too: it leads nowhere any more.
    pub(super) fn hide_link(&self) {
        for part in ["link", "copy-link", "facts"] {
            self.show(part, false);
        }
    }

    /// Ends the line with a link.
    pub(super) fn lead_to(&self, address: &str, words: &str) {
        if let Some(line) = self.part("line") {
            dom::append_link(&line, address, words);
        }
    }

    /// A part of this card.
    pub(super) fn part(&self, name: &str) -> Option<Element> {
        dom::part(&self.section, name)
    }

    /// Shows a button and calls `act` when it is pressed.
    pub(super) fn offer(&self, button: &str, act: impl Fn() + 'static) {
        if let Some(button) = self.part(button) {
            dom::show(&button, true);
            dom::on_press(&button, move |_| act());
        }
    }

    /// The card's element.
    pub(super) const fn section(&self) -> &Element {
        &self.section
    }

    pub(super) fn show(&self, part: &str, shown: bool) {
        if let Some(part) = self.part(part) {
            dom::show(&part, shown);
        }
    }

    fn fill(&self, part: &str, text: &str) {
        if let Some(part) = self.part(part) {
            dom::set_text(&part, text);
        }
    }

    fn copies(&self, button: &str, text: &str) {
        if let Some(button) = self.part(button) {
            dom::show(&button, true);
            copying::on_press(&button, Rc::from(text));
        }
    }
}
