//! The page with the form.

use super::document::{Head, document};
use super::problem::notice;
use super::site::Site;
use super::{expiries, words};
use crate::components::save_form::SaveForm;
use crate::wire::limits::TITLE_CHARS_MAX;
use crate::wire::problem::{Code, Problem};
use crate::wire::recipe::save_command;
use crate::wire::syntax;
use leptos::prelude::*;
use std::fmt;

/// What the fields of the form hold: a fresh key and nothing else, or what was posted and could not be saved.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct FormValues {
    /// The key that a save without JavaScript sends.
    pub idempotency_key: String,
    /// The text. A NUL in it comes back from a browser as U+FFFD: no HTML can hold one.
    pub content: String,
    /// The title, or empty.
    pub title: String,
    /// The syntax, or empty to let the server guess.
    pub syntax: String,
    /// The expiry as it was posted, or empty for the site's default.
    pub expires_in: String,
}

impl fmt::Debug for FormValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FormValues")
            .field("content_bytes", &self.content.len())
            .field("title", &self.title)
            .field("syntax", &self.syntax)
            .field("expires_in", &self.expires_in)
            .finish_non_exhaustive()
    }
}

/// The page with the form, and above it, after a save that failed, why.
#[must_use]
pub fn form(site: &Site, form: &FormValues, problem: Option<&Problem>) -> String {
    let head = Head {
        title: "New paste",
        listed: true,
        islands: true,
        links_to_form: false,
    };
    let code = problem.map(|problem| problem.code);
    document(site, &head, || {
        let fields = fields(site, form, code);
        let (action, api, saved) = (site.home(), site.path("/api/pastes"), site.path("/saved"));
        let bytes_max = site.paste_bytes_max;
        view! {
            <main class="write">
                <h1 class="unseen">"New paste"</h1>
                {problem.map(notice)}
                <SaveForm>
                    <form
                        method="post"
                        enctype="multipart/form-data"
                        action=action
                        data-api=api
                        data-saved=saved
                        data-max-bytes=bytes_max
                    >
                        {fields}
                    </form>
                </SaveForm>
                {recipe(site)}
            </main>
        }
    })
}

/// Everything inside the form. A field that the problem is about says so.
fn fields(site: &Site, form: &FormValues, code: Option<Code>) -> impl IntoView + use<> {
    let invalid = |about: &[Code]| {
        code.is_some_and(|code| about.contains(&code))
            .then_some("true")
    };
    let [title, content, syntax, expiry] = [
        invalid(&[Code::InvalidTitle]),
        invalid(&[Code::InvalidContent, Code::PasteTooLarge]),
        invalid(&[Code::InvalidSyntax]),
        invalid(&[Code::InvalidExpiry]),
    ];
    let described = |invalid: Option<&str>| invalid.map(|_| "problem");
    view! {
        // The key alone is never restored: a page that Back brings has the text again and a key of its own, so an edited
        // text can be saved. Without `autocomplete` Firefox would put the old key back.
        <input type="hidden" name="idempotency_key" value=form.idempotency_key.clone() autocomplete="off" />
        <label class="unseen" for="title">"Title"</label>
        <input
            id="title"
            class="title"
            name="title"
            value=form.title.clone()
            maxlength=TITLE_CHARS_MAX.to_string()
            placeholder="Title, if you like"
            dir="auto"
            aria-invalid=title
            aria-describedby=described(title)
        />
        <label class="unseen" for="content">"Text"</label>
        <textarea
            id="content"
            name="content"
            rows="16"
            placeholder="Paste or type your text here"
            autofocus
            required
            spellcheck="false"
            autocapitalize="off"
            dir="auto"
            aria-invalid=content
            aria-describedby=described(content)
            inner_html=textarea_children(&form.content)
        ></textarea>
        <div class="options">
            <label class="option">
                <span>"Syntax"</span>
                <input
                    name="syntax"
                    list="syntaxes"
                    value=form.syntax.clone()
                    placeholder="guess"
                    autocapitalize="off"
                    spellcheck="false"
                    aria-invalid=syntax
                    aria-describedby=described(syntax)
                />
            </label>
            <label class="option">
                <span>"Expires after"</span>
                <select
                    name="expires_in"
                    aria-invalid=expiry
                    aria-describedby=described(expiry)
                >
                    {expiries::options(site, &form.expires_in)}
                </select>
            </label>
            <p role="status" aria-live="polite" data-state="idle"></p>
            <button class="button primary" type="submit">"Save"</button>
        </div>
        <datalist id="syntaxes">
            {syntax::ALL.iter().map(|syntax| view! { <option value=syntax.name></option> }).collect_view()}
        </datalist>
    }
}

/// The text as children of `<textarea>`, which Leptos does not escape.
///
/// A parser drops a newline right after the tag, so one stands there to be dropped, and it reads a bare CR as LF.
fn textarea_children(text: &str) -> String {
    let escaped = html_escape::encode_text(text).replace('\r', "&#13;");
    format!("\n{escaped}")
}

/// How to save from a command line.
fn recipe(site: &Site) -> impl IntoView + use<> {
    let command = save_command(&site.base_url);
    let limit = words::bytes(site.paste_bytes_max);
    view! {
        <details class="more">
            <summary>"Save from a command line"</summary>
            <p>
                <code class="copyable">{command}</code>
            </p>
            <p>
                "The answer holds the link and the token that deletes the paste. No answer? Run curl again, within 24 hours, with the same " <code>"$KEY"</code> ": you get the same link, never a second paste."
            </p>
        </details>
        <p class="fine">
            {format!("Up to {limit} of text. Whoever has the link can read it. ")}
            <a href=site.path("/docs")>"API"</a>
        </p>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_neither_key_nor_text() {
        let values = FormValues {
            idempotency_key: "0190a5e4-7b1c-7abc-8def-0123456789ab".into(),
            content: "secret text".into(),
            ..FormValues::default()
        };
        let debug = format!("{values:?}");
        assert!(
            !debug.contains("0190a5e4") && !debug.contains("secret"),
            "{debug}"
        );
    }

    #[test]
    fn a_textarea_starts_with_a_newline_to_drop() {
        assert_eq!(
            textarea_children("\n</textarea>\r"),
            "\n\n&lt;/textarea&gt;&#13;"
        );
    }
}
