//! The page of a 201 without JavaScript.

use super::document::{Head, document};
use super::site::Site;
use super::{delete, words};
use crate::wire::created::Created;
use leptos::prelude::*;

/// The page that answers a save: the link, and the delete token, which no other page shows.
#[must_use]
pub fn result(site: &Site, created: &Created) -> String {
    let head = Head {
        title: "Saved",
        listed: false,
        islands: false,
        links_to_form: true,
        links_to_mine: false,
    };
    document(site, &head, || {
        let raw = site.path(&format!("/{}/raw", created.id));
        let token = delete::Token::Given(created.delete_token.clone());
        view! {
            <main class="message">
                <h1>"Saved"</h1>
                <section class="save">
                    <p>
                        <a class="link" href=created.url.clone()>{created.url.clone()}</a>
                    </p>
                    <p class="facts">
                        <span>{words::bytes(created.size)}</span>
                        <span>
                            "Expires "
                            <time datetime=created.expires_at.clone()>
                                {words::utc(&created.expires_at)}
                            </time>
                        </span>
                        <a href=raw>"Raw"</a>
                    </p>
                    <div class="secret">
                        <h2>"Delete token"</h2>
                        <p>
                            <code class="copyable">{created.delete_token.clone()}</code>
                        </p>
                        <p class="fine">
                            "Whoever has this token can delete the paste before it expires. Keep it if you may want to: it is shown here only, and nobody can look it up for you."
                        </p>
                    </div>
                    {delete::form(site, &created.id, token)}
                </section>
                <p class="fine">"Reloading this page saves nothing twice: it shows the same link again."</p>
            </main>
        }
    })
}
