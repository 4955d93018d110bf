//! The deadlines of the HTTP side that no flag sets (architecture.md, deadlines).

use std::time::Duration;

/// How long clients may take. The defaults are the design's; tests shorten them to see them pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadlines {
    /// From the first byte of a request, or the end of the last answer, to the end of its headers.
    pub request_header: Duration,
    /// For a body, beside its allowance by size.
    pub request_body: Duration,
    /// More for each 64 KiB of a body that have arrived.
    pub request_body_each_64_kib: Duration,
    /// For reading on after an early answer.
    pub discard: Duration,
    /// From an answer's headers to its last byte.
    pub response: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            request_header: Duration::from_secs(10),
            request_body: Duration::from_secs(30),
            request_body_each_64_kib: Duration::from_secs(1),
            discard: Duration::from_secs(10),
            response: Duration::from_secs(60),
        }
    }
}
