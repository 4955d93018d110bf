//! The addresses, and how many may connect.

use anyhow::Context;
use std::net::SocketAddr;
use tokio::net::TcpListener;

/// Connections at once, where the system's limit on open files allows it.
const CONNECTIONS_MAX: usize = 4096;

/// A listener that was passed to us, or one of our own.
pub(super) async fn listen(
    address: SocketAddr,
    inherited: Option<&std::net::TcpListener>,
) -> anyhow::Result<TcpListener> {
    match inherited {
        Some(listener) => {
            listener.set_nonblocking(true)?;
            Ok(TcpListener::from_std(listener.try_clone()?)?)
        }
        None => TcpListener::bind(address)
            .await
            .with_context(|| format!("cannot listen on {address}")),
    }
}

/// Raises the limit on open files as far as the system lets us, and leaves half of it to objects and databases.
pub(super) fn connections_max() -> usize {
    let files = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(1024);
    let half = usize::try_from(files / 2).unwrap_or(CONNECTIONS_MAX);
    half.clamp(16, CONNECTIONS_MAX)
}
