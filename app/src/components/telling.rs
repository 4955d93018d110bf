//! The one calm line below the text.

use super::messages::{self, Earlier};
use crate::browser::dom::{self, Element};
use crate::browser::storage;
use crate::save::{Key, Line};
use std::cell::{Cell, RefCell};

/// The line's `data-state` while it speaks of another page's save.
const EARLIER: &str = "earlier";

/// A link at the end of the line: its address and its words.
pub(super) type Lead = (String, String);

/// What the machine said last: a state, words and perhaps a link.
type Said = (&'static str, String, Option<Lead>);

/// The line and what it has to say.
pub(super) struct CalmLine {
    element: Element,
    said: RefCell<Said>,
    /// Said after everything the machine says.
    aside: Cell<&'static str>,
    earlier: RefCell<Vec<(Key, Earlier)>>,
    /// Where results are shown.
    results: String,
}

impl CalmLine {
    pub(super) fn new(element: Element, results: String) -> Self {
        Self {
            element,
            said: RefCell::new((messages::state(&Line::Idle), String::new(), None)),
            aside: Cell::default(),
            earlier: RefCell::default(),
            results,
        }
    }

    /// Says how the machine stands. What did not change is not said again: it would cover what others have said since.
    pub(super) fn tell(&self, state: &'static str, words: String, lead: Option<Lead>) {
        let said = (state, words, lead);
        if *self.said.borrow() != said {
            self.said.replace(said);
            self.say_again();
        }
    }

    /// Says what the machine said last; when that is nothing, how the saves of earlier pages stand.
    pub(super) fn say_again(&self) {
        let (state, words, lead) = &*self.said.borrow();
        let earlier = self.earlier.borrow().iter().map(|(_, how)| *how).max();
        match earlier {
            Some(how) if words.is_empty() => {
                self.say(EARLIER, messages::earlier(how));
                dom::append_link(&self.element, &self.results, messages::EARLIER_LINK);
            }
            _ => self.say(state, words),
        }
        if let Some((address, words)) = lead {
            dom::append_link(&self.element, address, words);
        }
        let aside = self.aside.get();
        if !aside.is_empty() {
            dom::append_text(&self.element, " ");
            dom::append_text(&self.element, aside);
        }
    }

    /// A final word interrupts; any other waits until the person pauses.
    pub(super) fn say(&self, state: &str, words: &str) {
        let is_final = state == "refused" || state == "stale";
        let (role, live) = if is_final {
            ("alert", "assertive")
        } else {
            ("status", "polite")
        };
        dom::set(&self.element, "role", role);
        dom::set(&self.element, "aria-live", live);
        dom::set(&self.element, "data-state", state);
        dom::set_text(&self.element, words);
    }

    /// Says why something is not done, and then how the save stands that goes on meanwhile.
    pub(super) fn refuse(&self, words: &str) {
        self.say("refused", words);
        let (_, save, _) = &*self.said.borrow();
        if !save.is_empty() {
            dom::append_text(&self.element, " ");
            dom::append_text(&self.element, save);
        }
    }

    /// Says something with a button after it, if there is nothing else to say.
    pub(super) fn offer(&self, words: &str, button: &str, act: impl FnMut() + 'static) {
        let mut act = act;
        if self.is_free() {
            self.say(EARLIER, words);
            dom::append_button(&self.element, button, move |_| act());
        }
    }

    /// From now on this is said, too, until Save is pressed.
    pub(super) fn add_aside(&self, words: &'static str) {
        self.aside.set(words);
        self.say_again();
    }

    /// Save is pressed: what was said beside is over.
    pub(super) fn drop_aside(&self) {
        self.aside.take();
    }

    /// How a save of an earlier page stands; none when it needs nobody any more.
    pub(super) fn tell_of_earlier(&self, key: Key, how: Option<Earlier>) {
        let mut earlier = self.earlier.borrow_mut();
        earlier.retain(|(of, _)| *of != key);
        earlier.extend(how.map(|how| (key, how)));
        drop(earlier);
        self.say_earlier();
    }

    /// Where nobody else has said anything.
    fn say_earlier(&self) {
        if self.is_free() || dom::attribute(&self.element, "data-state") == EARLIER {
            self.say_again();
        }
    }

    /// What was saved and has been shown since is told of no more.
    pub(super) fn drop_seen(&self) {
        let mut earlier = self.earlier.borrow_mut();
        earlier.retain(|(key, how)| *how != Earlier::Saved || storage::is_unseen(*key));
        drop(earlier);
        self.say_earlier();
    }

    fn is_free(&self) -> bool {
        dom::attribute(&self.element, "data-state") == messages::state(&Line::Idle)
    }
}
