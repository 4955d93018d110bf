//! The way out of a save that is not answered: the person stops it, and keeps the text.

use super::driver::Driver;
use super::editor::Editor;
use super::{drafting, messages};
use crate::browser::dom::{self, Element};
use crate::browser::draft;
use crate::save::{Happening, Line, SaveState};
use crate::wire::paste::CreateRequest;
use std::rc::Rc;

/// Offers it from the first wait on, as long as there is something to stop: where only the token is still to be fetched
/// there is nothing, and whoever leaves has the link.
pub(super) fn show(root: &Element, line: &Line, state: &SaveState, is_fetching: bool) {
    let Some(part) = dom::part(root, "stop") else {
        return;
    };
    let can_stop = state.is_unresolved() && !is_fetching;
    if !can_stop || matches!(line, Line::Retrying { .. } | Line::Offline) {
        dom::show(&part, can_stop);
    }
}

/// Calls `act` when the person has read what it means and goes on.
pub(super) fn on_stop(root: &Element, act: impl Fn() + 'static) {
    let (panel, button) = (dom::part(root, "stop"), dom::part(root, "stop-now"));
    if let (Some(panel), Some(button)) = (panel, button) {
        dom::on_press(&button, move |_| {
            // A second press must not stop the save that comes after.
            dom::fold(&panel);
            act();
        });
    }
}

/// On the form page the text stays where it is, or comes back in the next empty form if it was edited meanwhile.
pub(super) fn listen(editor: &Rc<Editor>, driver: &Rc<Driver>) {
    let (stopped, driver) = (editor.clone(), driver.clone());
    on_stop(&editor.root, move || {
        let words = stop(&driver, &|request| {
            let is_in_form = stopped.form.read() == *request;
            if is_in_form {
                drafting::begin_pause(&stopped);
            }
            is_in_form
        });
        stopped.line.add_aside(words);
        if let Some(text) = dom::find(&stopped.form.element, "textarea") {
            dom::focus(&text);
        }
    });
}

/// Stops the save that is driven; the answer says where its text is.
pub(super) fn stop(
    driver: &Rc<Driver>,
    is_in_form: &dyn Fn(&CreateRequest) -> bool,
) -> &'static str {
    let Some((key, request)) = driver.current() else {
        return "";
    };
    // In this order: without the entry there is room.
    driver.feed(Happening::Forget(key));
    if is_in_form(&request) {
        messages::STOPPED
    } else if draft::park(&request) {
        if driver.current().is_some() {
            messages::STOPPED_BEFORE
        } else {
            messages::STOPPED_PARKED
        }
    } else {
        messages::STOPPED_LOST
    }
}
