//! A wall clock of the real binary that a test turns, by Debian's libfaketime.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

/// The clock of the processes that are started on it. Their monotonic clock and the times of files stay true.
#[derive(Debug)]
pub(crate) struct TurnedClock {
    folder: TempDir,
}

impl TurnedClock {
    pub(crate) fn true_time() -> Self {
        let clock = Self {
            folder: TempDir::new().unwrap(),
        };
        clock.set_ahead(Duration::ZERO);
        clock
    }

    /// So far ahead of the machine's, from now on.
    pub(crate) fn set_ahead(&self, span: Duration) {
        let next = self.folder.path().join("next");
        fs::write(&next, format!("+{}", span.as_secs())).unwrap();
        fs::rename(next, self.file()).unwrap();
    }

    pub(super) fn variables(&self) -> [(&'static str, String); 5] {
        [
            ("LD_PRELOAD", library().display().to_string()),
            ("FAKETIME_TIMESTAMP_FILE", self.file().display().to_string()),
            ("FAKETIME_NO_CACHE", "1".into()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".into()),
            ("NO_FAKE_STAT", "1".into()),
        ]
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("ahead")
    }
}

/// Below the name of the machine's architecture.
fn library() -> PathBuf {
    let places = fs::read_dir("/usr/lib").unwrap().flatten();
    places
        .map(|place| place.path().join("faketime/libfaketimeMT.so.1"))
        .find(|library| library.exists())
        .expect("Debian's package faketime")
}
