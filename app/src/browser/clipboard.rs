//! The clipboard, on https and on plain http.

use super::dom::{on, put};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{ClipboardEvent, HtmlDocument, HtmlTextAreaElement, window};

/// Puts the exact text on the clipboard; false when the browser does not let it.
pub(crate) async fn copy(text: &str) -> bool {
    if let Some(clipboard) = clipboard() {
        let written = JsFuture::from(clipboard.write_text(text)).await;
        if written.is_ok() {
            return true;
        }
    }
    copy_by_command(text).unwrap_or(false)
}

/// `navigator.clipboard`, which plain http does not have.
fn clipboard() -> Option<web_sys::Clipboard> {
    let navigator = window()?.navigator();
    let clipboard = js_sys::Reflect::get(&navigator, &JsValue::from_str("clipboard")).ok()?;
    clipboard.is_object().then(|| clipboard.unchecked_into())
}

#[wasm_bindgen]
extern "C" {
    /// What can have the focus. Declared here for the one call that takes options.
    type Focusable;

    #[wasm_bindgen(method)]
    fn focus(this: &Focusable, options: &JsValue);
}

/// The old way: select a text, command a copy, and put the exact text in while the browser asks for it. The focus goes
/// back to where it was, and nothing scrolls: the class keeps the text where the person looks.
fn copy_by_command(text: &str) -> Option<bool> {
    let document: HtmlDocument = window()?.document()?.unchecked_into();
    let body = document.body()?;
    let area = document.create_element("textarea").ok()?;
    let area: HtmlTextAreaElement = area.unchecked_into();
    area.set_class_name("copying");
    area.set_value(text);
    let focused = document.active_element();
    body.append_child(&area).ok()?;
    area.select();
    let exact = text.to_owned();
    on(&area, "copy", move |event| {
        let given = event.unchecked_ref::<ClipboardEvent>().clipboard_data();
        if given.is_some_and(|given| given.set_data("text/plain", &exact).is_ok()) {
            event.prevent_default();
        }
    });
    let copied = document.exec_command("copy");
    area.remove();
    if let Some(focused) = focused {
        let options = js_sys::Object::new();
        put(&options, "preventScroll", &JsValue::TRUE);
        focused.unchecked_ref::<Focusable>().focus(&options);
    }
    copied.ok()
}
