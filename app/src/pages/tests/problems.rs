//! What pages say of what went wrong.

use super::markup::Document;
use super::site;
use crate::pages::{FormValues, form, problem};
use crate::wire::problem::{Code, Problem};

/// Such an error may end a save of the form before its text was read.
#[test]
fn an_error_page_says_where_a_text_is_that_was_not_read() {
    for (code, words) in [
        (Code::Overloaded, "Reload this page to send it again"),
        (Code::BodyTooSlow, "Reload this page to send it again"),
        (Code::PasteTooLarge, "go back to find it in the form"),
        (Code::InvalidContent, "go back to find it in the form"),
        (Code::ShardUnavailable, "Try again in a moment"),
    ] {
        assert!(problem(&site(), &Problem::new(code, "")).contains(words));
    }
    let missing = problem(&site(), &Problem::new(Code::NotFound, ""));
    assert!(!missing.contains("Reload") && !missing.contains("Try again"));
}

/// Who reads a page need not know of keys, and is told once what to do.
#[test]
fn what_programs_are_told_of_a_passing_trouble_is_on_no_page() {
    let values = FormValues::default();
    for code in Code::ALL.into_iter().filter(|code| code.retryable()) {
        let told = Problem::new(code, "Send it again with its own key.");
        let is_told = |page: String| page.contains("its own key");
        // It says when to come back, too.
        let says_when = code == Code::RateLimited;
        assert_eq!(is_told(problem(&site(), &told)), says_when, "{code:?}");
        assert_eq!(is_told(form(&site(), &values, Some(&told))), says_when);
    }
}

#[test]
fn a_form_that_is_refused_says_what_comes_next() {
    let values = FormValues::default();
    for code in [
        Code::InvalidTitle,
        Code::InvalidSyntax,
        Code::InvalidExpiry,
        Code::InvalidContent,
        Code::PasteTooLarge,
        Code::IdempotencyKeyReused,
        Code::RateLimited,
        Code::ShardUnavailable,
    ] {
        let page = form(&site(), &values, Some(&Problem::new(code, "")));
        assert!(
            page.contains("below") && page.contains("ress Save"),
            "{code:?}"
        );
    }
}

#[test]
fn a_problem_stands_above_the_form_and_at_its_field() {
    let about_title = Problem::new(Code::InvalidTitle, "too long");
    let page = Document::read(&form(&site(), &FormValues::default(), Some(&about_title)));
    assert_eq!(page.value_beside(("role", "alert"), "id"), Some("problem"));
    assert_eq!(
        page.value_beside(("name", "title"), "aria-invalid"),
        Some("true")
    );
    assert_eq!(page.value_beside(("name", "content"), "aria-invalid"), None);
    assert_eq!(
        page.value_beside(("name", "title"), "aria-describedby"),
        Some("problem")
    );
    let fresh = Document::read(&form(&site(), &FormValues::default(), None));
    assert_eq!(fresh.value_beside(("role", "alert"), "id"), None);
}

#[test]
fn a_save_that_may_be_tried_again_says_so() {
    let advice = |code| {
        let page = form(
            &site(),
            &FormValues::default(),
            Some(&Problem::new(code, "why")),
        );
        page.contains("Press Save to try again") || page.contains("Press Save again")
    };
    assert!(advice(Code::StoreUnavailable) && advice(Code::IdempotencyKeyReused));
    assert!(!advice(Code::InvalidContent));
}
