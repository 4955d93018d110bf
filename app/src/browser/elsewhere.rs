//! What other tabs do to the saves in storage.

use super::dom::on;
use super::storage::SAVE;
use crate::save::{Happening, Kept, Key, Outcome, Record};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    type StorageEvent;

    #[wasm_bindgen(method, getter)]
    fn key(this: &StorageEvent) -> Option<String>;

    #[wasm_bindgen(method, getter, js_name = newValue)]
    fn new_value(this: &StorageEvent) -> Option<String>;
}

/// Tells when another tab has ended a save, or removed it.
pub(crate) fn on_settled(tell: impl Fn(Happening) + 'static) {
    let Some(window) = web_sys::window() else {
        return;
    };
    on(&window, "storage", move |event| {
        if let Some(what) = happened(event.unchecked_ref()) {
            tell(what);
        }
    });
}

/// None for what is no save, and for one that is still open.
fn happened(event: &StorageEvent) -> Option<Happening> {
    let key: Key = event.key()?.strip_prefix(SAVE)?.parse().ok()?;
    let Some(text) = event.new_value() else {
        return Some(Happening::Store(key, Kept::Gone));
    };
    let outcome = Record::entry(&text)?.outcome;
    (outcome != Outcome::Pending).then_some(Happening::Known(key, outcome))
}
