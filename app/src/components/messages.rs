//! Every sentence the islands say, in one place.

#![cfg_attr(
    not(feature = "hydrate"),
    expect(
        dead_code,
        reason = "only the browser says them; tests read them anywhere"
    )
)]

use crate::save::{Line, Why};
use crate::wire::size;

pub(super) const ONLY_HERE: &str =
    " This browser's storage is full or blocked: a reload before it is saved would lose the save.";
pub(super) const SAVED_HERE: &str = "This browser's storage is full or blocked, so only this page shows the token: a reload loses it.";
pub(super) const SAVED: &str = "Saved.";
pub(super) const SAVED_BEFORE: &str = "Saved, and its delete token not yet shown.";
pub(super) const EARLIER_SAVING: &str = "A text from earlier is still being saved. ";
pub(super) const EARLIER_SAVED: &str = "A text from earlier is saved now, too. ";
pub(super) const EARLIER_OPEN: &str = "A text from earlier could not be saved and waits for you. ";
pub(super) const EARLIER_OLD: &str =
    "A text was first sent more than 24 hours ago and may be saved already. ";
pub(super) const EARLIER_LINK: &str = "Show it";
pub(super) const TOO_OLD: &str =
    "Saved more than 24 hours ago. Its delete token cannot be shown any more.";
pub(super) const ACKNOWLEDGED: &str =
    "Text and token have left this browser. The link works until the paste expires.";
pub(super) const ACKNOWLEDGED_KEPT: &str =
    "The text has left this browser. My pastes keeps the link and the token.";
pub(super) const DELETED: &str = "Deleted. The link leads nowhere from now on.";
pub(super) const GONE: &str = "The paste was gone already.";
pub(super) const NOT_DELETED: &str = "It could not be deleted just now. Try again in a moment.";
pub(super) const ONE_FILE: &str = "One paste is one file: please take one at a time.";
pub(super) const TEXT_THERE: &str =
    "The form has a text already, which stays. Save it or empty the form, then take the file.";
pub(super) const FILE_UNREADABLE: &str = "The browser could not read this file.";
pub(super) const FILE_NOT_UTF8: &str =
    "This file is not UTF-8 text, and only that can be saved here without changing it.";
pub(super) const FILE_EMPTY: &str = "This file is empty: there is nothing to save.";
pub(super) const FILE_TAKEN: &str =
    "The file is in the form. If you do not edit it, it is saved byte for byte.";
pub(super) const NOTHING: &str = "Nothing from this browser waits to be shown.";
pub(super) const COPIED: &str = "Copied";
pub(super) const COPY_FAILED: &str = "Copying is blocked: select the text instead";

const TEXT_STAYS: &str = " Your text is still here.";

/// What to tell the person about a save.
pub(super) fn line(line: &Line) -> String {
    match line {
        Line::Idle => String::new(),
        Line::Saving => "Saving…".into(),
        Line::Retrying { why, delay_ms } => retrying(*why, *delay_ms),
        Line::Offline => "You are offline. Saving goes on when the network is back.".into(),
        Line::Saved => SAVED.into(),
        Line::Refused { status, detail } => refused(*status, detail),
        Line::Stale => "This text was first sent more than 24 hours ago and may be saved already. Save it again only if you want a new paste.".into(),
    }
}

/// The word for a line that the page carries as `data-state`.
pub(super) fn state(line: &Line) -> &'static str {
    match line {
        Line::Idle => "idle",
        Line::Saving => "saving",
        Line::Retrying { .. } => "retrying",
        Line::Offline => "offline",
        Line::Saved => "saved",
        Line::Refused { .. } => "refused",
        Line::Stale => "stale",
    }
}

/// What to say of a text over the limit.
pub(super) fn too_large(bytes: u64, bytes_max: u64) -> String {
    over("This text is ", bytes, bytes_max, "")
}

/// What to say of a file over the limit.
pub(super) fn file_too_large(bytes: u64, bytes_max: u64) -> String {
    over("This file is ", bytes, bytes_max, " It was not read.")
}

/// By how much: two sizes side by side could look equal.
fn over(what: &str, bytes: u64, bytes_max: u64, then: &str) -> String {
    let (over, limit) = (size::human(bytes - bytes_max), size::human(bytes_max));
    [what, &over, " over the limit of ", &limit, ".", then].concat()
}

fn retrying(why: Why, delay_ms: u64) -> String {
    let reason = match why {
        Why::Timeout => "No answer yet.",
        Why::Network => "The server cannot be reached.",
        Why::Status(429) => "The server asks for a pause.",
        Why::Status(_) => "The server cannot save it just now.",
    };
    let seconds = delay_ms.div_ceil(1_000).max(1);
    let unit = if seconds == 1 { " second" } else { " seconds" };
    let count = seconds.to_string();
    [
        reason,
        " Trying again in ",
        &count,
        unit,
        "; nothing is saved twice.",
    ]
    .concat()
}

fn refused(status: u16, detail: &str) -> String {
    if !detail.is_empty() {
        return [detail, TEXT_STAYS].concat();
    }
    let status = status.to_string();
    [
        "The server did not take it (status ",
        &status,
        ").",
        TEXT_STAYS,
    ]
    .concat()
}

#[cfg(test)]
mod tests {
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
                Why::Status(503),
                999,
                "The server cannot save it just now. Trying again in 1 second; nothing is saved twice.",
            ),
        ] {
            assert_eq!(line(&Line::Retrying { why, delay_ms }), text);
        }
    }

    #[test]
    fn a_refusal_says_what_the_server_said() {
        let said = Line::Refused {
            status: 413,
            detail: "Too long.".into(),
        };
        assert_eq!(line(&said), "Too long. Your text is still here.");
        let mute = Line::Refused {
            status: 403,
            detail: String::new(),
        };
        assert_eq!(
            line(&mute),
            "The server did not take it (status 403). Your text is still here."
        );
    }

    #[test]
    fn a_size_is_told_with_its_limit() {
        assert_eq!(
            too_large(10_485_761, 10_485_760),
            "This text is 1 byte over the limit of 10 MiB."
        );
        assert_eq!(
            file_too_large(12 << 20, 10 << 20),
            "This file is 2 MiB over the limit of 10 MiB. It was not read."
        );
    }
}
