//! Deleting without JavaScript: the form, and the page that says it is done.

use super::document::{Head, document};
use super::site::Site;
use leptos::prelude::*;

/// The page after a paste was deleted.
#[must_use]
pub fn deleted(site: &Site) -> String {
    let head = Head {
        title: "Deleted",
        listed: false,
        islands: false,
        links_to_form: true,
        links_to_mine: false,
    };
    document(site, &head, || {
        view! {
            <main class="message">
                <h1>"Deleted"</h1>
                <p>"The paste is gone, and its link leads nowhere from now on."</p>
            </main>
        }
    })
}

/// Who fills in the delete token.
pub(super) enum Token {
    /// The person, who got it when the paste was saved.
    Asked,
    /// This page, which shows it anyway.
    Given(String),
}

/// The folded form that deletes a paste.
pub(super) fn form(site: &Site, id: &str, token: Token) -> impl IntoView + use<> {
    let action = site.path(&format!("/{id}/delete"));
    let field = match token {
        Token::Given(token) => view! {
            <p>"This cannot be undone."</p>
            <input type="hidden" name="delete_token" value=token autocomplete="off" />
        }
        .into_any(),
        Token::Asked => view! {
            <label class="option">
                <span>"Delete token"</span>
                <input
                    type="password"
                    name="delete_token"
                    placeholder="once_…"
                    pattern=r"\s*once_[0-9A-Za-z]{26}\s*"
                    title="once_ and 26 letters and digits"
                    autocomplete="off"
                    required
                />
            </label>
            <p class="fine">
                "Whoever saved this paste was shown its token. A wrong one gets the same answer as a paste that is not here."
            </p>
        }
        .into_any(),
    };
    view! {
        <details class="more">
            <summary>"Delete this paste"</summary>
            <form class="delete" method="post" action=action>
                {field}
                <button class="button danger" type="submit">"Delete"</button>
            </form>
        </details>
    }
}
