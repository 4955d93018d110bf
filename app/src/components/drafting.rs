//! Typing that survives a reload.

use super::editor::Editor;
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
    /// Runs while something typed is not yet kept.
    pause: Cell<Option<Timer>>,
}

impl Drafting {
    pub(super) fn new() -> Self {
        Self {
            page: clock::random(),
            pause: Cell::default(),
        }
    }

    /// The text is about to be stored as a save; what was typed of it needs no draft.
    pub(super) fn drop_draft(&self) {
        self.pause.take();
        draft::drop_own(self.page);
    }
}

/// Keeps what is typed when it pauses, and when the page is left.
pub(super) fn listen(editor: &Rc<Editor>) {
    let typed = editor.clone();
    dom::on(&editor.form.element, "input", move |_| begin_pause(&typed));
    let left = editor.clone();
    page::on_leave(move || {
        end_pause(&left);
        draft::leave();
    });
}

/// The form has changed: it is looked at as a whole when the changes pause.
pub(super) fn begin_pause(editor: &Rc<Editor>) {
    let paused = editor.clone();
    let timer = timer::after(PAUSE_MS, move || end_pause(&paused));
    editor.drafting.pause.set(Some(timer));
}

fn end_pause(editor: &Editor) {
    let Drafting { page, pause } = &editor.drafting;
    if pause.take().is_none() {
        return;
    }
    let request = editor.form.read();
    editor.tell_size(request.content.len());
    if is_worth_keeping(&request) {
        keep(editor, &request);
    } else {
        draft::drop_own(*page);
    }
}

/// Keeps the form as this tab's draft. A reload finds it there from now on, no more at the paste it came from.
fn keep(editor: &Editor, request: &CreateRequest) {
    if draft::keep(editor.drafting.page, request) && page::asks_for_paste() {
        page::rename(&editor.form.address("action"));
    }
}

fn is_worth_keeping(request: &CreateRequest) -> bool {
    let is_blank =
        request.content.is_empty() && request.title.is_none() && request.syntax.is_none();
    !is_blank && request.content.len() <= BYTES_MAX
}

/// Puts the draft into the form, unless another text is there. A paste that is used as new is such a text: it becomes
/// the draft, and the one before it stays where pages leave theirs.
pub(super) fn restore(editor: &Editor) {
    if page::asks_for_paste() {
        let request = editor.form.read();
        if is_worth_keeping(&request) {
            keep(editor, &request);
        }
        return;
    }
    let is_empty = editor.form.units() == 0;
    if let Some(request) = draft::take_over(editor.drafting.page, is_empty) {
        editor.form.fill(&request);
    }
}
