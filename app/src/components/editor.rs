//! The form page: what is pressed, and what becomes of it.

use super::drafting::{self, Drafting};
use super::driver::{Driver, Notice};
use super::finishing::Finishing;
use super::form::Form;
use super::telling::CalmLine;
use super::{files, finishing, messages, resuming, stopping, typing};
use crate::browser::dom::{self, Element};
use crate::browser::{clock, tab};
use crate::save::{Happening, Line, SaveState};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

/// The form and what belongs to it.
pub(super) struct Editor {
    pub(super) root: Element,
    pub(super) form: Form,
    pub(super) drafting: Drafting,
    pub(super) line: CalmLine,
    pub(super) finishing: Finishing,
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
    let form = Form::new(element);
    let editor = Rc::new(Editor {
        root,
        drafting: Drafting::new(),
        line: CalmLine::new(line, form.address("data-saved")),
        form,
        finishing: Finishing::default(),
        is_over: Cell::default(),
    });
    let told = editor.clone();
    let address = editor.form.address("data-api");
    let driver = Driver::new(&address, move |driver, notice| told.take(driver, notice));
    let has_draft = drafting::restore_own(&editor);
    let is_resumed = resuming::resume_all(&editor, &driver, has_draft);
    drafting::restore_left(&editor, is_resumed);
    drafting::listen(&editor);
    typing::listen(&editor);
    files::listen(&editor);
    stopping::listen(&editor, &driver);
    resuming::listen(&editor);
    finishing::listen(&editor, &driver);
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

impl Editor {
    fn press(&self, driver: &Rc<Driver>) {
        let request = self.form.read();
        let (bytes, bytes_max) = (request.content.len() as u64, self.form.bytes_max());
        if bytes > bytes_max {
            return self.line.refuse(&messages::too_large(bytes, bytes_max));
        }
        self.line.drop_aside();
        driver.feed(Happening::Press {
            key: clock::new_key(),
            request: Arc::new(request),
        });
    }

    fn take(&self, driver: &Rc<Driver>, notice: Notice<'_>) {
        match notice {
            Notice::DropDraft(request) => self.drafting.drop_draft(&self.form, &request),
            Notice::Begun(key) => tab::set_key(key),
            Notice::Changed(state) => self.show(state),
            Notice::Succeeded(result) => self.finish(driver, result),
            Notice::ResultsReady => self.leave(driver),
        }
    }

    fn show(&self, state: &SaveState) {
        let line = state.line();
        let is_fetching = state.is_fetching();
        let mut words = messages::line(&line, is_fetching, messages::TEXT_STAYS, clock::time_in);
        // The result that is shown here says more.
        if line == Line::Saved && self.finishing.shows_results() {
            words.clear();
        }
        words.push_str(&messages::in_line(state.in_line()));
        let kept = state.why_only_here();
        if let Some(kept) = kept {
            words.push_str(messages::only_here(kept));
        }
        self.finishing.is_only_here.set(kept.is_some());
        // The form, or anything else around the line, must not be busy: a screen reader would keep the line back.
        let busy = if state.is_unresolved() {
            "true"
        } else {
            "false"
        };
        if let Some(button) = dom::find(&self.form.element, "[type=\"submit\"]") {
            dom::set(&button, "aria-busy", busy);
        }
        stopping::show(&self.root, &line, state, is_fetching);
        let lead = self.lead(&line);
        self.line.tell(messages::state(&line), words, lead);
    }

    /// Where a save is that was settled in another tab.
    fn lead(&self, line: &Line) -> Option<(String, String)> {
        match line {
            Line::Settled { link: Some(link) } => Some((link.url.clone(), link.url.clone())),
            Line::Settled { link: None } => {
                let list = [&self.form.address("action"), "mine"].concat();
                Some((list, messages::LIST.into()))
            }
            _ => None,
        }
    }

    /// Shows a part of the page that only works with the client.
    pub(super) fn show_part(&self, name: &str) {
        if let Some(part) = dom::part(&self.root, name) {
            dom::show(&part, true);
        }
    }
}
