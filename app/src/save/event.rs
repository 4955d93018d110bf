//! What happens to a save.

use super::entry::{Entry, Outcome};
use super::key::Key;
use crate::wire::paste::CreateRequest;
use std::fmt;
use std::sync::Arc;

/// Something that happened, with the time and the luck of the moment.
#[derive(Clone, Debug)]
pub struct SaveEvent {
    /// Milliseconds since the Unix epoch by the client's clock, which may jump.
    pub now_ms: u64,
    /// A fresh random fraction of 2^32, for the jitter.
    pub random: u32,
    /// What happened.
    pub what: Happening,
}

/// What happened.
#[derive(Clone, Debug)]
pub enum Happening {
    /// The person wants this text saved. `key` is fresh, made for this press.
    Press {
        /// The key of the new save, should the press start one.
        key: Key,
        /// The exact text with title, syntax and expiry.
        request: Arc<CreateRequest>,
    },
    /// An entry was found in storage. `in_editor` says that the person has its text before them.
    Found {
        /// The entry as it was stored.
        entry: Entry,
        /// Whether the editor holds this text, so that the next press replaces it.
        in_editor: bool,
    },
    /// The answer to [`super::SaveEffect::Store`].
    Store(Key, Kept),
    /// Storage knows how the save of this key ended, and was left as it is: another tab was there first. It answers
    /// [`super::SaveEffect::Store`], and may come at any time.
    Known(Key, Outcome),
    /// An attempt was answered, this one or an earlier one that had been given up.
    Replied(Attempt, Reply),
    /// An attempt ended without an answer: its outcome is unknown.
    Unanswered(Attempt, Unanswered),
    /// The timer of [`super::SaveEffect::Wait`] with this number went off.
    Timer(u32),
    /// The network is said to be gone.
    Offline,
    /// The network is said to be back.
    Online,
    /// The person looks again, perhaps after a long sleep of the machine.
    Foreground,
    /// The person came back to the editor after the results had been shown.
    Returned,
    /// The person has what they need, or gives this save up: key and text go.
    Forget(Key),
}

/// What became of writing an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The entry is in storage.
    Stored,
    /// There is no room for it. What was there before is still there.
    Full,
    /// Storage can be neither written nor read.
    Blocked,
    /// There was no entry left to update: it was settled in another tab.
    Gone,
    /// There was no entry left to update, since storage was emptied as a whole.
    Emptied,
}

/// One attempt of one save. Numbers are never used twice by one machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Attempt {
    /// The save's key.
    pub key: Key,
    /// Which attempt of this machine, over all saves.
    pub number: u32,
}

/// An answer to an attempt.
#[derive(Clone, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// `Retry-After` as [`super::retry_after_seconds`] reads it.
    pub retry_after_seconds: Option<u64>,
    /// The body, which after a 201 holds the delete token.
    pub body: String,
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply")
            .field("status", &self.status)
            .field("retry_after_seconds", &self.retry_after_seconds)
            .finish_non_exhaustive()
    }
}

/// Why an attempt has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// Its time was up.
    Timeout,
    /// The connection failed or broke.
    Network,
}
