//! What another tab has done with a save in the meantime.

use super::super::entry::Link;
use super::super::{Happening, Kept, Line, Outcome, SaveEffect};
use super::script::Script;
use super::{created, entry, key, reply};

const NOTHING: [&str; 0] = [];
const LISTED: &str = "list 00abcdefghijkl";

fn saved() -> Outcome {
    Outcome::Saved(Link::of(&created("00abcdefghijkl")))
}

fn refused() -> Outcome {
    Outcome::Refused {
        status: 413,
        detail: "Too long.".into(),
    }
}

/// A save pressed here that waits for its next attempt.
fn waiting() -> Script {
    let mut script = Script::new();
    let attempt = script.send(1, "a");
    script.lose(attempt);
    script
}

/// The same, and now the wait is over and storage is asked.
fn storing() -> Script {
    let mut script = waiting();
    assert_eq!(script.feed(Happening::Foreground), ["update 1"]);
    script
}

#[test]
fn what_is_known_in_storage_is_never_written_over() {
    let outcomes = [Outcome::Pending, refused(), saved()];
    for (at, outcome) in outcomes.iter().enumerate() {
        assert!(!outcome.yields_to(&Outcome::Pending));
        for (other_at, other) in outcomes.iter().enumerate().skip(1) {
            assert_eq!(outcome.yields_to(other), at <= other_at);
        }
    }
}

#[test]
fn a_save_acknowledged_elsewhere_is_not_sent_again() {
    let mut script = storing();
    assert_eq!(script.kept(1, Kept::Gone), NOTHING);
    assert_eq!(script.state.line(), Line::Settled { link: None });
    assert!(!script.state.is_only_here());
    for what in [
        Happening::Foreground,
        Happening::Online,
        Happening::Returned,
    ] {
        assert_eq!(script.feed(what), NOTHING);
    }
    assert_eq!(
        script.press(2, "a"),
        ["store 2"],
        "the person was told and decides; what is the other tab's is not removed"
    );
}

#[test]
fn a_wait_ends_as_soon_as_another_tab_has_settled_the_save() {
    let mut script = waiting();
    assert_eq!(script.kept(1, Kept::Gone), NOTHING);
    assert_eq!(script.state.line(), Line::Settled { link: None });
}

#[test]
fn a_save_found_in_storage_and_settled_elsewhere_says_so_with_its_link() {
    let mut script = Script::new();
    let found = Happening::Found {
        entry: entry(1, "a"),
        in_editor: true,
    };
    assert_eq!(script.feed(found), ["update 1"]);
    script.kept(1, Kept::Stored);
    let attempt = script.attempt();
    script.lose(attempt);
    assert_eq!(script.known(1, saved()), ["send 1"]);
    let attempt = script.attempt();
    script.lose(attempt);
    assert_eq!(script.kept(1, Kept::Gone), NOTHING);
    let link = Some(Link::of(&created("00abcdefghijkl")));
    assert_eq!(script.state.line(), Line::Settled { link });
}

#[test]
fn a_save_that_another_tab_has_saved_is_fetched_and_not_listed_again() {
    for mut script in [storing(), waiting()] {
        assert_eq!(script.known(1, saved()), ["send 1"]);
        let attempt = script.attempt();
        assert_eq!(script.succeed(attempt), ["update 1"]);
        assert_eq!(script.known(1, saved()), ["succeeded 1", "results-ready"]);
    }
}

#[test]
fn a_wait_goes_on_when_another_tab_marks_the_save_as_shown() {
    let mut script = waiting();
    assert_eq!(script.known(1, saved()), ["send 1"]);
    let attempt = script.attempt();
    script.lose(attempt);
    assert_eq!(script.known(1, saved()), NOTHING);
    assert_eq!(script.feed(Happening::Foreground), ["update 1"]);
    assert_eq!(script.known(1, saved()), ["send 1"]);
}

#[test]
fn what_is_known_to_exist_is_only_fetched() {
    let mut script = waiting();
    assert!(!script.state.is_fetching());
    script.known(1, saved());
    assert!(script.state.is_fetching(), "sending");
    let attempt = script.attempt();
    script.reply(attempt, reply(503));
    assert!(script.state.is_fetching(), "waiting");
    let attempt = script.retry();
    script.reply(attempt, reply(403));
    assert!(
        script.state.is_fetching(),
        "refused, and there all the same"
    );
    let state = script.state.clone();
    assert_eq!(script.press(2, "b"), ["store 2"], "its result stays");
    script.state = state;
    script.succeed(attempt);
    assert!(!script.state.is_fetching(), "its result is here");
    assert!(!waiting().state.is_fetching());
}

#[test]
fn of_two_answers_at_once_one_lists() {
    let mut script = Script::new();
    let attempt = script.send(1, "a");
    assert_eq!(script.succeed(attempt), ["update 1"]);
    assert_eq!(
        script.known(1, saved()),
        ["succeeded 1", "results-ready"],
        "the other tab was first"
    );
}

#[test]
fn an_answer_after_another_tab_gave_the_save_up_is_shown_and_not_listed() {
    let mut script = Script::new();
    let attempt = script.send(1, "a");
    assert_eq!(script.kept(1, Kept::Gone), NOTHING);
    assert_eq!(script.succeed(attempt), ["drop-draft", "succeeded 1 here"]);
    let SaveEffect::Succeeded { show_here, .. } = &script.effects[1] else {
        panic!("it is shown");
    };
    assert_eq!(*show_here, Some(Kept::Gone));
}

#[test]
fn a_save_refused_elsewhere_is_not_sent_again() {
    for mut script in [storing(), waiting()] {
        assert_eq!(script.known(1, refused()), NOTHING);
        let line = Line::Refused {
            status: 413,
            detail: "Too long.".into(),
        };
        assert_eq!(script.state.line(), line);
        assert_eq!(script.press(2, "ab"), ["remove 1", "store 2"]);
    }
}

#[test]
fn a_no_counts_less_than_another_tabs_yes() {
    let mut script = Script::new();
    let attempt = script.send(1, "a");
    assert_eq!(script.reply(attempt, reply(422)), ["update 1"]);
    assert_eq!(script.known(1, saved()), NOTHING);
    let link = Some(Link::of(&created("00abcdefghijkl")));
    assert_eq!(script.state.line(), Line::Settled { link });
    assert_eq!(
        script.press(2, "a"),
        ["store 2"],
        "its result is not thrown away"
    );
}

#[test]
fn a_save_in_line_that_was_settled_elsewhere_is_passed_over() {
    let mut script = Script::new();
    let first = script.send(1, "a");
    script.press(2, "b");
    script.kept(2, Kept::Stored);
    script.kept(2, Kept::Gone);
    script.succeed(first);
    assert_eq!(script.kept(1, Kept::Stored), [LISTED, "succeeded 1"]);
    assert_eq!(script.state.line(), Line::Settled { link: None });
    assert_eq!(script.feed(Happening::Forget(key(2))), ["remove 2"]);
}

#[test]
fn an_emptied_storage_ends_what_nobody_here_waits_for() {
    let mut script = Script::new();
    script.feed(Happening::Found {
        entry: entry(1, "a"),
        in_editor: false,
    });
    assert_eq!(script.kept(1, Kept::Emptied), NOTHING);
    assert_eq!(script.state.line(), Line::Idle);
}

#[test]
fn a_text_in_the_form_goes_on_when_storage_was_emptied() {
    let mut script = Script::new();
    script.feed(Happening::Found {
        entry: entry(1, "a"),
        in_editor: true,
    });
    assert_eq!(script.kept(1, Kept::Emptied), ["send 1"]);
    assert!(script.state.is_only_here());
}

#[test]
fn a_draft_goes_when_its_text_is_stored_and_not_before() {
    let mut script = Script::new();
    script.press(1, "a");
    script.kept(1, Kept::Full);
    let attempt = script.attempt();
    script.lose(attempt);
    let timer = script.state.timers;
    assert_eq!(script.feed(Happening::Timer(timer)), ["store 1"]);
    assert_eq!(script.kept(1, Kept::Stored), ["drop-draft", "send 1"]);
    let attempt = script.attempt();
    script.lose(attempt);
    script.feed(Happening::Foreground);
    assert_eq!(script.kept(1, Kept::Stored), ["send 1"], "once");
}
