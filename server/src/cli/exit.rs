//! How a command ends, for scripts and for people.

use std::process::ExitCode;

/// What an exit code says. Zero is success.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Exit {
    /// Not done, and nothing is left open: a final no, or a file that cannot be read or written.
    Refused = 1,
    /// The command line is wrong.
    Usage = 2,
    /// Open: done or not, nobody knows yet.
    Open = 3,
}

/// Why a command did not do what was asked: one line for the person, a code for the script.
#[derive(Debug)]
pub(super) struct Failed {
    pub(super) exit: Exit,
    pub(super) line: String,
}

impl Failed {
    pub(super) fn refused(line: impl Into<String>) -> Self {
        Self {
            exit: Exit::Refused,
            line: line.into(),
        }
    }

    pub(super) fn usage(line: impl Into<String>) -> Self {
        Self {
            exit: Exit::Usage,
            line: line.into(),
        }
    }

    pub(super) fn open(line: impl Into<String>) -> Self {
        Self {
            exit: Exit::Open,
            line: line.into(),
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
