//! The page that shows a paste.

use super::document::{Head, document};
use super::site::Site;
use super::text::Text;
use super::{delete, words};
use crate::components::copy::CopyButton;
use crate::text::{Colouring, Painted, SHOWN_BYTES_MAX, SHOWN_LINE_BYTES_MAX, SHOWN_LINES_MAX};
use crate::wire::paste::Metadata;
use crate::wire::syntax;
use leptos::prelude::*;

/// The page of a paste: what is known of it, its text, and what can be done with it.
#[must_use]
pub fn paste<'a>(site: &Site, metadata: &Metadata, text: impl Into<Painted<'a>>) -> String {
    let painted = text.into();
    let title = title(metadata);
    let head = Head {
        title: &title,
        listed: false,
        islands: true,
        links_to_form: true,
    };
    document(site, &head, || {
        let text = Text::new(painted);
        let raw = site.path(&format!("/{}/raw", metadata.id));
        let warning = text
            .first_reordered_line
            .map(|line| reordered(line, text.shown_lines));
        let rest = text.cut.then(|| rest(raw.clone()));
        let digits = text.shown_lines.to_string().len();
        view! {
            <main class="read">
                <h1 dir="auto">{title.clone()}</h1>
                <div class="about">
                    {facts(metadata, text.lines)} {actions(site, &metadata.id, raw)}
                </div>
                {warning}
                {colourless(painted.colouring)}
                <a class="skip" href="#end">"Skip the text"</a>
                <pre class="text" lang="" data-digits=digits inner_html=text.html></pre>
                <div id="end">
                    {rest}
                    {delete::form(site, &metadata.id, delete::Token::Asked)}
                    {report(site, &metadata.id)}
                </div>
            </main>
        }
    })
}

/// The paste's title, or its id.
fn title(metadata: &Metadata) -> String {
    let title = metadata.title.clone().filter(|title| !title.is_empty());
    title.unwrap_or_else(|| metadata.id.clone())
}

/// Size, lines, syntax and times.
fn facts(metadata: &Metadata, lines: usize) -> impl IntoView + use<> {
    let given = metadata.syntax.clone().filter(|given| !given.is_empty());
    let syntax = given.map(|given| syntax::canonical(&given).map_or(given, str::to_owned));
    view! {
        <p class="facts">
            <span>{words::bytes(metadata.size)}</span>
            <span>{words::lines(lines)}</span>
            {syntax.map(|syntax| view! { <span>{syntax}</span> })}
            <span>"Saved " {time(&metadata.created_at)}</span>
            <span>"Expires " {time(&metadata.expires_at)}</span>
        </p>
    }
}

fn time(at: &str) -> impl IntoView + use<> {
    view! { <time datetime=at.to_owned()>{words::utc(at)}</time> }
}

/// What can be done with the text.
fn actions(site: &Site, id: &str, raw: String) -> impl IntoView + use<> {
    let download = site.path(&format!("/{id}/download"));
    view! {
        <p class="actions">
            <CopyButton raw=raw.clone() />
            <a class="button" href=raw>"Raw"</a>
            <a class="button" href=download>"Download"</a>
            <label class="switch">
                <input type="checkbox" id="wrap" checked autocomplete="off" />
                "Wrap lines"
            </label>
        </p>
    }
}

/// The warning that some text reads otherwise than it is.
fn reordered(line: usize, shown_lines: usize) -> impl IntoView + use<> {
    let place = format!("line {}", words::count(line));
    let place = if line <= shown_lines {
        view! { <a href=format!("#L{line}")>{place}</a> }.into_any()
    } else {
        place.into_any()
    };
    view! {
        <p class="notice" role="note">
            "This text has characters that change the reading direction, first in " {place}
            ". What you see may not be the order a program reads."
        </p>
    }
}

/// Why some of the text has no colours, where that may surprise.
fn colourless(colouring: Colouring<'_>) -> Option<impl IntoView + use<>> {
    let why = match colouring {
        Colouring::Pending => "Colours follow on the next view.".to_owned(),
        Colouring::Known(colours) => match colours.ends_early_after()? {
            0 => "No colours: working them out took too long.".to_owned(),
            line => format!(
                "Colours end at line {}: the rest took too long.",
                words::count(line)
            ),
        },
        Colouring::None => return None,
    };
    Some(view! { <p class="fine colourless">{why}</p> })
}

/// What stands below a text that is shown in part.
fn rest(raw: String) -> impl IntoView + use<> {
    let (bytes, lines) = (
        words::bytes(SHOWN_BYTES_MAX as u64),
        words::lines(SHOWN_LINES_MAX),
    );
    let of_a_line = words::bytes(SHOWN_LINE_BYTES_MAX as u64);
    view! {
        <p class="notice">
            {format!("There is more of this text: a page shows {bytes} or {lines}, and {of_a_line} of a line. ")}
            <a href=raw>"The raw text is complete"</a> "."
        </p>
    }
}

/// The line that tells where to report the paste: a link where the contact is an address.
fn report(site: &Site, id: &str) -> Option<impl IntoView + use<>> {
    let contact = site
        .report_contact
        .clone()
        .filter(|contact| !contact.is_empty())?;
    let is_web = ["https://", "http://"]
        .iter()
        .any(|scheme| contact.starts_with(scheme));
    let is_mail = contact.contains('@') && !contact.contains([' ', ':', '?', '&']);
    let words = if is_web {
        view! { <a href=contact>"Report this paste"</a> }.into_any()
    } else if is_mail {
        let mail = format!("mailto:{contact}?subject=Paste%20{id}");
        view! { <a href=mail>"Report this paste"</a> }.into_any()
    } else {
        format!("Report this paste: {contact}").into_any()
    };
    Some(view! { <p class="fine">{words}</p> })
}
