//! The save machine: one press of Save becomes one paste, whatever the network, the storage and the clock do.
//!
//! [`step`] is pure. It takes a state and an event and returns the next state and the effects to carry out; the answers
//! to effects come back as events. Nothing here knows a browser, reads a clock or draws random numbers, so a page and a
//! command line drive the same machine.
//!
//! ```text
//!              Press            storage answered
//!     idle ───────────▶ Storing ─────────────────────────▶ Sending ──▶ Recording ──▶ Saved
//!                          ▲                                │  │ 4xx
//!                          │  timer, online, foreground     │  └─────▶ Refused
//!                          └─────────── Waiting ◀───────────┘
//!                                          │ 24 hours        no answer, 408, 425, 429, 5xx
//!                                          └─────▶ Stale
//!
//!     Storing, Waiting ── settled in another tab ──▶ Settled
//! ```

mod attempt;
mod backoff;
mod classify;
mod effect;
mod entry;
mod event;
mod json;
mod json_reader;
mod key;
mod line;
mod outcome;
mod press;
mod record;
mod retry_after;
mod state;
mod step;

pub use backoff::{ATTEMPT_MS_MIN, BACKOFF_MS_MAX, DELAY_MS_MAX, RETRY_AFTER_MS_MAX};
pub use effect::{SaveEffect, Write};
pub use entry::{Entry, Link, Outcome, Standing};
pub use event::{Attempt, Happening, Kept, Reply, SaveEvent, Unanswered};
pub use key::{Key, NotAKey};
pub use line::{Line, Why};
pub use record::Record;
pub use retry_after::{http_date_ms, retry_after_seconds};
pub use state::SaveState;
pub use step::step;

#[cfg(test)]
mod tests;
