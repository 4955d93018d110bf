//! What a press of any copy button does.

use super::messages::{COPIED, COPY_FAILED};
use crate::browser::dom::{self, Element};
use crate::browser::timer::{self, Timer};
use crate::browser::{clipboard, request};
use std::cell::Cell;
use std::rc::Rc;

/// How long a button says what has happened.
const PAUSE_MS: u64 = 2_000;

/// A copy button.
struct Copying {
    button: Element,
    /// What it says when nothing has happened.
    label: String,
    text: Rc<str>,
    /// Runs until the label comes back.
    pause: Cell<Option<Timer>>,
}

/// Copies the text on every press and says so on the button for a while.
pub(super) fn on_press(button: &Element, text: Rc<str>) {
    let copying = Rc::new(Copying {
        button: button.clone(),
        label: dom::text(button),
        text,
        pause: Cell::default(),
    });
    dom::on_press(button, move |_| {
        let copying = copying.clone();
        request::in_background(Box::pin(async move {
            let (state, words) = copying.copy().await;
            copying.say(state, words);
            let back = copying.clone();
            let pause = timer::after(PAUSE_MS, move || back.say("idle", &back.label));
            copying.pause.set(Some(pause));
        }));
    });
}

impl Copying {
    fn say(&self, state: &str, words: &str) {
        dom::set(&self.button, "data-state", state);
        dom::set_text(&self.button, words);
    }

    async fn copy(&self) -> (&'static str, &'static str) {
        if clipboard::copy(&self.text).await {
            ("copied", COPIED)
        } else {
            ("failed", COPY_FAILED)
        }
    }
}
