//! Typing that survives a reload.

use super::editor::Editor;
use crate::browser::timer::{self, Timer};
use crate::browser::{clock, dom, draft, page};
use std::cell::Cell;
use std::rc::Rc;

/// Typing is kept when it pauses this long.
const PAUSE_MS: u64 = 400;

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
    dom::on(&editor.form.element, "input", move |_| {
        let paused = typed.clone();
        let timer = timer::after(PAUSE_MS, move || keep(&paused));
        typed.drafting.pause.set(Some(timer));
    });
    let left = editor.clone();
    page::on_leave(move || keep(&left));
}

fn keep(editor: &Editor) {
    let Drafting { page, pause } = &editor.drafting;
    if pause.take().is_none() {
        return;
    }
    let request = editor.form.read();
    if request.content.is_empty() {
        draft::drop_own(*page);
    } else {
        draft::keep(*page, &request);
    }
}

/// Puts the draft into a form that is empty.
pub(super) fn restore(editor: &Editor) {
    if editor.form.is_empty()
        && let Some(request) = draft::take_over(editor.drafting.page)
    {
        editor.form.fill(&request);
    }
}
