//! How saves ended.

use super::register::Register;
use app::wire::problem::Code;
use prometheus::IntCounterVec;

const NEW: &str = "new";
const REPLAY: &str = "replay";
const LOST_RACE: &str = "lost_race";

/// Why a create looked its key up again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// Somebody else has the key, or by chance the id.
    Taken,
    /// Nobody knows whether its commit happened, or another transaction stood in the way.
    Unsettled,
}

impl Retry {
    const fn label(self) -> &'static str {
        match self {
            Self::Taken => "taken",
            Self::Unsettled => "unsettled",
        }
    }
}

/// Counts saves. Clones count together.
#[derive(Clone, Debug)]
pub struct CreateMetrics {
    results: IntCounterVec,
    retries: IntCounterVec,
}

impl CreateMetrics {
    pub(super) fn new(register: Register<'_>) -> prometheus::Result<Self> {
        let results = register.counters(
            "oncebin_creates_total",
            "Saves by result: new, replay (the stored 201), lost_race (wrote its text, then found its key committed), or the \
             code of the problem.",
            &["result"],
        )?;
        let codes = Code::ALL.map(Code::as_str);
        for result in [NEW, REPLAY, LOST_RACE].into_iter().chain(codes) {
            results.with_label_values(&[result]);
        }
        let retries = register.counters(
            "oncebin_create_retries_total",
            "Creates that looked their key up again: it was taken, or the outcome was open.",
            &["cause"],
        )?;
        for cause in [Retry::Taken, Retry::Unsettled] {
            retries.with_label_values(&[cause.label()]);
        }
        Ok(Self { results, retries })
    }

    /// A paste was made.
    pub fn new_paste(&self) {
        self.results.with_label_values(&[NEW]).inc();
    }

    /// The stored 201 was found; after the text was written, a twin committed first, or it was this one's own commit.
    pub fn replayed(&self, after_writing: bool) {
        let result = if after_writing { LOST_RACE } else { REPLAY };
        self.results.with_label_values(&[result]).inc();
    }

    /// A save ended with a problem.
    pub fn refused(&self, code: Code) {
        self.results.with_label_values(&[code.as_str()]).inc();
    }

    /// A create looked its key up again.
    pub fn retried(&self, cause: Retry) {
        self.retries.with_label_values(&[cause.label()]).inc();
    }
}
