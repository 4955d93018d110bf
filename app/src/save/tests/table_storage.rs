//! What storage's answers do.

use super::super::entry::Link;
use super::super::{Happening, Kept, Line, Outcome, Record, SaveEffect};
use super::script::Script;
use super::{created, entry, key, reply};

const NOTHING: [&str; 0] = [];

/// The first 201 of a save puts it on the list.
const LISTED: &str = "list 00abcdefghijkl";

#[test]
fn a_blocked_storage_does_not_stop_the_save_and_the_result_is_shown_here() {
    let mut script = Script::new();
    script.press(1, "a");
    assert!(!script.state.is_only_here(), "not known yet");
    assert_eq!(script.kept(1, Kept::Blocked), ["send 1"], "the draft stays");
    assert!(script.state.is_only_here());
    let attempt = script.attempt();
    assert_eq!(
        script.succeed(attempt),
        [LISTED, "drop-draft", "succeeded 1 here"]
    );
    assert!(!script.state.is_only_here(), "nothing is at stake any more");
}

#[test]
fn a_full_storage_is_tried_again_with_the_next_attempt() {
    let mut script = Script::new();
    script.press(1, "a");
    script.kept(1, Kept::Full);
    let attempt = script.attempt();
    script.lose(attempt);
    let timer = script.state.timers;
    assert_eq!(script.feed(Happening::Timer(timer)), ["store 1"]);
    script.kept(1, Kept::Stored);
    let attempt = script.attempt();
    script.succeed(attempt);
    assert_eq!(
        script.kept(1, Kept::Stored),
        [LISTED, "succeeded 1", "results-ready"]
    );
}

#[test]
fn a_failed_update_leaves_the_entry_where_it_was() {
    let mut script = Script::new();
    let attempt = script.send(1, "a");
    script.lose(attempt);
    let timer = script.state.timers;
    assert_eq!(script.feed(Happening::Timer(timer)), ["update 1"]);
    script.kept(1, Kept::Full);
    assert!(!script.state.is_only_here());
    let attempt = script.attempt();
    assert_eq!(script.succeed(attempt), ["update 1"]);
    assert_eq!(
        script.kept(1, Kept::Full),
        [LISTED, "succeeded 1", "results-ready"]
    );
}

#[test]
fn a_storage_that_is_blocked_meanwhile_cannot_show_the_result() {
    let mut script = Script::new();
    let attempt = script.send(1, "a");
    assert_eq!(script.succeed(attempt), ["update 1"]);
    assert_eq!(
        script.kept(1, Kept::Blocked),
        [LISTED, "drop-draft", "succeeded 1 here"]
    );
}

#[test]
fn an_emptied_storage_does_not_stop_a_save_pressed_here() {
    let mut script = Script::new();
    let attempt = script.send(1, "a");
    script.lose(attempt);
    let timer = script.state.timers;
    script.feed(Happening::Timer(timer));
    assert_eq!(script.kept(1, Kept::Emptied), ["send 1"]);
    assert!(script.state.is_only_here());
    let attempt = script.attempt();
    script.lose(attempt);
    let timer = script.state.timers;
    let effects = script.feed(Happening::Timer(timer));
    assert_eq!(effects, ["send 1"], "what was emptied is not filled again");
    let attempt = script.attempt();
    assert_eq!(
        script.succeed(attempt),
        [LISTED, "drop-draft", "succeeded 1 here"]
    );
}

#[test]
fn a_result_whose_entry_vanished_is_shown_here() {
    let mut script = Script::new();
    let attempt = script.send(1, "a");
    assert_eq!(script.succeed(attempt), ["update 1"]);
    assert_eq!(
        script.kept(1, Kept::Emptied),
        [LISTED, "drop-draft", "succeeded 1 here"]
    );
}

#[test]
fn once_a_result_is_shown_here_nobody_is_sent_away() {
    let mut script = Script::new();
    script.press(1, "a");
    script.kept(1, Kept::Blocked);
    let first = script.attempt();
    script.press(2, "b");
    script.kept(2, Kept::Stored);
    script.succeed(first);
    script.kept(2, Kept::Stored);
    let second = script.attempt();
    script.succeed(second);
    assert_eq!(script.kept(2, Kept::Stored), [LISTED, "succeeded 2 here"]);
}

#[test]
fn after_success_text_and_link_are_stored_and_the_token_is_not() {
    let mut script = Script::new();
    let attempt = script.send(1, "a");
    script.succeed(attempt);
    let [SaveEffect::Store(stored, _)] = &script.effects[..] else {
        panic!("the entry is updated");
    };
    let json = serde_json::to_string(&Record::of_entry(stored)).unwrap();
    assert!(
        json.contains("00abcdefghijkl") && json.contains(r#""content":"a""#),
        "{json}"
    );
    assert!(!json.contains("once_"), "{json}");
}

#[test]
fn a_replay_that_is_refused_keeps_its_link() {
    let mut script = Script::new();
    let mut saved = entry(1, "a");
    saved.outcome = Outcome::Saved(Link::of(&created("00abcdefghijkl")));
    script.feed(Happening::Found {
        entry: saved,
        in_editor: false,
    });
    script.kept(1, Kept::Stored);
    let attempt = script.attempt();
    assert_eq!(script.reply(attempt, reply(409)), NOTHING);
}

#[test]
fn a_replay_lists_nothing_again() {
    let mut script = Script::new();
    let mut saved = entry(1, "a");
    saved.outcome = Outcome::Saved(Link::of(&created("00abcdefghijkl")));
    script.feed(Happening::Found {
        entry: saved,
        in_editor: false,
    });
    script.kept(1, Kept::Stored);
    let attempt = script.attempt();
    script.succeed(attempt);
    assert_eq!(
        script.kept(1, Kept::Stored),
        ["succeeded 1", "results-ready"]
    );
}

#[test]
fn forgetting_stops_and_removes() {
    let mut script = Script::new();
    script.send(1, "a");
    script.press(2, "b");
    assert_eq!(script.feed(Happening::Forget(key(2))), ["remove 2"]);
    assert_eq!(
        script.feed(Happening::Forget(key(1))),
        ["remove 1", "abort 1"]
    );
    assert_eq!(script.state.line(), Line::Idle);
    assert_eq!(script.feed(Happening::Foreground), NOTHING);
}

#[test]
fn a_text_that_left_the_editor_is_not_thrown_away_by_the_next_press() {
    let mut script = Script::new();
    let attempt = script.send(1, "a");
    script.press(2, "b");
    script.feed(Happening::Forget(key(2)));
    script.reply(attempt, reply(422));
    assert_eq!(script.press(3, "c"), ["store 3"]);
}

#[test]
fn debug_shows_neither_key_nor_text_nor_token() {
    let mut script = Script::new();
    let attempt = script.send(1, "the text");
    let sent = format!("{:?} {:?}", script.state, script.effects);
    script.succeed(attempt);
    let answered = format!("{:?} {:?}", script.state, script.effects);
    for debug in [sent, answered] {
        for secret in ["0190a5e4", "the text", "once_"] {
            assert!(!debug.contains(secret), "{debug}");
        }
    }
}
