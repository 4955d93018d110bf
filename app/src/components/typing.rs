//! What the person types: the tab key, and how large the text has become.

use super::editor::Editor;
use super::messages;
use crate::browser::dom::{self, TextKey};
use crate::wire::size;
use std::cell::Cell;
use std::rc::Rc;

/// A text up to this many UTF-16 units is counted at every key; a longer one when typing pauses.
const UNITS_AT_ONCE: usize = 64 * 1024;

/// Listens to the text and shows what only works from now on.
pub(super) fn listen(editor: &Rc<Editor>) {
    let form = &editor.form.element;
    if let Some(text) = dom::find(form, "textarea") {
        take_tabs(&text);
        describe(&text);
    }
    for part in ["keys", "size"] {
        editor.show_part(part);
    }
    editor.tell_size_at_once();
    let typed = editor.clone();
    dom::on(form, "input", move |_| {
        if typed.form.units() <= UNITS_AT_ONCE {
            typed.tell_size_at_once();
        }
    });
}

/// The hint about keys is read out with the text, after any problem with it.
fn describe(text: &dom::Element) {
    let mut ids = dom::attribute(text, "aria-describedby");
    ids.push_str(" keys");
    dom::set(text, "aria-describedby", ids.trim_start());
}

/// Tab inserts a tab; after Esc it goes on to the next field, as ever.
fn take_tabs(text: &dom::Element) {
    let leaves = Cell::new(false);
    dom::on(text, "keydown", move |event| {
        let left = leaves.take();
        match dom::text_key(&event) {
            TextKey::Tab if !left => {
                dom::prevent_default(&event);
                dom::insert_text("\t");
            }
            TextKey::Tab | TextKey::Other => {}
            TextKey::Escape => leaves.set(true),
        }
    });
}

impl Editor {
    pub(super) fn tell_size_at_once(&self) {
        self.tell_size(self.form.read().content.len());
    }

    /// Shows how large the text is; says so, too, when it grows past the limit.
    pub(super) fn tell_size(&self, content_bytes: usize) {
        let (bytes, bytes_max) = (content_bytes as u64, self.form.bytes_max());
        let is_over = bytes > bytes_max;
        if let Some(used) = dom::part(&self.root, "used") {
            dom::set_text(&used, &size::human(bytes));
        }
        if let Some(size) = dom::part(&self.root, "size") {
            dom::set(&size, "data-state", if is_over { "over" } else { "fits" });
        }
        if is_over != self.is_over.replace(is_over) {
            if is_over {
                self.line.refuse(&messages::too_large(bytes, bytes_max));
            } else {
                self.line.say_again();
            }
        }
    }
}
