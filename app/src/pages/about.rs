//! What the paste page and its Markdown tab say about a paste: the heading, the facts, where to report it.

use super::site::Site;
use super::{bidi, paste_words as say, words};
use crate::wire::paste::Metadata;
use crate::wire::syntax;
use leptos::prelude::*;
use std::borrow::Cow;

/// The paste's title, without what would make it read otherwise than it is; or its id.
pub(super) fn title(metadata: &Metadata) -> String {
    let title = metadata.title.as_deref().map(bidi::without);
    let title = title.filter(|title| !title.trim().is_empty());
    title.map_or_else(|| metadata.id.clone(), Cow::into_owned)
}

/// Title and times.
pub(super) fn heading(metadata: &Metadata) -> impl IntoView + use<> {
    view! {
        <header class="heading">
            <h1 dir="auto">{title(metadata)}</h1>
            <p class="facts">
                <span>{say::SAVED} {time(&metadata.created_at)}</span>
                <span>{say::EXPIRES} {time(&metadata.expires_at)}</span>
            </p>
        </header>
    }
}

/// A time in UTC. The page is the same for every reader; its script turns the time into the reader's own.
fn time(at: &str) -> impl IntoView + use<> {
    view! { <time datetime=at.to_owned()>{words::utc(at)}</time> }
}

/// Lines, size and syntax.
pub(super) fn facts(metadata: &Metadata, lines: Option<String>) -> impl IntoView + use<> {
    let given = metadata.syntax.clone().filter(|given| !given.is_empty());
    let syntax = given.map(|given| syntax::canonical(&given).map_or(given, str::to_owned));
    view! {
        <p class="facts">
            {lines.map(|lines| view! { <span>{lines}</span> })}
            <span>{words::bytes(metadata.size)}</span>
            {syntax.map(|syntax| view! { <span>{syntax}</span> })}
        </p>
    }
}

/// Whether a paste is Markdown: by its syntax or, where none was given, by the end of its title.
pub(super) fn is_markdown(metadata: &Metadata) -> bool {
    match metadata.syntax.as_deref() {
        None | Some("") => {
            let title = metadata.title.as_deref().unwrap_or_default();
            let (_, extension) = title.rsplit_once('.').unwrap_or_default();
            ["md", "markdown"].contains(&extension.to_ascii_lowercase().as_str())
        }
        Some(syntax) => syntax::canonical(syntax) == Some("markdown"),
    }
}

/// The line that tells where to report the paste: a link where the contact is an address.
pub(super) fn report(site: &Site, id: &str) -> Option<impl IntoView + use<>> {
    let contact = site
        .report_contact
        .clone()
        .filter(|contact| !contact.is_empty())?;
    let is_web = ["https://", "http://"]
        .iter()
        .any(|scheme| contact.starts_with(scheme));
    let is_mail = contact.contains('@') && !contact.contains([' ', ':', '?', '&']);
    let words = if is_web {
        view! { <a href=contact>{say::REPORT}</a> }.into_any()
    } else if is_mail {
        let mail = format!("mailto:{contact}?subject=Paste%20{id}");
        view! { <a href=mail>{say::REPORT}</a> }.into_any()
    } else {
        say::report_to(&contact).into_any()
    };
    Some(view! { <p class="fine">{words}</p> })
}
