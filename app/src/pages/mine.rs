//! The page that lists what this browser saved.

use super::document::{Head, document_with};
use super::site::Site;
use leptos::prelude::*;

/// The shell of `/mine`, the same for everybody: `app/mine.js` fills in the list, which this server never sees.
#[must_use]
pub fn mine(site: &Site) -> String {
    let head = Head {
        title: "My pastes",
        listed: false,
        islands: false,
        links_to_form: true,
        links_to_mine: false,
    };
    let script = view! { <script type="module" src=site.path(&site.assets.mine)></script> };
    document_with(site, &head, script, || {
        view! {
            <main class="message">
                <h1>"My pastes"</h1>
                <p>
                    "What was saved with this browser and has not expired. The list is kept in this browser and nowhere else: clearing the browser’s data clears it, and the server has no such list."
                </p>
                <section
                    id="mine"
                    data-api=site.path("/api/pastes")
                    data-empty="The list is empty."
                    data-blocked="This browser does not let this site keep a list."
                    data-forgotten="Forgotten. The paste is still there, and its link works until it expires."
                    data-deleting="Deleting…"
                    data-deleted="Deleted. Its link leads nowhere any more."
                    data-gone="That paste was gone already. It is off the list now."
                    data-failed="It may be deleted, but no answer says so. Try again in a moment."
                >
                    <p data-part="without">
                        "The list needs JavaScript: it would show the links, with their titles and times, and a button to delete where you chose to keep the token."
                    </p>
                    <p data-part="status" role="status" tabindex="-1"></p>
                    <ol class="mine" data-part="list"></ol>
                    <p class="buttons" data-part="all" hidden>
                        <button
                            type="button"
                            class="button"
                            data-part="forget-all"
                            data-ask="Forget the whole list?"
                        >
                            "Forget all"
                        </button>
                    </p>
                    <template data-part="item">{item()}</template>
                </section>
            </main>
        }
    })
}

/// One paste of the list, to be filled in.
fn item() -> impl IntoView {
    view! {
        <li>
            <a data-part="name" class="name" dir="auto"></a>
            <p class="facts">
                <span>"Saved " <time data-part="saved"></time></span>
                <span>"Expires " <time data-part="expires"></time></span>
            </p>
            <p data-part="expired" class="expired" hidden>
                "Expired, and off the list from now on"
            </p>
            <p class="buttons">
                <button
                    type="button"
                    class="button danger"
                    data-part="delete"
                    data-ask="Delete for good?"
                    hidden
                >
                    "Delete"
                </button>
                <button type="button" class="button" data-part="forget" hidden>
                    "Forget"
                </button>
            </p>
        </li>
    }
}
