//! What the server's answers do.

use super::super::{Happening, Kept, Line, Unanswered, Why};
use super::script::Script;
use super::{created, created_reply, key, reply};

const NOTHING: [&str; 0] = [];

/// The first 201 of a save puts it on the list.
const LISTED: &str = "list 00abcdefghijkl";

#[test]
fn a_press_stores_before_it_sends() {
    let mut script = Script::new();
    assert_eq!(script.press(1, "a"), ["store 1"]);
    assert_eq!(script.kept(1, Kept::Stored), ["drop-draft", "send 1"]);
    let attempt = script.attempt();
    assert_eq!(script.succeed(attempt), ["update 1"]);
    assert_eq!(
        script.kept(1, Kept::Stored),
        [LISTED, "succeeded 1", "results-ready"]
    );
    assert_eq!(script.state.line(), Line::Saved);
}

#[test]
fn pressing_twice_is_one_save() {
    let mut script = Script::new();
    script.press(1, "a");
    assert_eq!(script.press(2, "a"), NOTHING);
    script.kept(1, Kept::Stored);
    let attempt = script.attempt();
    assert_eq!(script.press(3, "a"), NOTHING);
    script.lose(attempt);
    assert_eq!(script.press(4, "a"), NOTHING);
    let attempt = script.retry();
    script.succeed(attempt);
    assert_eq!(script.press(5, "a"), NOTHING);
    script.kept(1, Kept::Stored);
    assert_eq!(
        script.press(6, "a"),
        NOTHING,
        "the page is about to be left"
    );
}

#[test]
fn back_in_the_editor_the_same_text_is_a_new_save() {
    let mut script = Script::new();
    let attempt = script.send(1, "a");
    script.succeed(attempt);
    script.kept(1, Kept::Stored);
    script.feed(Happening::Returned);
    assert_eq!(script.state.line(), Line::Idle);
    assert_eq!(script.press(2, "a"), ["store 2"]);
}

#[test]
fn passing_troubles_are_retried_with_the_same_key() {
    for status in [408, 425, 429, 500, 502, 503, 504, 200, 302] {
        let mut script = Script::new();
        let attempt = script.send(1, "a");
        assert_eq!(script.reply(attempt, reply(status)), ["wait 250"]);
        let why = Why::Status(status);
        assert_eq!(script.state.line(), Line::Retrying { why, delay_ms: 250 });
        assert_eq!(script.retry().key, key(1));
    }
}

#[test]
fn a_lost_answer_is_retried() {
    for (unanswered, why) in [
        (Unanswered::Timeout, Why::Timeout),
        (Unanswered::Network, Why::Network),
    ] {
        let mut script = Script::new();
        let attempt = script.send(1, "a");
        assert_eq!(
            script.feed(Happening::Unanswered(attempt, unanswered)),
            ["wait 250"]
        );
        assert_eq!(script.state.line(), Line::Retrying { why, delay_ms: 250 });
    }
}

#[test]
fn a_201_that_breaks_off_is_a_lost_answer() {
    let mut script = Script::new();
    let attempt = script.send(1, "a");
    let mut cut = created_reply(&created("00abcdefghijkl"));
    cut.body.truncate(20);
    assert_eq!(script.reply(attempt, cut), ["wait 250"]);
    let why = Why::Network;
    assert_eq!(script.state.line(), Line::Retrying { why, delay_ms: 250 });
    assert_eq!(script.retry().key, key(1));
}

#[test]
fn a_final_no_ends_the_save_and_the_next_press_has_its_own_key() {
    for status in [400, 401, 403, 404, 405, 409, 413, 415, 422, 431] {
        let mut script = Script::new();
        let attempt = script.send(1, "a");
        let mut refusal = reply(status);
        refusal.body = r#"{"detail":"Too long."}"#.into();
        assert_eq!(script.reply(attempt, refusal), ["update 1"]);
        assert_eq!(
            script.state.line(),
            Line::Refused {
                status,
                detail: "Too long.".into()
            }
        );
        assert_eq!(script.feed(Happening::Online), NOTHING);
        assert_eq!(script.press(2, "a"), ["remove 1", "store 2"]);
    }
}

#[test]
fn late_answers_count_only_if_they_are_a_success() {
    let mut script = Script::new();
    let first = script.send(1, "a");
    script.lose(first);
    let second = script.retry();
    assert_eq!(script.reply(first, reply(409)), NOTHING);
    assert_eq!(script.reply(first, reply(503)), NOTHING);
    assert_eq!(script.lose(first), NOTHING);
    assert_eq!(script.succeed(first), ["abort 1", "update 1"]);
    assert_eq!(script.succeed(second), NOTHING);
    assert_eq!(
        script.kept(1, Kept::Stored),
        [LISTED, "succeeded 1", "results-ready"]
    );
}

#[test]
fn a_late_success_ends_a_wait_and_undoes_a_no() {
    let mut script = Script::new();
    let first = script.send(1, "a");
    script.lose(first);
    assert_eq!(script.succeed(first), ["update 1"]);
    let mut script = Script::new();
    let first = script.send(1, "a");
    script.lose(first);
    let second = script.retry();
    script.reply(second, reply(422));
    assert_eq!(script.succeed(first), ["update 1"]);
    assert_eq!(
        script.kept(1, Kept::Stored),
        [LISTED, "succeeded 1", "results-ready"]
    );
}

#[test]
fn an_edit_meanwhile_is_saved_after_with_its_own_key() {
    let mut script = Script::new();
    let first = script.send(1, "a");
    assert_eq!(script.press(2, "ab"), ["store 2"]);
    script.kept(2, Kept::Stored);
    assert_eq!(script.state.in_line(), 1);
    assert_eq!(script.press(3, "ab"), NOTHING);
    assert_eq!(script.state.in_line(), 1, "pressed twice");
    script.succeed(first);
    assert_eq!(
        script.kept(1, Kept::Stored),
        [LISTED, "succeeded 1", "update 2"]
    );
    assert_eq!(script.state.in_line(), 0);
    assert_eq!(script.kept(2, Kept::Stored), ["send 2"]);
    let second = script.attempt();
    script.succeed(second);
    assert_eq!(
        script.kept(2, Kept::Stored),
        [LISTED, "succeeded 2", "results-ready"]
    );
}

#[test]
fn a_refused_save_does_not_hold_up_the_edited_text() {
    let mut script = Script::new();
    let first = script.send(1, "a");
    script.press(2, "ab");
    script.kept(2, Kept::Blocked);
    assert_eq!(script.reply(first, reply(413)), ["update 1", "store 2"]);
    assert_eq!(script.kept(2, Kept::Blocked), ["send 2"]);
}
