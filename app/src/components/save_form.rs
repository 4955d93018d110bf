//! The form that saves.

use leptos::prelude::*;

/// Makes the plain form inside it save by key, with retries, drafts and one calm line.
#[island]
pub fn SaveForm(
    /// The complete form, as it works without JavaScript.
    children: Children,
) -> impl IntoView {
    // The browser looks no further than the children, so it does not have to know what the server puts after them.
    #[cfg(feature = "ssr")]
    let inside = (children(), super::parts::stop(), super::parts::parts());
    #[cfg(not(feature = "ssr"))]
    let inside = children();
    view! {
        <div class="save-form" use:enliven>
            {inside}
        </div>
    }
}

#[cfg(feature = "hydrate")]
use super::editor::enliven;

/// Nothing comes alive on the server.
#[cfg(not(feature = "hydrate"))]
fn enliven(_: leptos::web_sys::Element) {}
