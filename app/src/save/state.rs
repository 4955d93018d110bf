//! Where a machine stands.

use super::entry::{Entry, Outcome};
use super::event::{Attempt, Kept};
use super::key::Key;
use super::line::Why;
use crate::wire::created::Created;
use crate::wire::paste::CreateRequest;
use std::sync::Arc;

/// Where the machine stands. `Default` is the start: nothing to save.
#[derive(Clone, Debug, Default)]
pub struct SaveState {
    /// The save that is driven, or the last one that was.
    pub(super) current: Option<Save>,
    /// Saves pressed while another was unresolved, oldest first.
    pub(super) queue: Vec<Save>,
    /// Attempts ever begun.
    pub(super) attempts: u32,
    /// Timers ever set.
    pub(super) timers: u32,
    /// Whether the network is said to be gone.
    pub(super) offline: bool,
    /// Whether a result was shown that storage does not hold: then nobody must be sent away.
    pub(super) shown_here: bool,
}

/// One save and how far it is.
#[derive(Clone, Debug)]
pub(super) struct Save {
    pub(super) entry: Entry,
    pub(super) phase: Phase,
    /// Where the save came from, which decides whether it may be dropped or replaced.
    pub(super) source: Source,
    /// The last answer of storage; none before the first.
    pub(super) kept: Option<Kept>,
    /// Attempts that ended without a final answer.
    pub(super) failures: u32,
}

/// Where a save came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Source {
    /// Pressed here: it goes on from memory when storage loses it.
    pub(super) pressed: bool,
    /// The person has its text before them: the next press replaces it.
    pub(super) in_editor: bool,
}

/// How far a save is.
#[derive(Clone, Debug)]
pub(super) enum Phase {
    /// Waits for earlier saves.
    Queued,
    /// The entry is being written; the attempt comes after.
    Storing,
    /// The attempt with this number is under way, until the entry is `due_age_ms` old.
    Sending { number: u32, due_age_ms: u64 },
    /// The timer with this number runs.
    Waiting { timer: u32, delay_ms: u64, why: Why },
    /// The 201 is here and its link is being written. `is_news`: no other tab is known to have had it before.
    Recording { created: Created, is_news: bool },
    /// Done.
    Saved,
    /// Ended by a final no.
    Refused { status: u16, detail: String },
    /// Ended by its age, outcome unknown.
    Stale,
    /// Ended in another tab.
    Settled,
}

impl SaveState {
    /// Whether a save is under way: then nothing is lost by waiting, and a second press of the same text is ignored.
    #[must_use]
    pub fn is_unresolved(&self) -> bool {
        self.current.as_ref().is_some_and(Save::is_unresolved)
    }

    /// Whether this text is in storage as a save, or saved.
    #[must_use]
    pub fn holds(&self, request: &CreateRequest) -> bool {
        let mut saves = self.current.iter().chain(&self.queue);
        saves.any(|save| {
            let is_safe = save.is_in_storage() || matches!(save.phase, Phase::Saved);
            is_safe && save.has_text(request)
        })
    }

    /// Every save, the current one first.
    pub(super) fn saves_mut(&mut self) -> impl Iterator<Item = &mut Save> {
        self.current.iter_mut().chain(&mut self.queue)
    }

    /// The save with this key.
    pub(super) fn of_key(&mut self, key: Key) -> Option<&mut Save> {
        self.saves_mut().find(|save| save.entry.key == key)
    }

    /// The key of the save that is driven, or of the last one that was.
    #[must_use]
    pub fn key(&self) -> Option<Key> {
        self.current.as_ref().map(|save| save.entry.key)
    }

    /// Its text.
    #[must_use]
    pub fn request(&self) -> Option<&Arc<CreateRequest>> {
        self.current.as_ref().map(|save| &save.entry.request)
    }

    /// The save a press would repeat: the newest that has not failed.
    pub(super) fn newest(&self) -> Option<&Save> {
        let current = || self.current.as_ref().filter(|save| !save.has_failed());
        self.queue.last().or_else(current)
    }
}

impl Save {
    pub(super) fn new(entry: Entry, source: Source) -> Self {
        Self {
            entry,
            phase: Phase::Queued,
            source,
            kept: None,
            failures: 0,
        }
    }

    pub(super) fn is_unresolved(&self) -> bool {
        !self.has_failed() && !matches!(self.phase, Phase::Saved)
    }

    pub(super) fn has_failed(&self) -> bool {
        matches!(
            self.phase,
            Phase::Refused { .. } | Phase::Stale | Phase::Settled
        )
    }

    pub(super) fn has_text(&self, request: &CreateRequest) -> bool {
        *self.entry.request == *request
    }

    /// The attempt under way.
    pub(super) fn in_flight(&self) -> Option<Attempt> {
        match self.phase {
            Phase::Sending { number, .. } => Some(Attempt {
                key: self.entry.key,
                number,
            }),
            _ => None,
        }
    }

    /// Whether storage holds it, as far as is known: one that was found is there until storage says otherwise.
    pub(super) fn is_in_storage(&self) -> bool {
        match self.kept {
            Some(kept) => kept == Kept::Stored,
            None => !self.source.pressed,
        }
    }

    /// Whether its existence is known from an earlier 201.
    pub(super) fn is_replay(&self) -> bool {
        matches!(self.entry.outcome, Outcome::Saved(_))
    }
}
