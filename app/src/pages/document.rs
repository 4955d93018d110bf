//! What all pages share: the head, the bar above and the outer HTML.

use super::site::{ClientNames, Site};
use hydration_context::SsrSharedContext;
use leptos::prelude::*;
use std::sync::Arc;

/// A rounded square with a one in it, as a `data:` address.
const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E\
    %3Crect width='32' height='32' rx='8' fill='%230b6b5c'/%3E\
    %3Cpath d='M12 11.5 17 8v16' fill='none' stroke='white' stroke-width='3.5' stroke-linecap='round' stroke-linejoin='round'/%3E\
    %3C/svg%3E";

/// How a page presents itself to browsers and search engines.
pub(super) struct Head<'a> {
    /// What the tab shows, in front of the site's name.
    pub(super) title: &'a str,
    /// Whether search engines may list the page.
    pub(super) listed: bool,
    /// Whether the page has islands, and so wants the browser client.
    pub(super) islands: bool,
    /// Whether the bar above links to the form.
    pub(super) links_to_form: bool,
    /// Whether the bar above links to the list of this browser's pastes.
    pub(super) links_to_mine: bool,
}

/// The whole document around the view of `<main>`, which is built inside the reactive owner that islands need.
pub(super) fn document<V: IntoView>(
    site: &Site,
    head: &Head<'_>,
    main: impl FnOnce() -> V,
) -> String {
    document_with(site, head, (), main)
}

/// The same with something more in the head: a script that is no browser client.
pub(super) fn document_with<V: IntoView>(
    site: &Site,
    head: &Head<'_>,
    more: impl IntoView,
    main: impl FnOnce() -> V,
) -> String {
    let context = SsrSharedContext::new_islands();
    let html = Owner::new_root(Some(Arc::new(context))).with(|| {
        view! {
            <html lang="en">
                <head>
                    <meta charset="utf-8" />
                    <meta name="viewport" content="width=device-width, initial-scale=1" />
                    <meta name="color-scheme" content="light dark" />
                    // One string: a second child would bring a `<!>`, which a title shows as text.
                    <title>{format!("{} – oncebin", head.title)}</title>
                    {(!head.listed).then(|| view! { <meta name="robots" content="noindex" /> })}
                    <link rel="icon" href=ICON />
                    <link rel="stylesheet" href=site.path(&site.assets.style) />
                    {head.islands.then(|| client(site))} {more}
                </head>
                <body>
                    <header class="bar">
                        <a class="brand" href=site.home()>
                            "oncebin"
                        </a>
                        {head
                            .links_to_mine
                            .then(|| view! { <a class="quiet" href=site.path("/mine")>"My pastes"</a> })}
                        {head
                            .links_to_form
                            .then(|| view! { <a class="button" href=site.home()>"New paste"</a> })}
                    </header>
                    {main()}
                </body>
            </html>
        }
        .to_html()
    });
    format!("<!DOCTYPE html>{html}")
}

/// The loader of the browser client, and hints to fetch what it will load.
fn client(site: &Site) -> Option<impl IntoView + use<>> {
    let ClientNames { start, glue, wasm } = site.assets.client.as_ref()?;
    Some(view! {
        <link rel="modulepreload" href=site.path(glue) />
        <link
            rel="preload"
            r#as="fetch"
            r#type="application/wasm"
            crossorigin="anonymous"
            href=site.path(wasm)
        />
        <script type="module" src=site.path(start)></script>
    })
}
