//! The bytes of request bodies the server holds at once.

use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// All bodies together, in KiB: 128 MiB. With a copy for JSON and what is being written, 50 uploads of 10 MiB at once
/// stay below 400 MiB resident (tested); past it clients are told to come back.
const ALL_KIB: usize = 128 * 1024;

/// The account of bytes in flight. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct InFlight {
    kib: Arc<Semaphore>,
}

impl Default for InFlight {
    fn default() -> Self {
        Self {
            kib: Arc::new(Semaphore::new(ALL_KIB)),
        }
    }
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
        let account = InFlight::default();
        let mut one = account.open();
        assert!(one.add(1).is_ok());
        assert!(one.add(1023).is_ok());
        assert_eq!(account.kib.available_permits(), ALL_KIB - 1);
        assert!(one.add(ALL_KIB as u64 * 1024 - 1024).is_ok());
        assert!(account.open().add(1).is_err());
        drop(one);
        assert!(account.open().add(1).is_ok());
        assert_eq!(account.kib.available_permits(), ALL_KIB);
    }
}
