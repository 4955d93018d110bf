//! What to tell the person: one calm line.

use super::entry::{Link, Outcome};
use super::event::{Kept, Unanswered};
use super::state::{Phase, SaveState};

/// What to tell the person. Words are the host's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Nothing to say.
    Idle,
    /// The save is under way.
    Saving,
    /// The next attempt comes in `delay_ms`.
    Retrying {
        /// Why the last attempt did not do.
        why: Why,
        /// Milliseconds from the last attempt's end.
        delay_ms: u64,
    },
    /// The network is gone; the save goes on when it is back.
    Offline,
    /// Saved.
    Saved,
    /// A final no.
    Refused {
        /// The HTTP status.
        status: u16,
        /// The server's sentence, or empty.
        detail: String,
    },
    /// First sent more than 24 hours ago, outcome unknown: the person decides.
    Stale,
    /// Ended in another tab, where it was saved or given up.
    Settled {
        /// Where it is, if that is known.
        link: Option<Link>,
    },
}

/// Why another attempt is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The attempt had no answer in time.
    Timeout,
    /// The connection failed or broke.
    Network,
    /// The server answered that it cannot just now.
    Status(u16),
}

impl From<Unanswered> for Why {
    fn from(unanswered: Unanswered) -> Self {
        match unanswered {
            Unanswered::Timeout => Self::Timeout,
            Unanswered::Network => Self::Network,
        }
    }
}

impl SaveState {
    /// What to tell the person now.
    #[must_use]
    pub fn line(&self) -> Line {
        let Some(save) = &self.current else {
            return Line::Idle;
        };
        match &save.phase {
            Phase::Saved => Line::Saved,
            Phase::Refused { status, detail } => Line::Refused {
                status: *status,
                detail: detail.clone(),
            },
            Phase::Stale => Line::Stale,
            Phase::Settled => Line::Settled {
                link: match &save.entry.outcome {
                    Outcome::Saved(link) => Some(link.clone()),
                    _ => None,
                },
            },
            Phase::Recording { .. } => Line::Saving,
            _ if self.offline => Line::Offline,
            Phase::Waiting { why, delay_ms, .. } => Line::Retrying {
                why: *why,
                delay_ms: *delay_ms,
            },
            Phase::Queued | Phase::Storing | Phase::Sending { .. } => Line::Saving,
        }
    }

    /// How many saves wait for this one to be resolved.
    #[must_use]
    pub fn in_line(&self) -> usize {
        self.queue.len()
    }

    /// Whether the save is known to exist already, and only its result is still to be fetched.
    #[must_use]
    pub fn is_fetching(&self) -> bool {
        let current = self.current.as_ref();
        current.is_some_and(|save| {
            let is_over = matches!(
                save.phase,
                Phase::Recording { .. } | Phase::Saved | Phase::Settled
            );
            save.is_replay() && !is_over
        })
    }

    /// Whether an unresolved save would be lost with this machine, because storage does not hold it.
    #[must_use]
    pub fn is_only_here(&self) -> bool {
        self.why_only_here().is_some()
    }

    /// What storage said of such a save.
    #[must_use]
    pub fn why_only_here(&self) -> Option<Kept> {
        let mut saves = self.current.iter().chain(&self.queue);
        saves.find_map(|save| {
            let lost = |kept: &Kept| matches!(kept, Kept::Full | Kept::Blocked | Kept::Emptied);
            save.kept.filter(lost).filter(|_| save.is_unresolved())
        })
    }
}
