//! The page of results: each save of this browser that waits to be shown, this tab's first.

use super::card::Card;
use super::driver::{Driver, Notice};
use super::{messages, owning};
use crate::browser::dom::{self, Element};
use crate::browser::{clock, page, storage, tab};
use crate::save::{Entry, Happening, Key, Line, Link, Outcome, Standing};
use std::cell::Cell;
use std::rc::Rc;

/// Where saves go and where the form is, seen from this page.
const API: &str = "api/pastes";
const FORM: &str = "./";

/// Brings the page to life.
pub(super) fn enliven(root: Element) {
    for words in dom::find_all(".saved p") {
        dom::show(&words, false);
    }
    let own = tab::key();
    // In this order: an entry that is too old becomes a link.
    let (entries, links) = (entries(), storage::links());
    if entries.is_empty() && links.is_empty() {
        say_nothing(&root);
    }
    for owns_turn in [true, false] {
        for entry in &entries {
            let is_own = Some(entry.key) == own;
            if is_own == owns_turn {
                show_entry(&root, entry, is_own);
            }
        }
    }
    for link in &links {
        show_link(&root, link);
    }
}

/// The saves that can still be sent or decided upon. One that is too old is reduced to its link.
fn entries() -> Vec<Entry> {
    let mut entries = storage::entries();
    entries.retain(|entry| match entry.standing(clock::now_ms()) {
        Standing::Reduce(link) => {
            storage::reduce(entry.key, &link);
            false
        }
        _ => true,
    });
    entries
}

/// A card without buttons.
fn say_nothing(root: &Element) {
    if let Some(card) = Card::append(root) {
        card.say("idle", messages::NOTHING);
    }
}

/// A link that outlived its save.
fn show_link(root: &Element, link: &Link) {
    let Some(card) = Card::append(root) else {
        return;
    };
    card.show_link(link);
    card.say("old", messages::TOO_OLD);
    let (forgotten, id) = (card.clone(), link.id.clone());
    card.offer("forget", move || {
        storage::forget_link(&id);
        forgotten.remove();
    });
}

/// A save: sent again at once when it is this tab's or unresolved, else when the person asks.
fn show_entry(root: &Element, entry: &Entry, is_own: bool) {
    let Some(card) = Card::append(root) else {
        return;
    };
    match &entry.outcome {
        Outcome::Saved(link) => card.show_link(link),
        Outcome::Pending | Outcome::Refused { .. } => {
            card.show_excerpt(entry.request.title.as_deref(), &entry.request.content);
        }
    }
    let driver = drive(&card, entry);
    let found = Happening::Found {
        entry: entry.clone(),
        in_editor: false,
    };
    let start = move || driver.feed(found.clone());
    if !is_own && entry.standing(clock::now_ms()) == Standing::Replay {
        card.say("waiting", messages::SAVED_BEFORE);
        card.offer("fetch", start);
    } else {
        start();
    }
}

/// A machine for one card.
fn drive(card: &Card, entry: &Entry) -> Rc<Driver> {
    let (card, key, request) = (card.clone(), entry.key, entry.request.clone());
    // Whether the machine has the save and no result yet.
    let is_open = Cell::new(false);
    Driver::new(API, move |driver, notice| match notice {
        Notice::Succeeded { created, .. } => {
            is_open.set(false);
            let driver = driver.clone();
            card.show_result(API, &created, messages::SAVED, move || {
                driver.feed(Happening::Forget(key))
            });
            owning::offer_keeping(&card, &created, request.title.as_deref());
        }
        Notice::Changed(state) => match state.line() {
            // Its result says more.
            Line::Saved => {}
            // Given up, or settled in another tab.
            Line::Idle if is_open.replace(false) => card.remove(),
            Line::Idle => {}
            line => {
                is_open.set(true);
                card.tell(&line);
                if matches!(line, Line::Refused { .. } | Line::Stale) {
                    offer_ways_out(&card, driver, key);
                }
            }
        },
        Notice::DropDraft | Notice::Begun(_) | Notice::ResultsReady => {}
    })
}

/// What the person can do about a save that will not be sent again.
fn offer_ways_out(card: &Card, driver: &Rc<Driver>, key: Key) {
    card.offer("reopen", move || {
        tab::set_key(key);
        page::go_to(FORM);
    });
    let driver = driver.clone();
    card.offer("forget", move || driver.feed(Happening::Forget(key)));
}
