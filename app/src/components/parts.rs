//! What the islands fill in: rendered by the server once, empty, and copied in the browser for each save.

use leptos::prelude::*;

/// The place for results, and the template of one. All parts of it are hidden until they have something to say.
pub(super) fn parts() -> impl IntoView {
    view! {
        <div class="saves" data-part="saves"></div>
        <template data-part="save">
            <section class="save">
                <p data-part="line" aria-live="polite"></p>
                <p data-part="excerpt" class="facts" dir="auto" hidden></p>
                <p data-part="link" class="link" hidden>
                    <a data-part="url"></a>
                </p>
                <p data-part="expiry" class="facts" hidden>
                    "Expires " <time data-part="expires"></time>
                </p>
                <div data-part="secret" hidden>
                    <h2>"Delete token"</h2>
                    <p>
                        <samp data-part="token" class="copyable"></samp>
                    </p>
                    <p>
                        "Whoever has this token can delete the paste before it expires. Keep it if you may want to: nobody can look it up for you."
                    </p>
                </div>
                <p class="actions">{BUTTONS.map(button).collect_view()}</p>
            </section>
        </template>
    }
}

/// The buttons of a save: the name of the part and what it says.
const BUTTONS: [(&str, &str); 6] = [
    ("copy-link", "Copy link"),
    ("copy-token", "Copy token"),
    ("acknowledge", "I have saved it"),
    ("fetch", "Show the delete token"),
    ("reopen", "Open in the form"),
    ("forget", "Forget it"),
];

fn button((name, label): (&'static str, &'static str)) -> impl IntoView {
    view! {
        <button type="button" class="button" data-part=name hidden>
            {label}
        </button>
    }
}
