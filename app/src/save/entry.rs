//! A save as it is remembered: its key, its text and what is known of it.

use super::key::Key;
use crate::wire::created::Created;
use crate::wire::limits::RETRY_SECONDS;
use crate::wire::paste::CreateRequest;
use std::sync::Arc;

/// How old a save may be when it is sent again: 24 hours.
pub(super) const AGE_MS_MAX: u64 = RETRY_SECONDS * 1_000;

/// How far a clock may lie before the last time seen and still count as the same clock, corrected: 5 minutes.
const CORRECTION_MS: u64 = 300_000;

/// One save: its key, its exact text and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The save's key. A secret.
    pub key: Key,
    /// The exact text with title, syntax and expiry.
    pub request: Arc<CreateRequest>,
    /// Milliseconds from before the first attempt until `seen_ms`, as far as clocks told.
    pub age_ms: u64,
    /// When `age_ms` was taken: milliseconds since the Unix epoch.
    pub seen_ms: u64,
    /// What is known of it.
    pub outcome: Outcome,
    /// Whether its link was on the page once, since it was saved.
    pub is_shown: bool,
}

/// What is known of a stored save.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No answer yet: it may or may not exist.
    Pending,
    /// It exists. The delete token is not stored; sending again brings it.
    Saved(Link),
    /// The server said no, for good.
    Refused {
        /// The HTTP status.
        status: u16,
        /// The server's sentence, or empty.
        detail: String,
    },
}

/// What may be kept of a save without its secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The paste's id.
    pub id: String,
    /// Where people read it.
    pub url: String,
    /// RFC 3339 UTC.
    pub expires_at: String,
}

/// What can be done with a stored save now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Send it again until it is answered.
    Resume,
    /// It exists; sending it again brings link and token.
    Replay,
    /// It exists, but may not be sent any more: only the link is left.
    Reduce(Link),
    /// It may exist and may not be sent any more: the person decides.
    Stale,
    /// The server said no; the person decides.
    Refused,
    /// The server said no, more than 24 hours ago: key and text go.
    Over,
}

impl Outcome {
    /// Whether `stored`, which another tab may have written, says as much as this or more: then it stays.
    #[must_use]
    pub const fn yields_to(&self, stored: &Self) -> bool {
        stored.rank() > 0 && stored.rank() >= self.rank()
    }

    /// How much it says. A paste that exists exists, whatever another attempt was told.
    const fn rank(&self) -> u8 {
        match self {
            Self::Pending => 0,
            Self::Refused { .. } => 1,
            Self::Saved(_) => 2,
        }
    }
}

impl Link {
    /// The part of a 201 that is no secret.
    #[must_use]
    pub fn of(created: &Created) -> Self {
        Self {
            id: created.id.clone(),
            url: created.url.clone(),
            expires_at: created.expires_at.clone(),
        }
    }
}

impl Entry {
    /// A save whose first attempt is about to be made.
    #[must_use]
    pub fn new(key: Key, request: Arc<CreateRequest>, now_ms: u64) -> Self {
        Self {
            key,
            request,
            age_ms: 0,
            seen_ms: now_ms,
            outcome: Outcome::Pending,
            is_shown: false,
        }
    }

    /// Lets time pass. A clock that goes back adds nothing and takes nothing away.
    pub(super) fn grow_older(&mut self, now_ms: u64) {
        let passed_ms = now_ms.saturating_sub(self.seen_ms);
        self.age_ms = self.age_ms.saturating_add(passed_ms);
        self.seen_ms = now_ms;
    }

    /// Counts the time while nobody looked.
    pub(super) fn wake_up(&mut self, now_ms: u64) {
        self.age_ms = self.age_ms_at(now_ms);
        self.seen_ms = now_ms;
    }

    /// Its age now. With a clock that was set back meanwhile it cannot be told: then it is too old.
    fn age_ms_at(&self, now_ms: u64) -> u64 {
        if now_ms.saturating_add(CORRECTION_MS) < self.seen_ms {
            return self.age_ms.max(AGE_MS_MAX);
        }
        let passed_ms = now_ms.saturating_sub(self.seen_ms);
        self.age_ms.saturating_add(passed_ms)
    }

    /// Whether it may not be sent any more.
    pub(super) fn is_too_old(&self) -> bool {
        self.age_ms >= AGE_MS_MAX
    }

    /// Whether it is saved and nobody can have seen that.
    #[must_use]
    pub const fn is_unseen(&self) -> bool {
        matches!(self.outcome, Outcome::Saved(_)) && !self.is_shown
    }

    /// What can be done with it now.
    #[must_use]
    pub fn standing(&self, now_ms: u64) -> Standing {
        let too_old = self.age_ms_at(now_ms) >= AGE_MS_MAX;
        match (&self.outcome, too_old) {
            (Outcome::Refused { .. }, false) => Standing::Refused,
            (Outcome::Refused { .. }, true) => Standing::Over,
            (Outcome::Pending, false) => Standing::Resume,
            (Outcome::Pending, true) => Standing::Stale,
            (Outcome::Saved(_), false) => Standing::Replay,
            (Outcome::Saved(link), true) => Standing::Reduce(link.clone()),
        }
    }
}
