//! The fields of a form, whatever their kind.

use super::dom::{Element, find};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// What input, textarea and select have in common.
    #[wasm_bindgen(extends = Element)]
    type Field;

    #[wasm_bindgen(method, getter)]
    fn value(this: &Field) -> Option<String>;

    #[wasm_bindgen(method, setter)]
    fn set_value(this: &Field, value: &str);
}

fn field(form: &Element, name: &str) -> Option<Field> {
    let mut selector = String::from("[name=\"");
    selector.push_str(name);
    selector.push_str("\"]");
    find(form, &selector).map(JsCast::unchecked_into)
}

/// The value of the field with this name. Of a textarea, with LF for every line end, whatever was typed or pasted.
pub(crate) fn read(form: &Element, name: &str) -> String {
    let value = field(form, name).and_then(|field| field.value());
    value.unwrap_or_default()
}

/// Sets the value of the field with this name.
pub(crate) fn write(form: &Element, name: &str, value: &str) {
    if let Some(field) = field(form, name) {
        field.set_value(value);
    }
}
