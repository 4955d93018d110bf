//! The page as a whole: where it leads, and what happens to it.

use super::dom::on;
use crate::save::Happening;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{PageTransitionEvent, VisibilityState, window};

/// Leaves for an address.
pub(crate) fn go_to(address: &str) {
    if let Some(window) = window() {
        // It throws for what is no address; then the page stays, and the results can be opened by hand.
        let _ = window.location().assign(address);
    }
}

/// Whether the address asks for what a paste holds: `/?from=ID`.
pub(crate) fn asks_for_paste() -> bool {
    let query = window().and_then(|window| window.location().search().ok());
    query.is_some_and(|query| {
        query
            .split(['?', '&'])
            .any(|pair| pair.starts_with("from="))
    })
}

/// Gives the page another address, without leaving it.
pub(crate) fn rename(address: &str) {
    if let Some(history) = window().and_then(|window| window.history().ok()) {
        // It throws when it is called too often; then the page keeps its address, and a reload finds the paste.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(address));
    }
}

/// Whether the browser says that there is no network.
pub(crate) fn is_offline() -> bool {
    window().is_some_and(|window| !window.navigator().on_line())
}

/// Tells of the network going and coming, of the person looking again, and of the page being brought back whole.
pub(crate) fn on_wake(tell: impl Fn(Happening) + 'static) {
    let Some(window) = window() else {
        return;
    };
    let tell = Rc::new(tell);
    let gone = tell.clone();
    on(&window, "offline", move |_| gone(Happening::Offline));
    let back = tell.clone();
    on(&window, "online", move |_| back(Happening::Online));
    if let Some(document) = window.document() {
        let (tell, page) = (tell.clone(), document.clone());
        on(&document, "visibilitychange", move |_| {
            if page.visibility_state() == VisibilityState::Visible {
                tell(Happening::Foreground);
            }
        });
    }
    on_return(move || tell(Happening::Returned));
}

/// Calls `back` when the page was kept alive while the person was elsewhere, and is brought back whole.
pub(crate) fn on_return(back: impl Fn() + 'static) {
    if let Some(window) = window() {
        on(&window, "pageshow", move |event| {
            if event.unchecked_ref::<PageTransitionEvent>().persisted() {
                back();
            }
        });
    }
}

/// Calls `leave` when the page is left or reloaded, as far as browsers tell. Twice: Firefox ends a listener that runs when
/// a tab is closed, wherever it is, and goes on with the next; what was cut off must be able to begin anew.
pub(crate) fn on_leave(leave: impl Fn() + Clone + 'static) {
    if let Some(window) = window() {
        for leave in [leave.clone(), leave] {
            on(&window, "pagehide", move |_| leave());
        }
    }
}

/// Tells when the page is hidden, and when it is shown again.
pub(crate) fn on_hidden(tell: impl Fn(bool) + 'static) {
    if let Some(document) = window().and_then(|window| window.document()) {
        let page = document.clone();
        on(&document, "visibilitychange", move |_| {
            tell(page.visibility_state() == VisibilityState::Hidden);
        });
    }
}

/// Lets the browser ask before the page is left, as long as something would be lost with it.
pub(crate) fn ask_before_leaving(would_lose: impl Fn() -> bool + 'static) {
    if let Some(window) = window() {
        on(&window, "beforeunload", move |event| {
            if would_lose() {
                event.prevent_default();
            }
        });
    }
}
