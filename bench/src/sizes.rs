//! How long and how much is measured.

use std::time::Duration;

use crate::load::{Schedule, Span};

/// Connections of the closed loops.
pub(crate) const CONNECTIONS: [usize; 4] = [1, 8, 32, 64];

/// Bounds of every part of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// Each closed loop.
    pub(crate) closed: Span,
    /// Creates at a fixed rate.
    pub(crate) open: Schedule,
    /// Creates at a fixed rate in each round beside a sweep, or without one.
    pub(crate) sweep: Schedule,
    /// First views of large JavaScript at a fixed rate.
    pub(crate) javascript: Schedule,
    /// First views of Rust at each number of connections.
    pub(crate) first_views: usize,
    /// Creates in all, after which memory is read; and the longest it may take to come to them.
    pub(crate) creates: usize,
    pub(crate) creates_within: Duration,
    /// Each limit of the machine, before and after the scenarios.
    pub(crate) limit: Duration,
    /// Starts on a folder that is there.
    pub(crate) starts: usize,
}

impl Sizes {
    /// About seven minutes.
    pub(crate) const FULL: Self = Self {
        closed: Span {
            warm_up: Duration::from_secs(1),
            counted: Duration::from_secs(5),
        },
        open: Schedule {
            per_second: 350,
            seconds: 20,
        },
        sweep: Schedule {
            per_second: 350,
            seconds: 10,
        },
        javascript: Schedule {
            per_second: 16,
            seconds: 4,
        },
        first_views: 256,
        creates: 100_000,
        creates_within: Duration::from_secs(150),
        limit: Duration::from_secs(4),
        starts: 7,
    };

    /// Half a minute: shows that everything works, and orders of magnitude.
    pub(crate) const QUICK: Self = Self {
        closed: Span {
            warm_up: Duration::from_millis(100),
            counted: Duration::from_millis(500),
        },
        open: Schedule {
            per_second: 350,
            seconds: 2,
        },
        sweep: Schedule {
            per_second: 350,
            seconds: 1,
        },
        javascript: Schedule {
            per_second: 8,
            seconds: 1,
        },
        first_views: 64,
        creates: 2_000,
        creates_within: Duration::from_secs(3),
        limit: Duration::from_millis(500),
        starts: 3,
    };
}
