//! Elements: finding, reading, changing, listening.
//!
//! Kinds of elements and events are not checked: which they are follows from the selectors and the names next to them,
//! and every check costs the client an import. A wrong one would be an exception, never undefined behaviour.

use wasm_bindgen::prelude::*;
use web_sys::{
    Event, EventTarget, HtmlDocument, HtmlElement, HtmlFormElement, HtmlTemplateElement,
    KeyboardEvent,
};

pub(crate) use web_sys::Element;

/// The first element below `root` that matches.
pub(crate) fn find(root: &Element, selector: &str) -> Option<Element> {
    root.query_selector(selector).ok().flatten()
}

/// Every element of the page that matches.
pub(crate) fn find_all(selector: &str) -> Vec<Element> {
    let document = web_sys::window().and_then(|window| window.document());
    let found = document.and_then(|document| document.query_selector_all(selector).ok());
    let Some(found) = found else {
        return Vec::new();
    };
    let nodes = (0..found.length()).filter_map(|index| found.item(index));
    nodes.map(JsCast::unchecked_into).collect()
}

/// The part of `root` with this name: `data-part="name"`.
pub(crate) fn part(root: &Element, name: &str) -> Option<Element> {
    let mut selector = String::from("[data-part=\"");
    selector.push_str(name);
    selector.push_str("\"]");
    find(root, &selector)
}

/// A copy of what the template with this name holds.
pub(crate) fn from_template(root: &Element, name: &str) -> Option<Element> {
    let template: HtmlTemplateElement = part(root, name)?.unchecked_into();
    let first = template.content().first_element_child()?;
    let copy = first.clone_node_with_deep(true).ok()?;
    Some(copy.unchecked_into())
}

/// The element's text.
pub(crate) fn text(element: &Element) -> String {
    element.text_content().unwrap_or_default()
}

/// Replaces the element's text.
pub(crate) fn set_text(element: &Element, text: &str) {
    element.set_text_content(Some(text));
}

/// The value of an attribute; empty when it is not there.
pub(crate) fn attribute(element: &Element, name: &str) -> String {
    element.get_attribute(name).unwrap_or_default()
}

/// Sets an attribute.
pub(crate) fn set(element: &Element, name: &str, value: &str) {
    // It throws for an impossible name only, and ours are constants.
    let _ = element.set_attribute(name, value);
}

/// Shows the element, or hides it.
pub(crate) fn show(element: &Element, shown: bool) {
    // As above.
    let _ = element.toggle_attribute_with_force("hidden", !shown);
}

/// Closes a `<details>`.
pub(crate) fn fold(details: &Element) {
    // As above.
    let _ = details.toggle_attribute_with_force("open", false);
}

/// Appends `child`.
pub(crate) fn append(parent: &Element, child: &Element) {
    // It throws only where a child would contain its parent.
    let _ = parent.append_child(child);
}

/// Calls `listener` on every event of this kind, as long as the page lives.
pub(crate) fn on(target: &EventTarget, kind: &str, listener: impl FnMut(Event) + 'static) {
    let closure = Closure::<dyn FnMut(Event)>::new(listener);
    // It throws for nothing we pass.
    let _ = target.add_event_listener_with_callback(kind, closure.as_ref().unchecked_ref());
    closure.forget();
}

/// Calls `listener` on every press of the element, in place of any earlier listener set here.
pub(crate) fn on_press(element: &Element, listener: impl FnMut(Event) + 'static) {
    let closure = Closure::<dyn FnMut(Event)>::new(listener).into_js_value();
    let element = element.unchecked_ref::<HtmlElement>();
    element.set_onclick(Some(closure.unchecked_ref()));
}

/// Ends what the browser would do with the event.
pub(crate) fn prevent_default(event: &Event) {
    event.prevent_default();
}

/// Takes everything but this child off an element.
pub(crate) fn keep_only(parent: &Element, child: &Element) {
    parent.replace_children_with_node_1(child);
}

/// Appends words.
pub(crate) fn append_text(parent: &Element, words: &str) {
    // It throws for a place that is none only.
    let _ = parent.insert_adjacent_text("beforeend", words);
}

/// Appends a link.
pub(crate) fn append_link(parent: &Element, address: &str, words: &str) {
    let document = web_sys::window().and_then(|window| window.document());
    let link = document.and_then(|document| document.create_element("a").ok());
    if let Some(link) = link {
        set(&link, "href", address);
        set_text(&link, words);
        append(parent, &link);
    }
}

/// Appends a button.
pub(crate) fn append_button(parent: &Element, words: &str, listener: impl FnMut(Event) + 'static) {
    let document = web_sys::window().and_then(|window| window.document());
    let button = document.and_then(|document| document.create_element("button").ok());
    if let Some(button) = button {
        set(&button, "type", "button");
        set(&button, "class", "button");
        set_text(&button, words);
        on_press(&button, listener);
        append(parent, &button);
    }
}

/// Puts the focus on the element.
pub(crate) fn focus(element: &Element) {
    // An element that cannot take the focus ignores it.
    let _ = element.unchecked_ref::<HtmlElement>().focus();
}

/// Whether the focus is on the element or in it.
pub(crate) fn has_focus(element: &Element) -> bool {
    element.matches(":focus-within").unwrap_or_default()
}

/// Whether this is Ctrl+Enter or Cmd+Enter, pressed and not merely held down.
pub(crate) fn is_save_shortcut(event: &Event) -> bool {
    let event = event.unchecked_ref::<KeyboardEvent>();
    (event.ctrl_key() || event.meta_key()) && event.key() == "Enter" && !event.repeat()
}

/// What a press of a key means in a text that takes tabs.
pub(crate) enum TextKey {
    /// The tabulator alone, outside of any composition.
    Tab,
    /// The way out.
    Escape,
    /// Any other.
    Other,
}

/// Which key was pressed.
pub(crate) fn text_key(event: &Event) -> TextKey {
    let event = event.unchecked_ref::<KeyboardEvent>();
    let is_more = event.shift_key()
        || event.ctrl_key()
        || event.alt_key()
        || event.meta_key()
        || event.is_composing();
    match event.key().as_str() {
        "Tab" if !is_more => TextKey::Tab,
        "Escape" => TextKey::Escape,
        _ => TextKey::Other,
    }
}

/// Inserts text where the person writes, as if typed: the browser's undo knows it.
pub(crate) fn insert_text(text: &str) {
    if let Some(document) = web_sys::window().and_then(|window| window.document()) {
        let document = document.unchecked_ref::<HtmlDocument>();
        // A browser that cannot inserts nothing.
        let _ = document.exec_command_with_show_ui_and_value("insertText", false, text);
    }
}

/// Submits the form the event is listened for on, as its button would, validation included.
pub(crate) fn submit_form_of(event: &Event) {
    if let Some(form) = event.current_target() {
        // It throws for a foreign submitter only, and none is given.
        let _ = form.unchecked_ref::<HtmlFormElement>().request_submit();
    }
}

/// A JavaScript object with these members.
pub(super) fn object(members: &[(&str, &str)]) -> JsValue {
    let object = js_sys::Object::new();
    for (name, value) in members {
        put(&object, name, &JsValue::from_str(value));
    }
    object.into()
}

/// Sets a member of a plain object of ours.
pub(super) fn put(object: &JsValue, name: &str, value: &JsValue) {
    // It fails for what is no object only.
    let _ = js_sys::Reflect::set(object, &JsValue::from_str(name), value);
}
