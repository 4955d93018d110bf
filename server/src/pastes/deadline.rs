//! How long a create may take.

use std::time::Duration;

/// How long a create may take beside the bucket's allowance for the size (architecture.md, deadlines).
pub const CREATE_DEADLINE: Duration = Duration::from_secs(30);

/// How long a create of so many bytes may take.
#[must_use]
pub const fn create_deadline(bytes: u64) -> Duration {
    CREATE_DEADLINE.saturating_add(allowance(bytes))
}

/// The bucket's: 1 s a MiB.
pub(super) const fn allowance(bytes: u64) -> Duration {
    Duration::from_secs(bytes.div_ceil(1024 * 1024))
}
