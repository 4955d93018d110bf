//! How the store is asked: within deadlines, again where that may help, and in a folder only beside its mark.

use super::Blob;
use super::trouble::Trouble;
use crate::jitter::pause;
use crate::metrics::ObjectOperation;
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// The longest pause after a first failure; each further one may be four times as long.
const PAUSE_MAX: Duration = Duration::from_millis(100);

impl Blob {
    /// Asks the store, again while its trouble may pass and there is time. What is asked must be repeatable.
    pub(super) async fn carry_out<T, F>(
        &self,
        operation: ObjectOperation,
        bytes: u64,
        request: impl Fn() -> F,
    ) -> Result<T, Trouble>
    where
        F: Future<Output = object_store::Result<T>>,
    {
        let start = Instant::now();
        let mut pause_max = PAUSE_MAX;
        let mut attempt = 1;
        loop {
            let allowed = self.deadlines.for_attempt(bytes, start);
            let asked = Instant::now();
            let trouble = match timeout(allowed, self.ask(operation, request())).await {
                Ok(Ok(answer)) => {
                    self.measure.attempt(operation, asked, None);
                    return Ok(answer);
                }
                Ok(Err(trouble)) => trouble,
                Err(_) => Trouble::Slow,
            };
            self.measure.attempt(operation, asked, Some(&trouble));
            let is_last = attempt == self.attempts || !trouble.may_pass();
            if is_last || self.deadlines.for_attempt(bytes, start) <= pause_max {
                return Err(trouble);
            }
            tracing::info!("the object store is asked again: {trouble}");
            pause(pause_max).await;
            pause_max *= 4;
            attempt += 1;
        }
    }

    /// Asks once. Where the mark is needed and missing, nothing is written, and nothing is believed to be gone.
    async fn ask<T>(
        &self,
        operation: ObjectOperation,
        request: impl Future<Output = object_store::Result<T>>,
    ) -> Result<T, Trouble> {
        if operation == ObjectOperation::Put {
            self.look_for_mark().await?;
        }
        let asked = request.await.map_err(|error| Trouble::of(&error));
        if matches!(asked, Err(Trouble::Missing)) {
            self.look_for_mark().await?;
        }
        asked
    }
}
