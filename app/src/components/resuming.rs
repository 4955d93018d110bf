//! What the form page takes up from earlier pages: this tab's save in the form, others beside it.

use super::driver::{Driver, Notice};
use super::editor::Editor;
use super::messages;
use crate::browser::{clock, storage, tab};
use crate::save::{Entry, Happening, Standing};
use std::rc::Rc;

/// Resumes every pending save of this browser.
pub(super) fn resume_all(editor: &Rc<Editor>, driver: &Rc<Driver>) {
    let own = tab::key();
    for entry in storage::entries() {
        let standing = entry.standing(clock::now_ms());
        let is_open = !matches!(standing, Standing::Replay | Standing::Reduce(_));
        if is_open && Some(entry.key) == own && editor.form.fill(&entry.request) {
            driver.feed(Happening::Found {
                entry,
                in_editor: true,
            });
        } else {
            resume_beside(editor, entry, standing);
        }
    }
}

/// A save that is not in the form goes on by itself; one that needs the person waits on the page of results.
fn resume_beside(editor: &Rc<Editor>, entry: Entry, standing: Standing) {
    match standing {
        Standing::Reduce(link) => storage::reduce(entry.key, &link),
        Standing::Replay => {}
        Standing::Stale => editor.tell_of_earlier(messages::EARLIER_OLD),
        Standing::Refused => editor.tell_of_earlier(messages::EARLIER_OPEN),
        Standing::Resume => {
            editor.tell_of_earlier(messages::EARLIER_SAVING);
            let editor = editor.clone();
            let address = editor.form.address("data-api");
            let driver = Driver::new(&address, move |_, notice| {
                if let Notice::Succeeded { .. } = notice {
                    editor.tell_of_earlier(messages::EARLIER_SAVED);
                }
            });
            driver.feed(Happening::Found {
                entry,
                in_editor: false,
            });
        }
    }
}
