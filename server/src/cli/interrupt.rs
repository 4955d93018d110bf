//! Ctrl+C, and the SIGTERM of whoever started us.

use super::exit::Failed;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// From now on the person's stop ends nothing by itself: it is told to whoever looks at the token.
pub(super) fn watch() -> Result<CancellationToken, Failed> {
    let listen = |kind| {
        signal(kind).map_err(|error| Failed::refused(format!("cannot listen to signals: {error}")))
    };
    let mut interrupt = listen(SignalKind::interrupt())?;
    let mut terminate = listen(SignalKind::terminate())?;
    let stopped = CancellationToken::new();
    let stop = stopped.clone();
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        stop.cancel();
    });
    Ok(stopped)
}
