//! Typing that survives a reload.

use super::editor::Editor;
use super::form::Form;
use super::messages;
use crate::browser::timer::{self, Timer};
use crate::browser::{clock, dom, draft, page};
use crate::wire::paste::CreateRequest;
use std::cell::Cell;
use std::rc::Rc;

/// Typing is kept when it pauses this long.
const PAUSE_MS: u64 = 400;

/// The longest text that is kept: more than this finds no room in any browser.
const BYTES_MAX: usize = 5 << 20;

/// The draft of one page.
pub(super) struct Drafting {
    /// A random number: whose draft it is.
    page: u32,
    /// Whether something was typed that is not yet kept.
    is_fresh: Cell<bool>,
    /// When typing has paused.
    pause: Cell<Option<Timer>>,
    /// Whether something was typed that is not known to be stored or saved.
    is_typed: Cell<bool>,
    /// Whether the page has been left: some browsers hide it after that.
    has_left: Cell<bool>,
    /// Whether the tab's draft is a text that the form does not show and no other place has room for: then it stays.
    is_taken: Cell<bool>,
}

impl Drafting {
    pub(super) fn new() -> Self {
        Self {
            page: clock::random(),
            is_fresh: Cell::default(),
            pause: Cell::default(),
            is_typed: Cell::default(),
            has_left: Cell::default(),
            is_taken: Cell::default(),
        }
    }

    pub(super) fn is_typed(&self) -> bool {
        self.is_typed.get()
    }

    /// The text is stored as a save, or saved. What was typed of it needs no draft; what was typed since does.
    pub(super) fn drop_draft(&self, form: &Form, request: &CreateRequest) {
        if form.read() == *request {
            self.is_fresh.set(false);
            self.drop_own();
        }
    }

    /// Keeps a text as this tab's draft; false when there is no room for it.
    pub(super) fn keep(&self, request: &CreateRequest) -> bool {
        request.content.len() <= BYTES_MAX
            && !self.is_taken.get()
            && draft::keep(self.page, request)
    }

    /// A page that is shown, perhaps once more, has its draft for itself.
    fn hide(&self, is_hidden: bool) {
        if !is_hidden {
            self.has_left.set(false);
            draft::drop_copies(self.page);
        } else if !self.has_left.get() {
            draft::hide(self.page);
        }
    }

    fn drop_own(&self) {
        self.is_typed.set(false);
        if !self.is_taken.get() {
            draft::drop_own(self.page);
        }
    }

    /// Another text is in the form: the draft gets a place of its own, from which the next empty form takes it.
    fn set_aside(&self, request: &CreateRequest, writer: u32) {
        if draft::park(request) {
            draft::drop_own(writer);
        } else {
            self.is_taken.set(true);
        }
    }
}

/// Keeps what is typed when it pauses, and when the page is hidden or left.
pub(super) fn listen(editor: &Rc<Editor>) {
    let typed = editor.clone();
    dom::on(&editor.form.element, "input", move |_| begin_pause(&typed));
    let hidden = editor.clone();
    page::on_hidden(move |is_hidden| {
        end_pause(&hidden);
        hidden.drafting.hide(is_hidden);
    });
    let left = editor.clone();
    page::on_leave(move || {
        end_pause(&left);
        left.drafting.has_left.set(true);
        draft::leave(left.drafting.page);
    });
}

/// The form has changed: it is looked at as a whole when the changes pause.
pub(super) fn begin_pause(editor: &Rc<Editor>) {
    let paused = editor.clone();
    let timer = timer::after(PAUSE_MS, move || end_pause(&paused));
    editor.drafting.pause.set(Some(timer));
    editor.drafting.is_fresh.set(true);
    editor.drafting.is_typed.set(true);
}

fn end_pause(editor: &Editor) {
    if !editor.drafting.is_fresh.get() {
        return;
    }
    let request = editor.form.read();
    editor.tell_size(request.content.len());
    if is_blank(&request) {
        editor.drafting.drop_own();
    } else {
        keep(editor, &request);
    }
    // Not before: all this may be cut off, see `page::on_leave`.
    editor.drafting.is_fresh.set(false);
}

/// Keeps the form as this tab's draft. A reload finds it there from now on, no more at the paste it came from. An older
/// draft of a text that has no room any more would be half of it.
fn keep(editor: &Editor, request: &CreateRequest) {
    if !editor.drafting.keep(request) {
        if request.content.len() > BYTES_MAX && !editor.drafting.is_taken.get() {
            draft::drop_own(editor.drafting.page);
        }
    } else if page::asks_for_paste() {
        page::rename(&editor.form.address("action"));
    }
}

fn is_blank(request: &CreateRequest) -> bool {
    request.content.is_empty() && request.title.is_none() && request.syntax.is_none()
}

/// Puts this tab's draft into the form and tells whether it is there now: it is what the person typed last. A paste that is
/// used as new goes before it and becomes the draft; the one before it stays where pages leave theirs.
pub(super) fn restore_own(editor: &Rc<Editor>) -> bool {
    if page::asks_for_paste() {
        let request = editor.form.read();
        if !is_blank(&request) {
            keep(editor, &request);
        }
        return false;
    }
    let Some((request, writer)) = draft::own() else {
        return false;
    };
    if take(editor, &request, writer) {
        return true;
    }
    // The browser has put another text there, which must not be written over the draft.
    editor.drafting.set_aside(&request, writer);
    editor.line.add_aside(messages::PARKED);
    false
}

/// A form that is still empty gets the draft that was left last. `is_resumed`: it has a save instead, and the person
/// learns that their text is not lost.
pub(super) fn restore_left(editor: &Rc<Editor>, is_resumed: bool) {
    let left = draft::left();
    if is_resumed && left.is_some() {
        editor.line.add_aside(messages::PARKED);
    } else if editor.form.units() == 0 && !page::asks_for_paste() {
        match left {
            Some((request, writer)) => _ = take(editor, &request, writer),
            None => offer_hidden(editor),
        }
    }
}

fn take(editor: &Rc<Editor>, request: &CreateRequest, writer: u32) -> bool {
    let is_there = editor.form.fill(request);
    if is_there {
        draft::take_over(editor.drafting.page, request, writer);
    }
    is_there
}

/// A page that is hidden, or was ended while it was, has a draft.
fn offer_hidden(editor: &Rc<Editor>) {
    if draft::hidden().is_none() {
        return;
    }
    let offered = editor.clone();
    let bring = move || {
        let found = draft::hidden().filter(|_| offered.form.units() == 0);
        if let Some((request, writer)) = found {
            take(&offered, &request, writer);
            offered.tell_size_at_once();
        }
        offered.line.say_again();
    };
    editor
        .line
        .offer(messages::HIDDEN_DRAFT, messages::BRING, bring);
}
