//! Every sentence the islands say, in one place.

#![cfg_attr(
    not(feature = "hydrate"),
    expect(
        dead_code,
        reason = "only the browser says them; tests read them anywhere"
    )
)]

use crate::save::{Line, Why};

pub(super) const ONLY_HERE: &str =
    " This browser's storage is full or blocked: a reload before it is saved would lose the save.";
pub(super) const SAVED_HERE: &str = "Saved. This browser's storage is full or blocked, so only this page shows the token: a reload loses it.";
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

/// What to say of a text over the limit, in bytes.
pub(super) fn too_large(content_bytes: usize, bytes_max: usize) -> String {
    let (size, limit) = (content_bytes.to_string(), bytes_max.to_string());
    [
        "This text has ",
        &size,
        " bytes; at most ",
        &limit,
        " can be saved.",
    ]
    .concat()
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
            too_large(12, 10),
            "This text has 12 bytes; at most 10 can be saved."
        );
    }
}
