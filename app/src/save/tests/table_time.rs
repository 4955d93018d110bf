//! What clocks, timers and the person's attention do.

use super::super::entry::{AGE_MS_MAX, Link};
use super::super::{Happening, Kept, Line, Outcome, SaveEffect};
use super::script::Script;
use super::{NOON_MS, created, entry, reply};

const NOTHING: [&str; 0] = [];
const HOUR_MS: u64 = 3_600_000;

#[test]
fn the_servers_wait_is_kept() {
    let mut script = Script::new();
    let attempt = script.send(1, "a");
    let mut busy = reply(503);
    busy.retry_after_seconds = Some(7);
    assert_eq!(script.reply(attempt, busy), ["wait 7000"]);
}

#[test]
fn the_backoff_doubles() {
    let mut script = Script::new();
    let mut attempt = script.send(1, "a");
    for wait in [
        "wait 250",
        "wait 500",
        "wait 1000",
        "wait 2000",
        "wait 4000",
        "wait 8000",
        "wait 15000",
        "wait 15000",
    ] {
        assert_eq!(script.lose(attempt), [wait]);
        attempt = script.retry();
    }
}

#[test]
fn an_attempt_has_time_for_its_size() {
    let mut script = Script::new();
    script.send(1, &"x".repeat(1 << 20));
    assert!(matches!(
        script.effects[1],
        SaveEffect::Send {
            timeout_ms: 31_000,
            ..
        }
    ));
}

#[test]
fn coming_back_resumes_at_once_and_only_once() {
    for back in [
        Happening::Online,
        Happening::Foreground,
        Happening::Returned,
    ] {
        let mut script = Script::new();
        let attempt = script.send(1, "a");
        script.lose(attempt);
        let timer = script.state.timers;
        assert_eq!(script.feed(back.clone()), ["update 1"]);
        assert_eq!(script.feed(back.clone()), NOTHING);
        assert_eq!(script.feed(Happening::Timer(timer)), NOTHING);
        script.kept(1, Kept::Stored);
        assert_eq!(script.feed(back), NOTHING, "one attempt at a time");
        assert_eq!(script.feed(Happening::Timer(timer)), NOTHING);
    }
}

#[test]
fn an_attempt_that_slept_through_its_time_is_replaced() {
    let mut script = Script::new();
    let first = script.send(1, "a");
    script.now_ms += HOUR_MS;
    assert_eq!(script.feed(Happening::Foreground), ["abort 1", "update 1"]);
    assert_eq!(script.kept(1, Kept::Stored), ["send 1"]);
    assert_ne!(script.attempt(), first);
}

#[test]
fn an_old_timer_does_not_cut_a_new_wait_short() {
    let mut script = Script::new();
    let attempt = script.send(1, "a");
    script.lose(attempt);
    let old = script.state.timers;
    let attempt = script.retry();
    script.lose(attempt);
    assert_eq!(script.feed(Happening::Timer(old)), NOTHING);
}

#[test]
fn offline_is_said_while_the_save_is_unresolved() {
    let mut script = Script::new();
    let attempt = script.send(1, "a");
    script.feed(Happening::Offline);
    assert_eq!(script.state.line(), Line::Offline);
    script.lose(attempt);
    assert_eq!(script.state.line(), Line::Offline);
    script.feed(Happening::Online);
    assert_eq!(script.state.line(), Line::Saving);
}

#[test]
fn nothing_is_sent_after_24_hours() {
    let mut script = Script::new();
    let attempt = script.send(1, "a");
    script.lose(attempt);
    let timer = script.state.timers;
    script.now_ms += AGE_MS_MAX;
    assert_eq!(script.feed(Happening::Timer(timer)), NOTHING);
    assert_eq!(script.state.line(), Line::Stale);
    assert_eq!(script.feed(Happening::Online), NOTHING);
    assert_eq!(script.press(2, "a"), ["remove 1", "store 2"]);
}

#[test]
fn the_age_is_looked_at_again_after_storing() {
    let mut script = Script::new();
    script.press(1, "a");
    script.now_ms += AGE_MS_MAX;
    assert_eq!(script.kept(1, Kept::Stored), ["drop-draft"]);
    assert_eq!(script.state.line(), Line::Stale);
}

#[test]
fn a_clock_set_back_stretches_nothing() {
    let mut script = Script::new();
    let mut attempt = script.send(1, "a");
    for _ in 0..2 {
        script.now_ms += 11 * HOUR_MS;
        script.lose(attempt);
        script.now_ms -= 10 * HOUR_MS;
        attempt = script.retry();
    }
    script.lose(attempt);
    script.now_ms += 2 * HOUR_MS;
    let timer = script.state.timers;
    assert_eq!(script.feed(Happening::Timer(timer)), NOTHING);
    assert_eq!(script.state.line(), Line::Stale);
}

#[test]
fn an_entry_from_the_future_is_not_sent() {
    let mut script = Script::new();
    script.now_ms = NOON_MS - HOUR_MS;
    assert_eq!(
        script.feed(Happening::Found {
            entry: entry(1, "a"),
            in_editor: true
        }),
        NOTHING
    );
    assert_eq!(script.state.line(), Line::Stale);
}

#[test]
fn a_clock_corrected_by_a_minute_is_the_same_clock() {
    let mut script = Script::new();
    script.now_ms = NOON_MS - 60_000;
    assert_eq!(
        script.feed(Happening::Found {
            entry: entry(1, "a"),
            in_editor: true
        }),
        ["update 1"]
    );
}

#[test]
fn an_old_success_is_reduced_to_its_link() {
    let mut saved = entry(1, "a");
    saved.outcome = Outcome::Saved(Link::of(&created("00abcdefghijkl")));
    let mut script = Script::new();
    script.now_ms += AGE_MS_MAX;
    let found = Happening::Found {
        entry: saved,
        in_editor: false,
    };
    assert_eq!(script.feed(found), ["reduce 1 00abcdefghijkl"]);
    assert_eq!(script.state.line(), Line::Idle);
}
