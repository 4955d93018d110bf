//! The form page: what is pressed, and the one calm line.

use super::card::Card;
use super::drafting::{self, Drafting};
use super::driver::{Driver, Notice};
use super::form::Form;
use super::{messages, resuming};
use crate::browser::dom::{self, Element};
use crate::browser::{clock, page, tab};
use crate::save::{Happening, Line, SaveState};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

/// The form and what belongs to it.
pub(super) struct Editor {
    root: Element,
    pub(super) form: Form,
    pub(super) drafting: Drafting,
    line: Element,
    /// What the machine said last.
    said: Cell<String>,
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
        form: Form { element },
        drafting: Drafting::new(),
        line,
        said: Cell::default(),
    });
    let told = editor.clone();
    let address = editor.form.address("data-api");
    let driver = Driver::new(&address, move |driver, notice| told.take(driver, notice));
    resuming::resume_all(&editor, &driver);
    drafting::restore(&editor);
    drafting::listen(&editor);
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
        let content_bytes = request.content.len();
        match self.form.bytes_max() {
            Some(bytes_max) if content_bytes > bytes_max => {
                self.say("refused", &messages::too_large(content_bytes, bytes_max));
            }
            _ => driver.feed(Happening::Press {
                key: clock::new_key(),
                request: Arc::new(request),
            }),
        }
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
                    card.show_result(&created, messages::SAVED_HERE, forget);
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
        if self.said.take() != words {
            self.say(messages::state(&line), &words);
        }
        self.said.set(words);
        let busy = if state.is_unresolved() {
            "true"
        } else {
            "false"
        };
        dom::set(&self.form.element, "aria-busy", busy);
    }

    /// A final word interrupts; any other waits until the person pauses.
    fn say(&self, state: &str, words: &str) {
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
