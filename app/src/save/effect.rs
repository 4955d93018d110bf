//! What the driver of the machine must do.

use super::entry::{Entry, Link};
use super::event::{Attempt, Kept};
use super::key::Key;
use crate::wire::created::Created;
use crate::wire::paste::CreateRequest;
use std::sync::Arc;

/// Something to do, in the order given, before the next event is fed in.
#[derive(Clone, Debug)]
pub enum SaveEffect {
    /// Forget the draft, if it is of this text: it is stored as an entry now, or saved.
    DropDraft(Arc<CreateRequest>),
    /// Write the entry and answer with [`super::Happening::Store`] or [`super::Happening::Known`].
    Store(Entry, Write),
    /// Remove the entry of this key.
    Remove(Key),
    /// Replace the entry by what may be kept after 24 hours: the link, without key, text and token.
    Reduce(Key, Link),
    /// Send the request with its key; answer with `Replied`, or `Unanswered` after `timeout_ms` at the latest.
    Send {
        /// Which attempt to name in the answer.
        attempt: Attempt,
        /// What to send: the same bytes in every attempt of a key.
        request: Arc<CreateRequest>,
        /// Milliseconds until the attempt is given up.
        timeout_ms: u64,
    },
    /// Give the attempt up. It may have reached the server.
    Abort(Attempt),
    /// Answer with [`super::Happening::Timer`] in `delay_ms`. A timer set before is not needed any more.
    Wait {
        /// The number to answer with.
        timer: u32,
        /// Milliseconds, at most [`super::DELAY_MS_MAX`].
        delay_ms: u64,
    },
    /// Put the paste on the person's list, without its text and its token, unless it is there. By the machine that
    /// learns first that the save has its 201.
    List(Created, Arc<CreateRequest>),
    /// A save has its 201.
    Succeeded {
        /// The save's key.
        key: Key,
        /// The stored 201, delete token included.
        created: Created,
        /// What was sent.
        request: Arc<CreateRequest>,
        /// Whether it must be shown now, by whoever drives the machine, since storage does not hold it or a result before
        /// it; and what storage said of this one.
        show_here: Option<Kept>,
    },
    /// Every save has its 201 and is in storage: results can be shown from there.
    ResultsReady,
}

/// How an entry is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// Whatever stands there.
    New,
    /// Only over an entry that is still there, and that knows no more (`Outcome::yields_to`): what was settled elsewhere
    /// must not come back.
    Update,
}
