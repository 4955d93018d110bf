//! The strip above a text: which views there are, and what can be done with it.

use super::about::is_markdown;
use super::paste_words as say;
use super::site::Site;
use crate::wire::paste::Metadata;
use leptos::prelude::*;

/// A view of a paste.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tab {
    Text,
    Markdown,
}

/// The links between the views; none for a text that is looked at as text and is no Markdown.
pub(super) fn tabs(site: &Site, metadata: &Metadata, shown: Tab) -> Option<impl IntoView + use<>> {
    if shown == Tab::Text && !is_markdown(metadata) {
        return None;
    }
    let id = &metadata.id;
    let tabs = [
        (Tab::Text, say::TEXT, site.path(&format!("/{id}"))),
        (
            Tab::Markdown,
            say::MARKDOWN,
            site.path(&format!("/{id}/markdown")),
        ),
    ];
    let tab = |(tab, name, address)| {
        let current = (tab == shown).then_some("page");
        view! { <a href=address aria-current=current>{name}</a> }
    };
    Some(view! {
        <nav class="tabs" aria-label=say::VIEWS>{tabs.map(tab).collect_view()}</nav>
    })
}

/// What can be done with the text: all of it works without JavaScript but copying, whose button is hidden until then.
pub(super) fn actions(site: &Site, id: &str) -> impl IntoView + use<> {
    let of_paste = |what: &str| site.path(&format!("/{id}/{what}"));
    view! {
        <div class="actions" role="group" aria-label=say::ACTIONS>
            <button
                type="button"
                id="copy"
                data-state="idle"
                data-raw=of_paste("raw")
                data-copied=say::COPIED
                data-again=say::COPY_AGAIN
                data-failed=say::COPY_FAILED
                hidden
            >
                {say::COPY}
            </button>
            <a href=of_paste("raw")>{say::RAW}</a>
            <a href=of_paste("download")>{say::DOWNLOAD}</a>
            <a href=site.path(&format!("/?from={id}")) rel="nofollow">{say::USE_AS_NEW}</a>
            <button type="button" popovertarget="qr">{say::QR}</button>
            {wrap()}
        </div>
    }
}

/// The switch between long lines that break and long lines that scroll. The style sheet reads it.
fn wrap() -> impl IntoView {
    view! {
        <label class="switch">
            <input type="checkbox" id="wrap" checked autocomplete="off" />
            {say::WRAP}
        </label>
    }
}

/// The QR code of the link, shown when asked for: the browser loads the picture no earlier.
pub(super) fn qr(site: &Site, metadata: &Metadata) -> impl IntoView + use<> {
    let picture = site.path(&format!("/{}/qr.svg", metadata.id));
    view! {
        <div id="qr" popover>
            <img src=picture alt=say::QR_ALT width="264" height="264" loading="lazy" />
            <p>{metadata.url.clone()}</p>
            <button class="button" type="button" popovertarget="qr" popovertargetaction="hide">
                {say::CLOSE}
            </button>
        </div>
    }
}
