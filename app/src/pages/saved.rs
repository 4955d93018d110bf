//! The page that shows what this browser saved.

use super::document::{Head, document};
use super::site::Site;
use crate::components::saved::SavedView;
use leptos::prelude::*;

/// The shell of `/saved`. The link and the token are put in by the browser and never stand in a page of the server.
#[must_use]
pub fn saved(site: &Site) -> String {
    let head = Head {
        title: "Saved",
        listed: false,
        islands: true,
        links_to_form: true,
        links_to_mine: true,
    };
    document(site, &head, || {
        let form = site.home();
        view! {
            <main class="message">
                <SavedView>
                    <h1>"Your saves"</h1>
                    <p>
                        "Your link appears here as soon as the page has fetched it. That needs JavaScript. If that is on and nothing appears, reload the page: what you saved is not lost. Without JavaScript, save from "
                        <a href=form>"the form"</a> ", which then shows the link by itself."
                    </p>
                </SavedView>
            </main>
        }
    })
}
