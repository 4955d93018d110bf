//! What `put` says while it saves, and how it ends.

use crate::config::BaseUrl;
use app::save::Why;
use std::path::Path;

pub(super) const RESUME: &str =
    "`oncebin put --resume` goes on with it, with the same key, within 24 hours";

/// A wait for the next attempt. `cause` is what the network said.
pub(super) fn waiting(why: Why, cause: Option<&str>, delay_ms: u64) -> String {
    let reason = match (why, cause) {
        (Why::Timeout, _) => "no answer yet".to_owned(),
        (Why::Network, Some(cause)) => format!("the server cannot be reached ({cause})"),
        (Why::Network, None) => "the server cannot be reached".to_owned(),
        (Why::Status(429), _) => "the server asks for a pause".to_owned(),
        (Why::Status(status @ 300..=399), _) => {
            format!("the server sends us elsewhere (status {status}), is its address right?")
        }
        (Why::Status(status), _) => {
            format!("the server cannot save it just now (status {status})")
        }
    };
    let seconds = delay_ms.div_ceil(1_000).max(1);
    format!("{reason}; trying again in {seconds} s, nothing is saved twice")
}

/// The save goes on without a copy on disk.
pub(super) fn only_in_memory(error: &str) -> String {
    format!("the save cannot be kept on disk ({error}): it could not be resumed")
}

/// A final no. Where saves go, an oncebin answers neither 404 nor 405: it is another service, or another path.
pub(super) fn refused(server: &BaseUrl, status: u16, detail: &str) -> String {
    if matches!(status, 404 | 405) {
        format!(
            "the server did not take it (status {status}): is {server} the address of an oncebin?"
        )
    } else if detail.is_empty() {
        format!("the server did not take it (status {status})")
    } else {
        detail.to_owned()
    }
}

/// Too old to be sent again.
pub(super) fn stale(text: &Path) -> String {
    format!(
        "a save was first sent more than 24 hours ago and may exist already; it is not sent again. Its text is in {0}: \
         `oncebin put {0}` makes a new paste of it",
        text.display()
    )
}

/// Stopped by the person. A save that is not on disk cannot go on.
pub(super) fn interrupted(is_kept: bool) -> String {
    if is_kept {
        format!("stopped: the text may be saved or not; {RESUME}")
    } else {
        "stopped: the text may be saved or not, and its key is gone; saving it again makes another paste".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_says_why_and_how_long() {
        for (why, cause, delay_ms, said) in [
            (Why::Timeout, None, 0, "no answer yet; trying again in 1 s"),
            (
                Why::Network,
                Some("refused"),
                1_001,
                "(refused); trying again in 2 s",
            ),
            (
                Why::Status(429),
                None,
                60_000,
                "asks for a pause; trying again in 60 s",
            ),
            (Why::Status(308), None, 1, "is its address right?"),
            (Why::Status(503), None, 1, "(status 503)"),
        ] {
            let line = waiting(why, cause, delay_ms);
            assert!(line.contains(said), "{line}");
        }
    }
}
