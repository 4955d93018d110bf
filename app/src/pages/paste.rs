//! The page that shows a paste.

use super::bidi::{self, Found};
use super::document::{Head, document_with};
use super::site::Site;
use super::text::Text;
use super::tools::{self, Tab};
use super::{about, delete, paste_words as say};
use crate::text::{Colouring, Painted, SHOWN_BYTES_MAX, SHOWN_LINE_BYTES_MAX, SHOWN_LINES_MAX};
use crate::wire::paste::Metadata;
use leptos::prelude::*;

/// The page of a paste: what is known of it, its text, and what can be done with it.
#[must_use]
pub fn paste<'a>(site: &Site, metadata: &Metadata, text: impl Into<Painted<'a>>) -> String {
    let painted = text.into();
    let title = about::title(metadata);
    let head = Head {
        title: &title,
        listed: false,
        islands: false,
        links_to_form: true,
        links_to_mine: false,
    };
    let script = view! { <script type="module" src=site.path(&site.assets.view)></script> };
    document_with(site, &head, script, || {
        let found = bidi::find(painted.text);
        let text = Text::new(painted);
        let lines = say::lines(text.lines, text.shown_lines);
        let rest = text.cut.then(|| rest(site, &metadata.id));
        let digits = text.shown_lines.to_string().len();
        view! {
            <main class="read">
                {about::heading(metadata)} {reordered(&found, text.shown_lines)}
                <a class="skip" href="#end">{say::SKIP}</a>
                <div class="paper">
                    <div class="strip">
                        {tools::tabs(site, metadata, Tab::Text)}
                        {about::facts(metadata, Some(lines))}
                        {tools::actions(site, &metadata.id)}
                    </div>
                    <pre class="text" lang="" data-digits=digits inner_html=bidi::label(text.html)></pre>
                </div>
                {colourless(painted.colouring)} {tools::qr(site, metadata)}
                <p
                    class="unseen"
                    id="status"
                    role="status"
                    data-line=say::LINE_SELECTED
                    data-lines=say::LINES_SELECTED
                ></p>
                <div id="end">
                    {rest}
                    {delete::form(site, &metadata.id, delete::Token::Asked)}
                    {about::report(site, &metadata.id)}
                </div>
            </main>
        }
    })
}

/// The warning that some text reads otherwise than it is: which characters do that, and where.
fn reordered(found: &[Found], shown_lines: usize) -> Option<impl IntoView + use<>> {
    if found.is_empty() {
        return None;
    }
    let characters = found.iter().map(|found| character(found, shown_lines));
    Some(view! {
        <div class="notice" role="note">
            <p>{say::REORDERED}</p>
            <ul>{characters.collect_view()}</ul>
        </div>
    })
}

fn character(found: &Found, shown_lines: usize) -> impl IntoView + use<> {
    let lines = found.lines.iter().enumerate().map(|(index, line)| {
        let line = *line;
        let comma = (index > 0).then_some(", ");
        let place = if line <= shown_lines {
            view! { <a href=format!("#L{line}")>{say::line(line)}</a> }.into_any()
        } else {
            say::line(line).into_any()
        };
        view! { {comma} {place} }
    });
    view! {
        <li>
            <b>{found.short}</b>
            {say::character(found.name, found.count)}
            {lines.collect_view()}
            {found.more.then_some(say::AND_MORE)}
        </li>
    }
}

/// Why some of the text has no colours, where that may surprise.
fn colourless(colouring: Colouring<'_>) -> Option<impl IntoView + use<>> {
    let why = match colouring {
        Colouring::Pending => say::COLOURS_FOLLOW.to_owned(),
        Colouring::Known(colours) => say::colours_end(colours.ends_early_after()?),
        Colouring::None => return None,
    };
    Some(view! { <p class="fine colourless">{why}</p> })
}

/// What stands below a text that is shown in part.
fn rest(site: &Site, id: &str) -> impl IntoView + use<> {
    let raw = site.path(&format!("/{id}/raw"));
    view! {
        <p class="notice">
            {say::limits(SHOWN_BYTES_MAX, SHOWN_LINES_MAX, SHOWN_LINE_BYTES_MAX)}
            <a href=raw>{say::REST}</a> "."
        </p>
    }
}
