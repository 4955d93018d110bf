//! The page that shows what was saved, once.

use leptos::prelude::*;

/// Shows link and delete token of this browser's saves by sending each again, until the person has them.
#[island]
pub fn SavedView(
    /// What stands there without JavaScript. Its paragraphs are hidden when the island comes alive.
    children: Children,
) -> impl IntoView {
    // The browser looks no further than the children, so it does not have to know what the server puts after them.
    #[cfg(feature = "ssr")]
    let inside = (children(), super::parts::parts());
    #[cfg(not(feature = "ssr"))]
    let inside = children();
    view! {
        <div class="saved" use:enliven>
            {inside}
        </div>
    }
}

#[cfg(feature = "hydrate")]
use super::results::enliven;

/// Nothing comes alive on the server.
#[cfg(not(feature = "hydrate"))]
fn enliven(_: leptos::web_sys::Element) {}
