//! The bytes of request bodies the server holds at once.
//!
//! A body that has been read is held until its save has ended, and a shard that hangs ends none. So the saves of one
//! shard hold half of it all at most, and the other shards' saves find room.

use app::wire::limits::json_bytes_max;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// All bodies together: 128 MiB. With what is being written, 50 uploads of 10 MiB at once stay below 400 MiB resident
/// (tested); past it clients are told to come back.
const ALL_BYTES_MIN: u64 = 128 * 1024 * 1024;

/// The account of bytes in flight. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct InFlight {
    kib: Arc<Semaphore>,
    kib_max: usize,
    /// What the saves of each shard may hold of it, in the order of the slot map.
    shares: Arc<[Arc<Semaphore>]>,
}

/// There is no room for more.
pub(super) struct NoRoom;

/// What one request has been charged; dropped, it is given back.
#[derive(Debug)]
pub(super) struct Charge {
    account: InFlight,
    permit: Option<OwnedSemaphorePermit>,
    bytes: u64,
    /// Of its shard's share.
    share: Option<OwnedSemaphorePermit>,
}

impl InFlight {
    /// An account in which one body of the longest kind always finds room: JSON of escapes, charged twice.
    pub(super) fn new(paste_bytes_max: u64, shards: usize) -> Self {
        let all = ALL_BYTES_MIN.max(2 * json_bytes_max(paste_bytes_max));
        let kib = usize::try_from(all / 1024).unwrap_or(Semaphore::MAX_PERMITS);
        let share = if shards > 1 { kib / 2 } else { kib };
        let shares = (0..shards).map(|_| Arc::new(Semaphore::new(share)));
        Self {
            kib: Arc::new(Semaphore::new(kib)),
            kib_max: kib,
            shares: shares.collect(),
        }
    }

    /// What is charged now, and what may be, in bytes.
    pub(super) fn figures(&self) -> (u64, u64) {
        let charged = self.kib_max.saturating_sub(self.kib.available_permits());
        (1024 * charged as u64, 1024 * self.kib_max as u64)
    }

    /// A charge of nothing yet.
    pub(super) fn open(&self) -> Charge {
        Charge {
            account: self.clone(),
            permit: None,
            bytes: 0,
            share: None,
        }
    }
}

impl Charge {
    /// Charges bytes as they arrive. It never waits: two half-read bodies waiting for each other would never end.
    pub(super) fn add(&mut self, bytes: u64) -> Result<(), NoRoom> {
        self.bytes += bytes;
        let more = kib(self.bytes).saturating_sub(self.held_kib());
        let more = u32::try_from(more).map_err(|_| NoRoom)?;
        if more == 0 {
            return Ok(());
        }
        let kib = Arc::clone(&self.account.kib);
        let permit = kib.try_acquire_many_owned(more).map_err(|_| NoRoom)?;
        match &mut self.permit {
            Some(held) => held.merge(permit),
            None => self.permit = Some(permit),
        }
        Ok(())
    }

    /// The body has been read. What is left of it, no more bytes than before, is charged to its shard, too.
    pub(super) fn hand_to(&mut self, shard: usize, bytes: u64) -> Result<(), NoRoom> {
        let left = kib(bytes).min(self.held_kib());
        let given_back = self.held_kib() - left;
        drop(self.permit.as_mut().and_then(|held| held.split(given_back)));
        let share = self.account.shares.get(shard).ok_or(NoRoom)?;
        let left = u32::try_from(left).map_err(|_| NoRoom)?;
        let share = Arc::clone(share).try_acquire_many_owned(left);
        self.share = Some(share.map_err(|_| NoRoom)?);
        Ok(())
    }

    fn held_kib(&self) -> usize {
        let held = self.permit.as_ref();
        held.map_or(0, OwnedSemaphorePermit::num_permits)
    }
}

fn kib(bytes: u64) -> usize {
    usize::try_from(bytes.div_ceil(1024)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_charged_until_there_is_no_room_and_given_back() {
        let account = InFlight::new(1, 1);
        let all_kib = account.kib.available_permits();
        let mut one = account.open();
        assert!(one.add(1).is_ok());
        assert!(one.add(1023).is_ok());
        assert_eq!(account.kib.available_permits(), all_kib - 1);
        assert!(one.add(ALL_BYTES_MIN - 1024).is_ok());
        assert!(account.open().add(1).is_err());
        drop(one);
        assert!(account.open().add(1).is_ok());
        assert_eq!(account.kib.available_permits(), all_kib);
    }

    #[test]
    fn the_longest_body_of_any_limit_finds_room() {
        for paste_bytes_max in [1, 10 << 20, 64 << 20] {
            let mut charge = InFlight::new(paste_bytes_max, 4).open();
            assert!(charge.add(2 * json_bytes_max(paste_bytes_max)).is_ok());
            // A form's text is there twice.
            assert!(charge.hand_to(3, 2 * paste_bytes_max).is_ok());
        }
    }

    #[test]
    fn one_shard_holds_half_of_it_at_most_unless_it_is_the_only_one() {
        const HALF: u64 = ALL_BYTES_MIN / 2;
        for (shards, has_room) in [(1, true), (4, false)] {
            let account = InFlight::new(1, shards);
            let held = [HALF, 1].map(|bytes| {
                let mut charge = account.open();
                assert!(charge.add(2 * bytes).is_ok());
                (charge.hand_to(0, bytes).is_ok(), charge)
            });
            assert_eq!([held[0].0, held[1].0], [true, has_room]);
            assert_eq!(account.figures().0, HALF + 1024);
        }
        let account = InFlight::new(1, 4);
        let charges = [0, 3].map(|shard| {
            let mut charge = account.open();
            assert!(charge.add(HALF).is_ok() && charge.hand_to(shard, HALF).is_ok());
            charge
        });
        drop(charges);
        assert!(
            account
                .shares
                .iter()
                .all(|share| share.available_permits() as u64 * 1024 == HALF)
        );
    }
}
