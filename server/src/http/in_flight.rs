//! The bytes of request bodies the server holds at once.

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
}

/// There is no room for more.
pub(super) struct NoRoom;

/// What one request has been charged; dropped, it is given back.
#[derive(Debug)]
pub(super) struct Charge {
    account: InFlight,
    permit: Option<OwnedSemaphorePermit>,
    bytes: u64,
}

impl InFlight {
    /// An account in which one body of the longest kind always finds room: JSON of escapes, charged twice.
    pub(super) fn new(paste_bytes_max: u64) -> Self {
        let all = ALL_BYTES_MIN.max(2 * json_bytes_max(paste_bytes_max));
        let kib = usize::try_from(all / 1024).unwrap_or(Semaphore::MAX_PERMITS);
        Self {
            kib: Arc::new(Semaphore::new(kib)),
            kib_max: kib,
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
        }
    }
}

impl Charge {
    /// Charges bytes as they arrive. It never waits: two half-read bodies waiting for each other would never end.
    pub(super) fn add(&mut self, bytes: u64) -> Result<(), NoRoom> {
        let held = self
            .permit
            .as_ref()
            .map_or(0, OwnedSemaphorePermit::num_permits);
        self.bytes += bytes;
        let wanted = usize::try_from(self.bytes.div_ceil(1024)).unwrap_or(usize::MAX);
        let more = u32::try_from(wanted.saturating_sub(held)).map_err(|_| NoRoom)?;
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_charged_until_there_is_no_room_and_given_back() {
        let account = InFlight::new(1);
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
            let mut charge = InFlight::new(paste_bytes_max).open();
            assert!(charge.add(2 * json_bytes_max(paste_bytes_max)).is_ok());
        }
    }
}
