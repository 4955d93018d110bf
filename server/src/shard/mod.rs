//! Which shard owns which slot, and the way to its store.
//!
//! Nothing here knows SQL, HTTP or what a paste is.

mod admission;
mod guard;
mod map;
mod router;

pub use admission::{StartError, ranges};
pub use map::{MapError, SlotMap, even_split, parse_range};
pub use router::ShardRouter;

use app::wire::id::Slot;
use sha2::{Digest, Sha256};

/// The slot of an idempotency key: the first byte of SHA-256 over its 16 bytes.
#[must_use]
pub fn slot_of_key(key: &[u8; 16]) -> Slot {
    Slot::new(Sha256::digest(key)[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_golden_vector_of_the_contract() {
        let key = uuid::Uuid::parse_str("0190a5e4-7b1c-7abc-8def-0123456789ab").unwrap();
        assert_eq!(slot_of_key(key.as_bytes()).number(), 182);
    }
}
