//! What is said, word for word.

use super::*;

#[test]
fn a_wait_names_its_reason_and_its_seconds() {
    for (why, delay_ms, text) in [
        (
            Why::Timeout,
            0,
            "No answer yet. Trying again in 1 second; nothing is saved twice.",
        ),
        (
            Why::Network,
            1_001,
            "The server cannot be reached. Trying again in 2 seconds; nothing is saved twice.",
        ),
        (
            Why::Status(429),
            60_000,
            "The server asks for a pause. Trying again in 60 seconds; nothing is saved twice.",
        ),
        (
            Why::Status(429),
            60_001,
            "The server asks for a pause. Trying again at 14:32; nothing is saved twice.",
        ),
        (
            Why::Status(503),
            999,
            "The server cannot save it just now. Trying again in 1 second; nothing is saved twice.",
        ),
    ] {
        let retrying = Line::Retrying { why, delay_ms };
        assert_eq!(line(&retrying, false, TEXT_STAYS, |_| "14:32".into()), text);
    }
}

#[test]
fn of_a_save_that_exists_only_the_token_is_waited_for() {
    let time = |_| String::new();
    let retrying = |why| Line::Retrying { why, delay_ms: 1 };
    let refused = Line::Refused {
        status: 403,
        detail: String::new(),
    };
    for (line, then) in [
        (Line::Saving, ""),
        (Line::Offline, "You are offline."),
        (
            retrying(Why::Status(503)),
            "The server cannot send it just now. Trying again in 1 second; nothing is saved twice.",
        ),
        (
            retrying(Why::Status(429)),
            "The server asks for a pause. Trying again in 1 second; nothing is saved twice.",
        ),
        (refused, "The server did not take it (status 403)."),
    ] {
        assert_eq!(
            super::line(&line, true, TEXT_WAITS, time),
            [SAVED_BEFORE, then].concat()
        );
    }
}

#[test]
fn a_refusal_says_what_the_server_said() {
    let said = Line::Refused {
        status: 413,
        detail: "Too long.".into(),
    };
    let time = |_| String::new();
    assert_eq!(
        line(&said, false, TEXT_STAYS, time),
        "Too long. Your text is still here."
    );
    assert_eq!(
        line(&said, false, TEXT_WAITS, time),
        "Too long. Open it in the form to change it."
    );
    let mute = Line::Refused {
        status: 403,
        detail: String::new(),
    };
    assert_eq!(
        line(&mute, false, TEXT_STAYS, time),
        "The server did not take it (status 403). Your text is still here."
    );
}

#[test]
fn a_size_is_told_with_its_limit() {
    assert_eq!(
        too_large(10_485_761, 10_485_760),
        "This text is 1 byte over the limit of 10 MiB. Shorten it to save it."
    );
    assert_eq!(
        file_too_large(12 << 20, 10 << 20),
        "This file is 2 MiB over the limit of 10 MiB. It was not read."
    );
}
