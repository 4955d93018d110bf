//! Waiting for what must come to be.

use super::Host;
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// The longest that anything is waited for: far past what it should take on any machine, so that only a fault meets it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Between two questions.
const PAUSE: Duration = Duration::from_millis(5);

/// Asks until the answer is yes.
pub(crate) async fn until(what: &str, is_so: impl AsyncFn() -> bool) {
    let asking = async {
        while !is_so().await {
            sleep(PAUSE).await;
        }
    };
    assert!(
        timeout(PATIENCE, asking).await.is_ok(),
        "not in time: {what}"
    );
}

impl Host {
    /// Asks `/readyz` of the operator's address until it has a line.
    pub(crate) async fn until_it_says(&self, line: &str) {
        let has_line = async || {
            self.get("/readyz")
                .await
                .text()
                .lines()
                .any(|is| is == line)
        };
        until(line, has_line).await;
    }
}
