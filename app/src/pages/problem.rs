//! Errors as people see them: a page of their own, or a notice above the form.

use super::document::{Head, document};
use super::site::Site;
use crate::wire::problem::{Code, Problem};
use leptos::prelude::*;

/// The page of an error. For `not_found` it depends on nothing but the problem, so it tells nothing of what was there.
#[must_use]
pub fn problem(site: &Site, problem: &Problem) -> String {
    let head = Head {
        title: &problem.title,
        listed: false,
        islands: false,
        links_to_form: true,
        links_to_mine: false,
    };
    document(site, &head, || {
        view! {
            <main class="message">
                <h1>{problem.title.clone()}</h1>
                {detail(problem)}
                {way_on(problem).map(|advice| view! { <p>{advice}</p> })}
                <p class="fine">
                    {format!("{} · {}", problem.status, problem.code.as_str())}
                </p>
            </main>
        }
    })
}

/// What to do about an error that has a page of its own. Some end a save of the form before its text was read: then the
/// browser alone has the text, behind Back, and sends it again, key included, when the page is reloaded.
const fn way_on(problem: &Problem) -> Option<&'static str> {
    match problem.code {
        Code::Overloaded | Code::BodyTooSlow => Some(
            "If you were saving a text, your browser still has it. Reload this page to send it again: it stays one paste, even if the first try got through. Or go back to find it in the form.",
        ),
        Code::PasteTooLarge | Code::InvalidContent => {
            Some("Your text is not lost: go back to find it in the form.")
        }
        _ if passes(problem) => Some("This usually passes. Try again in a moment."),
        _ => None,
    }
}

/// Whether it passes by itself, soon. Where a limit is met the detail says when.
const fn passes(problem: &Problem) -> bool {
    problem.retryable && !matches!(problem.code, Code::RateLimited)
}

/// The notice above the form that says why nothing was saved, and what to do.
pub(super) fn notice(problem: &Problem) -> impl IntoView + use<> {
    // Who fills in a form need not know of keys.
    let is_reused = problem.code == Code::IdempotencyKeyReused;
    let (title, detail) = if is_reused {
        ("An earlier text is saved already".to_owned(), None)
    } else {
        (problem.title.clone(), detail(problem))
    };
    let advice = advice(problem);
    view! {
        <div class="notice" id="problem" role="alert">
            <h2>{title}</h2>
            {detail}
            {advice.map(|advice| view! { <p>{advice}</p> })}
        </div>
    }
}

/// What was wrong here. Of what passes by itself programs are told more than people want to know: of keys, and what the
/// advice says already.
fn detail(problem: &Problem) -> Option<impl IntoView + use<>> {
    let detail = Some(problem.detail.clone());
    let detail = detail.filter(|detail| !passes(problem) && !detail.is_empty());
    detail.map(|detail| view! { <p dir="auto">{detail}</p> })
}

/// What pressing Save again does, where it helps.
const fn advice(problem: &Problem) -> Option<&'static str> {
    if problem.retryable {
        return Some(
            "Your text is still below. Press Save to try again: it stays one paste, even if the first try got through.",
        );
    }
    match problem.code {
        Code::InvalidTitle | Code::InvalidSyntax | Code::InvalidExpiry => Some(
            "Nothing is saved yet. Your text is still below: change what is marked, then press Save.",
        ),
        Code::InvalidContent | Code::PasteTooLarge => {
            Some("Nothing is saved yet. Your text is still below: change it, then press Save.")
        }
        Code::IdempotencyKeyReused => Some(
            "This form has saved another text before, and its answer may have been lost. The text below is not saved yet. Press Save again to make it a paste of its own.",
        ),
        _ => None,
    }
}
