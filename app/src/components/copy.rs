//! A button that copies.

use leptos::prelude::*;
use leptos::web_sys::Element;

/// Copies a paste's exact text, as the raw address answers it, to the clipboard.
///
/// Hidden until it works: without JavaScript no dead button is shown.
#[island]
pub fn CopyButton(
    /// The address of the raw text.
    raw: String,
) -> impl IntoView {
    view! {
        <button
            type="button"
            class="button"
            data-state="idle"
            aria-live="polite"
            hidden
            use:enliven=raw
        >
            "Copy"
        </button>
    }
}

#[cfg(feature = "hydrate")]
fn enliven(button: Element, raw: String) {
    super::copying::on_press(&button, super::copying::Source::Address(raw.into()));
    crate::browser::dom::show(&button, true);
}

/// Nothing comes alive on the server.
#[cfg(not(feature = "hydrate"))]
fn enliven(_: Element, _: String) {}
