//! Standard error: sentences, and a bar for what takes long, on a terminal only.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write, stderr};

/// A text from which sending it is shown: 1 MiB.
const LARGE_BYTES: u64 = 1 << 20;

/// What the person sees of a save under way.
#[derive(Debug)]
pub(super) struct Screen {
    bar: ProgressBar,
}

impl Screen {
    /// Sentences alone.
    pub(super) fn plain() -> Self {
        Self {
            bar: ProgressBar::hidden(),
        }
    }

    /// With a bar, if this text is large and there is somebody to look.
    pub(super) fn for_text(bytes: u64) -> Self {
        if bytes < LARGE_BYTES || !stderr().is_terminal() {
            return Self::plain();
        }
        let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{bar:30} {bytes} of {total_bytes} sent");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar }
    }

    /// One sentence on a line of its own.
    pub(super) fn say(&self, sentence: &str) {
        // Where standard error is closed, nobody wants to know.
        let write = || writeln!(stderr(), "oncebin: {sentence}").ok();
        self.bar.suspend(write);
    }

    /// The bar, which counts the bytes of one attempt.
    pub(super) fn bar(&self) -> &ProgressBar {
        &self.bar
    }

    /// Takes the bar away.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
