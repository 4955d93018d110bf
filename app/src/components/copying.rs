//! What a press of any copy button does.

use super::messages::{COPIED, COPY_AGAIN, COPY_FAILED};
use crate::browser::dom::{self, Element};
use crate::browser::{clipboard, request};
use std::cell::RefCell;
use std::rc::Rc;

/// Where the text to copy comes from.
pub(super) enum Source {
    /// It is here.
    Text(Rc<str>),
    /// It is fetched when it is wanted.
    Address(Rc<str>),
}

/// Copies on every press and says so on the button.
pub(super) fn on_press(button: &Element, source: Source) {
    let pressed = button.clone();
    let source = Rc::new(RefCell::new(source));
    dom::on_press(button, move |_| {
        let (button, source) = (pressed.clone(), source.clone());
        request::in_background(async move {
            let (state, words) = copy(&source).await;
            dom::set(&button, "data-state", state);
            dom::set_text(&button, words);
        });
    });
}

/// Copies, and keeps what was fetched: a browser that takes a fetch for the end of the press takes the next one.
async fn copy(source: &RefCell<Source>) -> (&'static str, &'static str) {
    let known = match &*source.borrow() {
        Source::Text(text) => Ok(text.clone()),
        Source::Address(address) => Err(address.clone()),
    };
    let (text, refused) = match known {
        Ok(text) => (Some(text), ("failed", COPY_FAILED)),
        Err(address) => (
            request::text(&address).await.map(Rc::from),
            ("again", COPY_AGAIN),
        ),
    };
    let Some(text) = text else {
        return ("again", COPY_AGAIN);
    };
    let copied = clipboard::copy(&text).await;
    *source.borrow_mut() = Source::Text(text);
    if copied { ("copied", COPIED) } else { refused }
}
