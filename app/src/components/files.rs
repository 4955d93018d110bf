//! A file dropped on the page or chosen becomes the form's text, byte for byte.

use super::drafting;
use super::editor::Editor;
use super::messages;
use crate::browser::file::{self, Dragging, File};
use crate::browser::{dom, request};
use std::rc::Rc;

/// Takes files from now on, and shows the button that chooses one.
pub(super) fn listen(editor: &Rc<Editor>) {
    let dragged = editor.clone();
    file::on_drag(move |dragging| {
        let is_over = matches!(dragging, Dragging::Over);
        let state = if is_over { "dropping" } else { "idle" };
        dom::set(&dragged.form.element, "data-state", state);
        if let Dragging::Dropped(files) = dragging {
            take(&dragged, files);
        }
    });
    if let Some(chooser) = dom::part(&editor.root, "file") {
        editor.show_part("open");
        let (editor, of_chooser) = (editor.clone(), chooser.clone());
        dom::on(&chooser, "change", move |_| {
            take(&editor, file::take_chosen(&of_chooser))
        });
    }
}

/// One file is read, if it may be one paste.
fn take(editor: &Rc<Editor>, files: Vec<File>) {
    let mut files = files.into_iter();
    let (Some(file), None) = (files.next(), files.next()) else {
        return editor.refuse(messages::ONE_FILE);
    };
    let bytes_max = editor.form.bytes_max();
    if file.bytes() > bytes_max {
        return editor.refuse(&messages::file_too_large(file.bytes(), bytes_max));
    }
    if editor.form.units() > 0 {
        return editor.refuse(messages::TEXT_THERE);
    }
    let editor = editor.clone();
    request::in_background(Box::pin(async move {
        match file.text().await {
            None => editor.refuse(messages::FILE_UNREADABLE),
            Some(Err(())) => editor.refuse(messages::FILE_NOT_UTF8),
            Some(Ok(text)) if text.is_empty() => editor.refuse(messages::FILE_EMPTY),
            Some(Ok(text)) => put(&editor, text, &file.name()),
        }
    }));
}

/// The text goes into the form, unless something was typed while the file was read.
fn put(editor: &Rc<Editor>, text: String, name: &str) {
    if !editor.form.fill_from_file(text, name) {
        return editor.refuse(messages::TEXT_THERE);
    }
    editor.line.say("idle", messages::FILE_TAKEN);
    editor.tell_size_at_once();
    drafting::begin_pause(editor);
}

impl Editor {
    fn refuse(&self, words: &str) {
        self.line.refuse(words);
    }
}
