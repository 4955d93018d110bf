//! A text that waits for colours or is getting them, and how much work it may be.

use super::classes::Classes;
use super::cpu_time::Stopwatch;
use super::grammars::Grammars;
use super::highlighter::Subject;
use super::painting::{Painting, Stuck};
use app::text::{ColourWriter, Colours};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// How long a job goes on before others are looked at.
const SLICE: Duration = Duration::from_millis(10);

/// What highlighting may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budgets {
    /// How long a view waits for colours. Work beyond this goes behind that of other texts.
    pub at_once: Duration,
    /// Bytes of text that may be done in that time; a view of more does not wait.
    pub at_once_bytes: usize,
    /// CPU time for one text. Its colours end where this does.
    pub in_all: Duration,
    /// Texts that are waiting or under way.
    pub queue: usize,
    /// Bytes of text that are waiting or under way.
    pub queue_bytes: usize,
}

impl Default for Budgets {
    fn default() -> Self {
        Self {
            at_once: Duration::from_millis(100),
            at_once_bytes: 32 * 1024,
            in_all: Duration::from_secs(2),
            queue: 32,
            queue_bytes: 8 * 1024 * 1024,
        }
    }
}

/// A text that waits for colours.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) subject: Subject,
    pub(super) grammar: &'static str,
    pub(super) text: String,
}

/// A text that is getting colours. It stays on its thread.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) subject: Subject,
    /// Bytes of the text.
    pub(super) bytes: usize,
    pub(super) worked: Duration,
    grammar: &'static str,
    painting: Option<Painting>,
}

/// How a slice of work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// There is more to do.
    GoesOn,
    /// Everything has its colours.
    Whole,
    /// The rest will have none.
    Failed,
}

impl Started {
    pub(super) fn new(job: Job, grammars: &Grammars) -> Self {
        let bytes = job.text.len();
        let grammar = grammars.find(job.grammar);
        Self {
            painting: grammar.map(|grammar| Painting::new(job.text, grammar)),
            subject: job.subject,
            grammar: job.grammar,
            bytes,
            worked: Duration::ZERO,
        }
    }

    /// Works for one slice, at least one line. A panic of the parser costs this text its colours and nothing else.
    pub(super) fn work(&mut self, grammars: &Grammars, classes: &mut Classes) -> Step {
        let watch = Stopwatch::start();
        let slice = || self.slice(&watch, grammars, classes);
        let step = catch_unwind(AssertUnwindSafe(slice));
        self.worked += watch.worked();
        match step {
            Ok(Ok(true)) => Step::GoesOn,
            Ok(Ok(false)) => Step::Whole,
            Ok(Err(Stuck)) => Step::Failed,
            Err(_) => {
                tracing::error!(grammar = self.grammar, "highlighting a text panicked");
                Step::Failed
            }
        }
    }

    /// Whether lines are left after the slice.
    fn slice(
        &mut self,
        watch: &Stopwatch,
        grammars: &Grammars,
        classes: &mut Classes,
    ) -> Result<bool, Stuck> {
        let painting = self.painting.as_mut().ok_or(Stuck)?;
        while painting.paint_line(&grammars.set, classes)? {
            if watch.passed() >= SLICE {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The colours worked out so far.
    pub(super) fn finish(self, whole: bool) -> Colours {
        match self.painting {
            Some(painting) => painting.finish(whole),
            None => ColourWriter::default().finish(whole),
        }
    }
}
