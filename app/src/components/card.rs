//! One save as the person sees it: a line, a link, a token, and what can be done.

use super::{copying, messages};
use crate::browser::clock;
use crate::browser::dom::{self, Element};
use crate::save::{Line, Link};
use crate::wire::created::Created;
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

    /// Says how the save stands.
    pub(super) fn tell(&self, line: &Line) {
        self.say(messages::state(line), &messages::line(line));
    }

    pub(super) fn say(&self, state: &str, words: &str) {
        dom::set(&self.section, "data-state", state);
        self.fill("line", words);
    }

    /// Shows which text it is, by its title or its first line.
    pub(super) fn show_excerpt(&self, title: Option<&str>, content: &str) {
        let first_line = content.trim_start().lines().next().unwrap_or_default();
        let excerpt: String = title.unwrap_or(first_line).chars().take(80).collect();
        self.fill("excerpt", &excerpt);
        self.show("excerpt", true);
    }

    /// Shows the link and until when it works.
    pub(super) fn show_link(&self, link: &Link) {
        self.fill("url", &link.url);
        self.fill("expires", &clock::local(&link.expires_at));
        if let Some(url) = dom::part(&self.section, "url") {
            dom::set(&url, "href", &link.url);
        }
        self.copies("copy-link", &link.url);
        self.show("excerpt", false);
        self.show("link", true);
        self.show("expiry", true);
    }

    /// Shows everything a 201 holds, and calls `acknowledge` when the person has it.
    pub(super) fn show_result(
        &self,
        created: &Created,
        words: &str,
        acknowledge: impl Fn() + 'static,
    ) {
        self.show_link(&Link::of(created));
        self.fill("token", &created.delete_token);
        self.copies("copy-token", &created.delete_token);
        self.show("secret", true);
        self.show("fetch", false);
        self.say("saved", words);
        let card = self.clone();
        self.offer("acknowledge", move || {
            acknowledge();
            card.hide_secret();
        });
    }

    /// The token goes, the link stays in view.
    fn hide_secret(&self) {
        self.fill("token", "");
        for part in ["secret", "copy-token", "acknowledge"] {
            self.show(part, false);
        }
        self.say("acknowledged", messages::ACKNOWLEDGED);
        if let Some(url) = dom::part(&self.section, "url") {
            dom::focus(&url);
        }
    }

    /// Shows a button and calls `act` when it is pressed.
    pub(super) fn offer(&self, button: &str, act: impl Fn() + 'static) {
        if let Some(button) = dom::part(&self.section, button) {
            dom::show(&button, true);
            dom::on_press(&button, move |_| act());
        }
    }

    /// Takes the card off the page.
    pub(super) fn remove(&self) {
        dom::remove(&self.section);
    }

    pub(super) fn show(&self, part: &str, shown: bool) {
        if let Some(part) = dom::part(&self.section, part) {
            dom::show(&part, shown);
        }
    }

    fn fill(&self, part: &str, text: &str) {
        if let Some(part) = dom::part(&self.section, part) {
            dom::set_text(&part, text);
        }
    }

    fn copies(&self, button: &str, text: &str) {
        if let Some(button) = dom::part(&self.section, button) {
            dom::show(&button, true);
            copying::on_press(&button, Rc::from(text));
        }
    }
}
