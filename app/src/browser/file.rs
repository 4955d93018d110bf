//! Files that a person drops on the page or chooses.

use super::dom::{Element, on, prevent_default};
use super::request;
use js_sys::{Array, JsString, Promise};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{DragEvent, Event, window};

// Declared here, since web-sys would be compiled once more for each feature that is switched on.
#[wasm_bindgen]
extern "C" {
    /// `<input type="file">`, or what is dragged.
    #[wasm_bindgen(extends = Element)]
    type Bearer;

    #[wasm_bindgen(method, getter)]
    fn files(this: &Bearer) -> Option<FileList>;

    #[wasm_bindgen(method, setter)]
    fn set_value(this: &Bearer, value: &str);

    #[wasm_bindgen(method, getter)]
    fn types(this: &Bearer) -> Array;

    type FileList;

    #[wasm_bindgen(method, getter)]
    fn length(this: &FileList) -> u32;

    #[wasm_bindgen(method)]
    fn item(this: &FileList, index: u32) -> Option<WebFile>;

    #[wasm_bindgen(js_name = File)]
    type WebFile;

    #[wasm_bindgen(method, getter)]
    fn name(this: &WebFile) -> String;

    #[wasm_bindgen(method, getter)]
    fn size(this: &WebFile) -> f64;

    #[wasm_bindgen(method, js_name = arrayBuffer)]
    fn array_buffer(this: &WebFile) -> Promise;
}

/// A file on the person's machine, not read yet.
pub(crate) struct File {
    file: WebFile,
}

/// What a person does with files over the page.
pub(crate) enum Dragging {
    /// They are over the page.
    Over,
    /// They have left it.
    Away,
    /// They were let go here.
    Dropped(Vec<File>),
}

impl File {
    /// Its name, without a folder.
    pub(crate) fn name(&self) -> String {
        self.file.name()
    }

    /// Its size as the system tells it.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a size is a whole number, exact as far as anything can be saved"
    )]
    pub(crate) fn bytes(&self) -> u64 {
        self.file.size() as u64
    }

    /// Its exact text; none when it cannot be read, an error when it is not UTF-8.
    pub(crate) async fn text(&self) -> Option<Result<String, ()>> {
        let buffer = JsFuture::from(self.file.array_buffer()).await.ok()?;
        Some(request::utf8(&buffer))
    }
}

/// Tells of files that are dragged over the page. Anything else that is dragged is left to the browser.
pub(crate) fn on_drag(tell: impl Fn(Dragging) + 'static) {
    let Some(window) = window() else {
        return;
    };
    let tell = Rc::new(tell);
    let over = tell.clone();
    on(&window, "dragover", move |event| {
        if carried(&event).is_some() {
            prevent_default(&event);
            over(Dragging::Over);
        }
    });
    let away = tell.clone();
    on(&window, "dragleave", move |event| {
        // Leaving an element for another one of the page is not leaving the page.
        if event
            .unchecked_ref::<DragEvent>()
            .related_target()
            .is_none()
        {
            away(Dragging::Away);
        }
    });
    on(&window, "drop", move |event| {
        if let Some(carried) = carried(&event) {
            prevent_default(&event);
            tell(Dragging::Dropped(list(carried.files())));
        }
    });
}

/// Takes the files that were chosen. Choosing the same ones again is news again.
pub(crate) fn take_chosen(chooser: &Element) -> Vec<File> {
    let chooser = chooser.unchecked_ref::<Bearer>();
    let files = list(chooser.files());
    chooser.set_value("");
    files
}

/// What is dragged, if it is files.
fn carried(event: &Event) -> Option<Bearer> {
    let carried = event.unchecked_ref::<DragEvent>().data_transfer()?;
    let carried: Bearer = carried.unchecked_into();
    let files = JsString::from("Files");
    carried.types().includes(&files, 0).then_some(carried)
}

fn list(files: Option<FileList>) -> Vec<File> {
    let files = files
        .into_iter()
        .flat_map(|files| (0..files.length()).filter_map(move |index| files.item(index)));
    files.map(|file| File { file }).collect()
}
