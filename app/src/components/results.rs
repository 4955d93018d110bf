//! The page of results: each save of this browser that waits to be shown, this tab's first.

use super::card::Card;
use super::driver::{Driver, Notice, Success};
use super::{messages, owning, stopping};
use crate::browser::dom::{self, Element};
use crate::browser::{clock, draft, page, storage, tab};
use crate::save::{Entry, Happening, Key, Line, Link, Outcome, Standing};
use std::cell::Cell;
use std::rc::Rc;

/// Where saves go, and where form and list are, seen from this page.
const API: &str = "api/pastes";
const FORM: &str = "./";
const LIST: &str = "mine";

/// Brings the page to life.
pub(super) fn enliven(root: Element) {
    // What the server wrote there is for pages without a client.
    let has_draft = draft::own().is_some() || draft::left().is_some();
    for words in dom::find_all(".saved p") {
        dom::set_text(&words, messages::PARKED);
        dom::show(&words, has_draft);
    }
    let own = storage::own_key();
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

/// The saves that can still be sent or decided upon. One that is too old is reduced to its link, or dropped.
fn entries() -> Vec<Entry> {
    let mut entries = storage::entries();
    entries.retain(|entry| match entry.standing(clock::now_ms()) {
        Standing::Reduce(link) => {
            storage::reduce(entry.key, &link);
            false
        }
        Standing::Over => {
            storage::remove(entry.key);
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
        forgotten.close(messages::LINK_FORGOTTEN);
    });
}

/// A save: sent again at once when it is this tab's or unresolved, else when the person asks.
fn show_entry(root: &Element, entry: &Entry, is_own: bool) {
    let Some(card) = Card::append(root) else {
        return;
    };
    card.show_excerpt(&entry.request);
    if let Outcome::Saved(link) = &entry.outcome {
        card.show_link(link);
        storage::mark_shown(entry.key);
    }
    let driver = drive(&card, entry);
    offer_stop(&card, &driver);
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
        Notice::Succeeded(Success { created, .. }) => {
            is_open.set(false);
            storage::mark_shown(key);
            card.show("stop", false);
            let driver = driver.clone();
            card.show_result(API, &created, messages::SAVED, move || {
                driver.feed(Happening::Forget(key))
            });
            owning::offer_keeping(&card, &created, request.title.as_deref());
        }
        Notice::Changed(state) => match state.line() {
            // Its result says more.
            Line::Saved => {}
            // Given up, or too old.
            Line::Idle if is_open.replace(false) => card.close(messages::LEFT),
            Line::Idle => {}
            Line::Settled { link } => settle(&card, link.as_ref()),
            line => {
                is_open.set(true);
                let is_fetching = state.is_fetching();
                card.tell(&line, is_fetching);
                stopping::show(card.section(), &line, state, is_fetching);
                if !is_fetching && matches!(line, Line::Refused { .. } | Line::Stale) {
                    offer_ways_out(&card, driver, key);
                }
            }
        },
        Notice::DropDraft(_) | Notice::Begun(_) | Notice::ResultsReady => {}
    })
}

/// What the person can do about a save that will not be sent again.
fn offer_ways_out(card: &Card, driver: &Rc<Driver>, key: Key) {
    card.offer("reopen", move || {
        // What is being written in this tab gives way; without room for it the form shows it, and this save beside.
        draft::set_aside();
        tab::set_key(key);
        page::go_to(FORM);
    });
    let (driver, forgotten) = (driver.clone(), card.clone());
    card.offer("forget", move || {
        driver.feed(Happening::Forget(key));
        forgotten.close(messages::FORGOTTEN);
    });
}

/// Another tab has ended the save: of it stays where it is, if that is known.
fn settle(card: &Card, link: Option<&Link>) {
    let line = Line::Settled {
        link: link.cloned(),
    };
    card.close("");
    card.tell(&line, false);
    match link {
        Some(link) => card.lead_to(&link.url, &link.url),
        None => card.lead_to(LIST, messages::LIST),
    }
}

/// Nothing of a save that is stopped here is in a form.
fn offer_stop(card: &Card, driver: &Rc<Driver>) {
    let (stopped, driver) = (card.clone(), driver.clone());
    stopping::on_stop(card.section(), move || {
        let words = stopping::stop(&driver, &|_| false);
        stopped.close(words);
    });
}
