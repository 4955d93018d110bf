//! What follows a 201 on the form page: the page of results, or, where leaving would lose something, the result in place.

use super::card::Card;
use super::driver::{Driver, Success};
use super::editor::Editor;
use super::{messages, owning};
use crate::browser::{page, storage};
use crate::save::{Happening, Kept};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Results, and what would be lost with the page.
#[derive(Default)]
pub(super) struct Finishing {
    /// Results that storage holds, too.
    ready: RefCell<Vec<Success>>,
    /// Results that only this page shows.
    shown_only_here: Rc<Cell<u32>>,
    /// Whether a save is only in this page's memory.
    pub(super) is_only_here: Cell<bool>,
}

/// Lets the browser ask before something is lost.
pub(super) fn listen(editor: &Rc<Editor>, driver: &Rc<Driver>) {
    let (editor, driver) = (editor.clone(), driver.clone());
    page::ask_before_leaving(move || {
        let finishing = &editor.finishing;
        finishing.is_only_here.get() || finishing.shows_results() || editor.would_lose_text(&driver)
    });
}

impl Finishing {
    /// Whether a result is shown that only this page has.
    pub(super) fn shows_results(&self) -> bool {
        self.shown_only_here.get() > 0
    }
}

impl Editor {
    pub(super) fn finish(&self, driver: &Rc<Driver>, result: Success) {
        match result.show_here {
            None => self.finishing.ready.borrow_mut().push(result),
            Some(kept) => {
                let words = messages::saved_here(kept);
                self.show_result(driver, result, words, kept != Kept::Stored);
            }
        }
    }

    /// Goes to the page of results, unless that would lose the text in the form: another one than was saved, and with no
    /// room as a draft.
    pub(super) fn leave(&self, driver: &Rc<Driver>) {
        let ready = self.finishing.ready.take();
        if !self.would_lose_text(driver) {
            return page::go_to(&self.form.address("data-saved"));
        }
        for result in ready {
            self.show_result(driver, result, messages::SAVED, false);
        }
        self.line.add_aside(messages::STAYS_HERE);
    }

    /// Whether the person has typed a text that would not survive the page.
    fn would_lose_text(&self, driver: &Driver) -> bool {
        if !self.drafting.is_typed() {
            return false;
        }
        let request = self.form.read();
        !request.content.is_empty() && !driver.holds(&request) && !self.drafting.keep(&request)
    }

    fn show_result(&self, driver: &Rc<Driver>, result: Success, words: &str, is_lost: bool) {
        let Some(card) = Card::append(&self.root) else {
            return;
        };
        let open = self.finishing.shown_only_here.clone();
        open.set(open.get() + u32::from(is_lost));
        let (driver, key) = (driver.clone(), result.key);
        storage::mark_shown(key);
        let forget = move || {
            open.set(open.get() - u32::from(is_lost));
            driver.feed(Happening::Forget(key));
        };
        let api = self.form.address("data-api");
        card.show_excerpt(&result.request);
        card.show_result(&api, &result.created, words, forget);
        if !is_lost {
            owning::offer_keeping(&card, &result.created, result.request.title.as_deref());
        }
        card.focus();
    }
}
