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

    #[wasm_bindgen(method, getter)]
    fn checked(this: &Field) -> Option<bool>;

    #[wasm_bindgen(method, setter)]
    fn set_checked(this: &Field, checked: bool);

    #[wasm_bindgen(method, getter, js_name = textLength)]
    fn text_length(this: &Field) -> Option<f64>;
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

/// UTF-16 units in the textarea with this name, without looking at each.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a length is a whole number that fits"
)]
pub(crate) fn units(form: &Element, name: &str) -> usize {
    let length = field(form, name).and_then(|field| field.text_length());
    length.unwrap_or_default() as usize
}

/// Whether a checkbox is ticked.
pub(crate) fn is_ticked(checkbox: &Element) -> bool {
    let checkbox = checkbox.unchecked_ref::<Field>();
    checkbox.checked().unwrap_or_default()
}

/// Ticks a checkbox, or not.
pub(crate) fn tick(checkbox: &Element, ticked: bool) {
    checkbox.unchecked_ref::<Field>().set_checked(ticked);
}
