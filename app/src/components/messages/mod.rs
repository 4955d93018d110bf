//! Every sentence the islands say, in one place.

#![cfg_attr(
    not(feature = "hydrate"),
    expect(
        dead_code,
        reason = "only the browser says them; tests read them anywhere"
    )
)]

use crate::save::{Kept, Line, Why};
use crate::wire::size;

pub(super) const SAVED: &str = "Saved.";
pub(super) const SAVED_BEFORE: &str = "Saved. Only its delete token is still to be fetched. ";
pub(super) const EARLIER_LINK: &str = "Show it";
pub(super) const TOO_OLD: &str =
    "Saved more than 24 hours ago. Its delete token cannot be shown any more.";
pub(super) const ACKNOWLEDGED: &str =
    "Text and token have left this browser. The link works until the paste expires.";
pub(super) const ACKNOWLEDGED_KEPT: &str =
    "The text has left this browser. My pastes keeps the link and the token.";
pub(super) const DELETED: &str = "Deleted. The link leads nowhere from now on.";
pub(super) const GONE: &str = "The paste was gone already.";
pub(super) const NOT_DELETED: &str =
    "It may be deleted, but no answer says so. Try again in a moment.";
pub(super) const ONE_FILE: &str = "One paste is one file: please take one at a time.";
pub(super) const TEXT_THERE: &str =
    "The form has a text already, which stays. Save it or empty the form, then take the file.";
pub(super) const FILE_UNREADABLE: &str = "The browser could not read this file.";
pub(super) const FILE_NOT_UTF8: &str =
    "This file is not UTF-8 text, and only that is saved here unchanged.";
pub(super) const FILE_EMPTY: &str = "This file is empty: there is nothing to save.";
pub(super) const FILE_TAKEN: &str =
    "The file is in the form. If you do not edit it, it is saved byte for byte.";
pub(super) const NOTHING: &str = "Nothing from this browser waits to be shown.";
pub(super) const FORGOTTEN: &str = "Forgotten. Its text has left this browser.";
pub(super) const LINK_FORGOTTEN: &str =
    "Forgotten. The paste is still there, and its link works until it expires.";
pub(super) const LEFT: &str = "Nothing of this save waits here any more.";
pub(super) const DELETING: &str = "Deleting…";
pub(super) const LIST: &str = "My pastes";
pub(super) const STOPPED: &str = "Stopped. Your text is still in the form.";
pub(super) const STOPPED_PARKED: &str =
    "Stopped. Its text is kept and comes back in the next empty form.";
pub(super) const STOPPED_BEFORE: &str =
    "The save before it is stopped. Its text is kept and comes back in the next empty form.";
pub(super) const STOPPED_LOST: &str = "Stopped. This browser had no room to keep its text.";
pub(super) const STAYS_HERE: &str = "The text in the form is another one and too large to be kept elsewhere, so this page stays: save it, too.";
pub(super) const PARKED: &str =
    "Another text that you were writing is kept and comes back in the next empty form.";
pub(super) const HIDDEN_DRAFT: &str = "A text that you were writing in another tab is kept. ";
pub(super) const BRING: &str = "Bring it here";
pub(super) const COPIED: &str = "Copied";
pub(super) const COPY_FAILED: &str = "Copying is blocked: select the text instead";

/// What follows a refusal on the form page, and on the page of results, which does not show the text.
pub(super) const TEXT_STAYS: &str = " Your text is still here.";
pub(super) const TEXT_WAITS: &str = " Open it in the form to change it.";

/// What to tell the person about a save. `is_fetching`: it is known to exist. `text` says after a refusal where the text
/// is; `time_in` tells the time of day in so many milliseconds.
pub(super) fn line(
    line: &Line,
    is_fetching: bool,
    text: &str,
    time_in: impl Fn(u64) -> String,
) -> String {
    let (saved, text) = if is_fetching {
        (SAVED_BEFORE, "")
    } else {
        ("", text)
    };
    let words = match line {
        Line::Idle => String::new(),
        Line::Saving if is_fetching => String::new(),
        Line::Offline if is_fetching => "You are offline.".into(),
        Line::Saving => "Saving…".into(),
        Line::Retrying { why, delay_ms } => retrying(*why, is_fetching, *delay_ms, time_in),
        Line::Offline => "You are offline. Saving goes on when the network is back.".into(),
        Line::Saved => SAVED.into(),
        Line::Refused { status, detail } => refused(*status, detail, text),
        Line::Stale => "This text was first sent more than 24 hours ago and may be saved already. Save it again only if you want a new paste.".into(),
        Line::Settled { link: Some(_) } => "This text was saved in another tab. ".into(),
        Line::Settled { link: None } => "This text was saved, or given up, in another tab. What was saved is in the list: ".into(),
    };
    [saved, &words].concat()
}

/// What to say of saves that wait until the one before them is resolved.
pub(super) fn in_line(saves: usize) -> String {
    if saves == 0 {
        return String::new();
    }
    [" Texts taken that wait for it: ", &saves.to_string(), "."].concat()
}

/// What to say of a save that only the page's memory has.
pub(super) const fn only_here(kept: Kept) -> &'static str {
    match kept {
        Kept::Full => {
            " This browser's storage has no room for it: a reload before it is saved would lose the save."
        }
        Kept::Emptied => {
            " This browser's storage was emptied: a reload before it is saved would lose the save."
        }
        _ => " This browser's storage is blocked: a reload before it is saved would lose the save.",
    }
}

/// What to say of a result that is shown on the form page.
pub(super) const fn saved_here(kept: Kept) -> &'static str {
    match kept {
        Kept::Stored => SAVED,
        Kept::Full => {
            "Saved. This browser's storage has no room for it, so only this page shows the token: a reload loses it."
        }
        Kept::Emptied => {
            "Saved. This browser's storage was emptied, so only this page shows the token: a reload loses it."
        }
        Kept::Blocked => {
            "Saved. This browser's storage is blocked, so only this page shows the token: a reload loses it."
        }
        Kept::Gone => {
            "Saved. Another tab has dealt with it, so only this page shows the token: a reload loses it."
        }
    }
}

/// How a save of an earlier page stands. When there are several, the line speaks of the last in this order: first comes
/// what waits for the person.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Earlier {
    /// Saved, and its result not yet seen.
    Saved,
    /// Being saved.
    Saving,
    /// Refused; the text waits for the person.
    Open,
    /// Too old to be sent; the person decides.
    Old,
}

/// What to say of a save of an earlier page.
pub(super) const fn earlier(how: Earlier) -> &'static str {
    match how {
        Earlier::Saving => "A text from earlier is still being saved. ",
        Earlier::Saved => "A text from earlier is saved now, too. ",
        Earlier::Open => "A text from earlier could not be saved and waits for you. ",
        Earlier::Old => {
            "A text was first sent more than 24 hours ago, may be saved already, and waits for you. "
        }
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
        Line::Settled { .. } => "settled",
    }
}

/// What to say of a text over the limit.
pub(super) fn too_large(bytes: u64, bytes_max: u64) -> String {
    over("This text is ", bytes, bytes_max, " Shorten it to save it.")
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

/// Above this a time of day is told, since nobody counts so many seconds.
const SECONDS_TOLD: u64 = 60;

fn retrying(why: Why, is_fetching: bool, delay_ms: u64, time_in: impl Fn(u64) -> String) -> String {
    let reason = match why {
        Why::Timeout => "No answer yet.",
        Why::Network => "The server cannot be reached.",
        Why::Status(429) => "The server asks for a pause.",
        Why::Status(_) if is_fetching => "The server cannot send it just now.",
        Why::Status(_) => "The server cannot save it just now.",
    };
    let seconds = delay_ms.div_ceil(1_000).max(1);
    let unit = if seconds == 1 { " second" } else { " seconds" };
    let when = if seconds > SECONDS_TOLD {
        ["at ", &time_in(delay_ms)].concat()
    } else {
        ["in ", &seconds.to_string(), unit].concat()
    };
    [reason, " Trying again ", &when, "; nothing is saved twice."].concat()
}

fn refused(status: u16, detail: &str, text: &str) -> String {
    if !detail.is_empty() {
        return [detail, text].concat();
    }
    let status = status.to_string();
    ["The server did not take it (status ", &status, ").", text].concat()
}

#[cfg(test)]
mod tests;
