//! Ports for the servers of a run.

use std::net::TcpListener;

use anyhow::Result;

/// Different ports of 127.0.0.1 that were free a moment ago.
///
/// # Errors
/// None is free.
pub(crate) fn free(count: usize) -> Result<Vec<u16>> {
    let listeners = (0..count)
        .map(|_| TcpListener::bind("127.0.0.1:0"))
        .collect::<Result<Vec<_>, _>>()?;
    listeners
        .iter()
        .map(|listener| Ok(listener.local_addr()?.port()))
        .collect()
}
