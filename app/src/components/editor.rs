//! The form page: what is pressed, and the one calm line.

use super::card::Card;
use super::drafting::{self, Drafting};
use super::driver::{Driver, Notice};
use super::form::Form;
use super::{files, messages, resuming, typing};
use crate::browser::dom::{self, Element};
use crate::browser::{clock, page, tab};
use crate::save::{Happening, Line, SaveState};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// The form and what belongs to it.
pub(super) struct Editor {
    pub(super) root: Element,
    pub(super) form: Form,
    pub(super) drafting: Drafting,
    line: Element,
    /// What the machine said last: a state and its words.
    said: RefCell<(&'static str, String)>,
    /// Whether the text is known to be over the limit.
    pub(super) is_over: Cell<bool>,
}

/// Brings the form to life.
pub(super) fn enliven(root: Element) {
    let form = dom::find(&root, "form[data-api]");
    let line = dom::find(&root, "[role=\"status\"]");
    let (Some(element), Some(line)) = (form, line) else {
        return;
    };
    let editor = Rc::new(Editor {
        root,
        form: Form::new(element),
        drafting: Drafting::new(),
        line,
        said: RefCell::new((messages::state(&Line::Idle), String::new())),
        is_over: Cell::default(),
    });
    let told = editor.clone();
    let address = editor.form.address("data-api");
    let driver = Driver::new(&address, move |driver, notice| told.take(driver, notice));
    resuming::resume_all(&editor, &driver);
    drafting::restore(&editor);
    drafting::listen(&editor);
    typing::listen(&editor);
    files::listen(&editor);
    listen(editor, driver);
}

/// Presses of Save, by button, by Enter in a field, or by Ctrl+Enter anywhere.
fn listen(editor: Rc<Editor>, driver: Rc<Driver>) {
    let form = editor.form.element.clone();
    dom::on(&form, "keydown", |event| {
        if dom::is_save_shortcut(&event) {
            dom::submit_form_of(&event);
        }
    });
    dom::on(&form, "submit", move |event| {
        dom::prevent_default(&event);
        editor.press(&driver);
    });
}

/// The line's `data-state` while it speaks of another page's save.
const EARLIER: &str = "earlier";

impl Editor {
    fn press(&self, driver: &Rc<Driver>) {
        let request = self.form.read();
        let (bytes, bytes_max) = (request.content.len() as u64, self.form.bytes_max());
        if bytes > bytes_max {
            return self.say("refused", &messages::too_large(bytes, bytes_max));
        }
        driver.feed(Happening::Press {
            key: clock::new_key(),
            request: Arc::new(request),
        });
    }

    fn take(&self, driver: &Rc<Driver>, notice: Notice<'_>) {
        match notice {
            Notice::DropDraft => self.drafting.drop_draft(),
            Notice::Begun(key) => tab::set_key(key),
            Notice::ResultsReady => page::go_to(&self.form.address("data-saved")),
            Notice::Changed(state) => self.show(state),
            Notice::Succeeded {
                show_here: false, ..
            } => {}
            Notice::Succeeded { key, created, .. } => {
                if let Some(card) = Card::append(&self.root) {
                    let driver = driver.clone();
                    let forget = move || driver.feed(Happening::Forget(key));
                    let api = self.form.address("data-api");
                    card.show_result(&api, &created, messages::SAVED_HERE, forget);
                }
            }
        }
    }

    fn show(&self, state: &SaveState) {
        let line = state.line();
        let mut words = messages::line(&line);
        if state.is_only_here() {
            words.push_str(messages::ONLY_HERE);
        }
        // What did not change is not said again: it would cover what others have said since.
        let said = (messages::state(&line), words);
        let is_news = *self.said.borrow() != said;
        self.said.replace(said);
        if is_news {
            self.say_again();
        }
        let busy = if state.is_unresolved() {
            "true"
        } else {
            "false"
        };
        dom::set(&self.form.element, "aria-busy", busy);
    }

    /// Says what the machine said last.
    pub(super) fn say_again(&self) {
        let (state, words) = &*self.said.borrow();
        self.say(state, words);
    }

    /// Shows a part of the page that only works with the client.
    pub(super) fn show_part(&self, name: &str) {
        if let Some(part) = dom::part(&self.root, name) {
            dom::show(&part, true);
        }
    }

    /// A final word interrupts; any other waits until the person pauses.
    pub(super) fn say(&self, state: &str, words: &str) {
        let is_final = state == "refused" || state == "stale";
        let role = if is_final { "alert" } else { "status" };
        dom::set(&self.line, "role", role);
        dom::set(&self.line, "data-state", state);
        dom::set_text(&self.line, words);
    }

    /// Says how a save of an earlier page stands, if there is nothing else to say.
    pub(super) fn tell_of_earlier(&self, words: &str) {
        let state = dom::attribute(&self.line, "data-state");
        if state == messages::state(&Line::Idle) || state == EARLIER {
            self.say(EARLIER, words);
            let results = self.form.address("data-saved");
            dom::append_link(&self.line, &results, messages::EARLIER_LINK);
        }
    }
}
