//! A button that copies.

use leptos::prelude::*;

/// Copies a paste's exact text, as the raw address answers it, to the clipboard.
///
/// Hidden until it works: without JavaScript no dead button is shown. It is no island, since it has nothing to hydrate:
/// the client finds it by its `data-copies`.
#[component]
pub fn CopyButton(
    /// The address of the raw text.
    raw: String,
) -> impl IntoView {
    view! {
        <button
            type="button"
            class="button"
            data-copies=raw
            data-state="idle"
            aria-live="polite"
            hidden
        >
            "Copy"
        </button>
    }
}
