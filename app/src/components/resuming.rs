//! What the form page takes up from earlier pages: this tab's save in the form, others beside it.

use super::driver::{Driver, Notice};
use super::editor::Editor;
use super::messages::Earlier;
use crate::browser::{clock, page, storage};
use crate::save::{Entry, Happening, Line, Standing};
use std::rc::Rc;

/// Resumes every pending save of this browser and tells whether the form shows one now. `has_draft`: the form shows what
/// was typed in this tab; of a refused text that is what became of it, and its next save takes the refused one's place.
pub(super) fn resume_all(editor: &Rc<Editor>, driver: &Rc<Driver>, has_draft: bool) -> bool {
    let (entries, own) = (storage::entries(), storage::own_key());
    let mut is_resumed = false;
    for entry in entries {
        let standing = entry.standing(clock::now_ms());
        let is_open = matches!(
            standing,
            Standing::Resume | Standing::Stale | Standing::Refused
        );
        let is_own = is_open && Some(entry.key) == own;
        let is_edited = is_own && has_draft && standing == Standing::Refused;
        if is_edited || is_own && editor.form.fill(&entry.request) {
            is_resumed |= !has_draft;
            driver.feed(Happening::Found {
                entry,
                in_editor: true,
            });
        } else {
            resume_beside(editor, entry, standing);
        }
    }
    is_resumed
}

/// A save that is not in the form goes on by itself; one that needs the person waits on the page of results.
fn resume_beside(editor: &Rc<Editor>, entry: Entry, standing: Standing) {
    let key = entry.key;
    if entry.is_unseen() {
        editor.line.tell_of_earlier(key, Some(Earlier::Saved));
    }
    match standing {
        Standing::Reduce(link) => storage::reduce(key, &link),
        Standing::Over => storage::remove(key),
        Standing::Replay => {}
        Standing::Stale => editor.line.tell_of_earlier(key, Some(Earlier::Old)),
        Standing::Refused => editor.line.tell_of_earlier(key, Some(Earlier::Open)),
        Standing::Resume => {
            editor.line.tell_of_earlier(key, Some(Earlier::Saving));
            let told = editor.clone();
            let address = editor.form.address("data-api");
            let driver = Driver::new(&address, move |_, notice| {
                if let Notice::Changed(state) = notice {
                    told.line.tell_of_earlier(key, earlier(&state.line()));
                }
            });
            driver.feed(Happening::Found {
                entry,
                in_editor: false,
            });
        }
    }
}

/// Back on a page that was kept alive: what was shown meanwhile is history, and what this tab saved may not have been.
pub(super) fn listen(editor: &Rc<Editor>) {
    let editor = editor.clone();
    page::on_return(move || {
        editor.line.drop_seen();
        if let Some(key) = storage::own_key().filter(|key| storage::is_unseen(*key)) {
            editor.line.tell_of_earlier(key, Some(Earlier::Saved));
        }
    });
}

/// How a save stands that is driven beside the form.
fn earlier(line: &Line) -> Option<Earlier> {
    match line {
        Line::Saved => Some(Earlier::Saved),
        Line::Saving | Line::Retrying { .. } | Line::Offline => Some(Earlier::Saving),
        Line::Refused { .. } => Some(Earlier::Open),
        Line::Stale => Some(Earlier::Old),
        // Settled in another tab, where the person has seen it.
        Line::Settled { .. } | Line::Idle => None,
    }
}
