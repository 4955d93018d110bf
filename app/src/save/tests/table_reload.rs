//! What a new machine does with the entries of an old one.

use super::super::entry::{AGE_MS_MAX, Link};
use super::super::{Entry, Happening, Kept, Line, Outcome, SaveEffect, Standing};
use super::script::Script;
use super::{NOON_MS, created, entry, key};

const NOTHING: [&str; 0] = [];

/// The entry that storage holds after the machine's last step.
fn stored(script: &Script) -> Entry {
    let mut entries = script.effects.iter().filter_map(|effect| match effect {
        SaveEffect::Store(entry, _) => Some(entry.clone()),
        _ => None,
    });
    entries.next_back().expect("an entry was stored")
}

#[test]
fn a_reload_resumes_with_the_same_key_and_text() {
    let mut before = Script::new();
    before.press(1, "a");
    let left = stored(&before);
    let mut after = Script::new();
    after.now_ms += 60_000;
    let found = Happening::Found {
        entry: left,
        in_editor: true,
    };
    assert_eq!(after.feed(found), ["update 1"]);
    assert_eq!(stored(&after).age_ms, 60_000);
    after.kept(1, Kept::Stored);
    let SaveEffect::Send {
        attempt, request, ..
    } = &after.effects[0]
    else {
        panic!("it is sent");
    };
    assert_eq!((attempt.key, request.content.as_str()), (key(1), "a"));
    assert_eq!(after.press(2, "a"), NOTHING, "the same text is being saved");
    assert_eq!(after.press(3, "ab"), ["store 3"]);
}

#[test]
fn a_refusal_is_remembered_and_not_sent_again() {
    let mut refused = entry(1, "a");
    refused.outcome = Outcome::Refused {
        status: 413,
        detail: "Too long.".into(),
    };
    let mut script = Script::new();
    assert_eq!(
        script.feed(Happening::Found {
            entry: refused,
            in_editor: true
        }),
        NOTHING
    );
    let line = Line::Refused {
        status: 413,
        detail: "Too long.".into(),
    };
    assert_eq!(script.state.line(), line);
    assert_eq!(script.press(2, "a"), ["remove 1", "store 2"]);
}

#[test]
fn a_failed_text_that_is_not_in_the_editor_is_not_thrown_away() {
    let mut script = Script::new();
    script.now_ms += AGE_MS_MAX;
    script.feed(Happening::Found {
        entry: entry(1, "a"),
        in_editor: false,
    });
    assert_eq!(script.press(2, "b"), ["store 2"]);
}

#[test]
fn a_busy_machine_takes_up_nothing() {
    let mut script = Script::new();
    script.send(1, "a");
    assert_eq!(
        script.feed(Happening::Found {
            entry: entry(2, "b"),
            in_editor: false
        }),
        NOTHING
    );
}

#[test]
fn the_standing_of_an_entry_follows_from_outcome_and_age() {
    let link = Link::of(&created("00abcdefghijkl"));
    let refused = Outcome::Refused {
        status: 400,
        detail: String::new(),
    };
    for (outcome, young, old) in [
        (Outcome::Pending, Standing::Resume, Standing::Stale),
        (
            Outcome::Saved(link.clone()),
            Standing::Replay,
            Standing::Reduce(link),
        ),
        (refused, Standing::Refused, Standing::Over),
    ] {
        let stored = Entry {
            outcome,
            ..entry(1, "a")
        };
        assert_eq!(stored.standing(NOON_MS + AGE_MS_MAX - 1), young);
        assert_eq!(stored.standing(NOON_MS + AGE_MS_MAX), old);
        assert_eq!(
            stored.standing(NOON_MS - AGE_MS_MAX),
            old,
            "a clock set back"
        );
    }
}
