//! What a press of any copy button does.

use super::messages::{COPIED, COPY_AGAIN, COPY_FAILED};
use crate::browser::dom::{self, Element};
use crate::browser::timer::{self, Timer};
use crate::browser::{clipboard, request};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// How long a button says what has happened.
const PAUSE_MS: u64 = 2_000;

/// Where the text to copy comes from.
pub(super) enum Source {
    /// It is here.
    Text(Rc<str>),
    /// It is fetched when it is wanted.
    Address(Rc<str>),
}

/// Brings the page's copy buttons to life.
pub(crate) fn enliven() {
    for button in dom::find_all("[data-copies]") {
        let address = dom::attribute(&button, "data-copies");
        on_press(&button, Source::Address(address.into()));
        dom::show(&button, true);
    }
}

/// A copy button.
struct Copying {
    button: Element,
    /// What it says when nothing has happened.
    label: String,
    source: RefCell<Source>,
    /// Runs until the label comes back.
    pause: Cell<Option<Timer>>,
}

/// Copies on every press and says so on the button for a while.
pub(super) fn on_press(button: &Element, source: Source) {
    let copying = Rc::new(Copying {
        button: button.clone(),
        label: dom::text(button),
        source: RefCell::new(source),
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

    /// Copies. What was fetched is kept: a browser that takes a fetch for the end of the press takes the next one.
    async fn copy(&self) -> (&'static str, &'static str) {
        let known = match &*self.source.borrow() {
            Source::Text(text) => Ok(text.clone()),
            Source::Address(address) => Err(address.clone()),
        };
        let (text, otherwise) = match known {
            Ok(text) => (Some(text), ("failed", COPY_FAILED)),
            Err(address) => {
                let text = request::text(&address).await;
                (text.map(Rc::from), ("again", COPY_AGAIN))
            }
        };
        let Some(text) = text else {
            return otherwise;
        };
        let is_copied = clipboard::copy(&text).await;
        self.source.replace(Source::Text(text));
        if is_copied {
            ("copied", COPIED)
        } else {
            otherwise
        }
    }
}
