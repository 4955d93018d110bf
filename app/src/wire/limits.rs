//! Bounds that clients and server agree on. What an operator may set is a default here.

/// Default for the most bytes of content a paste may have: 10 MiB.
pub const DEFAULT_PASTE_BYTES_MAX: u64 = 10 * 1024 * 1024;

/// The largest limit an operator may set, and so the largest content any stored paste can have: 64 MiB.
///
/// A replay is judged before limits are applied, so this, not the limit in force, bounds its body.
pub const PASTE_BYTES_CEILING: u64 = 64 * 1024 * 1024;

/// The most characters (Unicode scalar values) of a title.
pub const TITLE_CHARS_MAX: usize = 200;

/// The shortest life of a paste, in seconds.
pub const EXPIRY_SECONDS_MIN: u64 = 60;

/// Default life of a paste, in seconds: 30 days.
pub const DEFAULT_EXPIRY_SECONDS: u64 = 30 * 24 * 60 * 60;

/// Default for the longest life of a paste, in seconds: 365 days.
pub const DEFAULT_EXPIRY_SECONDS_MAX: u64 = 365 * 24 * 60 * 60;

/// How long the server remembers a committed save, in seconds: 25 hours.
pub const IDEMPOTENCY_SECONDS: u64 = 25 * 60 * 60;

/// How long a client may send a save again, in seconds: 24 hours, an hour less than the server remembers.
pub const RETRY_SECONDS: u64 = 24 * 60 * 60;

/// The most bytes of a JSON create body for a content limit: every byte may be a six-byte escape (`\u0000`),
/// and 64 KiB are left for the other members.
#[must_use]
pub const fn json_bytes_max(paste_bytes_max: u64) -> u64 {
    6 * paste_bytes_max + 64 * 1024
}
