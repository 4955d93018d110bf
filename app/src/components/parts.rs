//! What the islands fill in: rendered by the server once, empty, and copied in the browser for each save.

use leptos::prelude::*;

/// The place for results, and the template of one. All parts of it are hidden until they have something to say.
pub(super) fn parts() -> impl IntoView {
    view! {
        <div class="saves" data-part="saves"></div>
        <template data-part="save">
            <section class="save">
                <p data-part="line" class="line" aria-live="polite" tabindex="-1"></p>
                <p data-part="excerpt" class="fine" dir="auto" hidden></p>
                <p data-part="link" class="given" hidden>
                    <a data-part="url" class="link"></a>
                    {button(("copy-link", "Copy link"))}
                </p>
                <p data-part="facts" class="facts" hidden>
                    <span data-part="size" hidden></span>
                    <span>"Expires " <time data-part="expires"></time></span>
                </p>
                {secret()}
                <p class="buttons">{BUTTONS.map(button).collect_view()}</p>
                {stop()}
                <details class="more" data-part="delete" hidden>
                    <summary>"Delete this paste"</summary>
                    <p>"This cannot be undone."</p>
                    <p>
                        <button type="button" class="button danger" data-part="delete-now">
                            "Delete"
                        </button>
                    </p>
                </details>
            </section>
        </template>
    }
}

/// The way out of a save that is not answered, and what it means.
pub(super) fn stop() -> impl IntoView {
    view! {
        <details class="more" data-part="stop" hidden>
            <summary>"Stop trying"</summary>
            <p>
                "The text is kept. It may be saved already, though nobody has heard of it: then that paste stays until it expires, and saving the text again makes a second one."
            </p>
            <p>
                <button type="button" class="button" data-part="stop-now">
                    "Stop"
                </button>
            </p>
        </details>
    }
}

/// The delete token, what it is for, and where it may stay.
fn secret() -> impl IntoView {
    view! {
        <div data-part="secret" class="secret" hidden>
            <h2>"Delete token"</h2>
            <p class="given">
                <samp data-part="token" class="copyable"></samp>
                {button(("copy-token", "Copy token"))}
            </p>
            <p class="fine">
                "Whoever has this token can delete the paste before it expires. Keep it if you may want to: nobody can look it up for you."
            </p>
            <label class="switch" data-part="keep" hidden>
                <input type="checkbox" data-part="keep-token" autocomplete="off" />
                "Keep it on this browser’s list, My pastes"
            </label>
        </div>
    }
}

/// The buttons of a save: the name of the part and what it says.
const BUTTONS: [(&str, &str); 4] = [
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
