//! Brings what was committed from the log (`-wal`) to the file, beside the writer.
//!
//! ```text
//!   writer         commit commit commit commit commit commit commit …
//!   this                    ╰▶ [log ──▶ file, sync] ╯
//! ```
//!
//! SQLite would do it within the commit that makes the log long, and the creates of that commit, and those that wait for
//! the next one, would wait for a thousand pages and a sync more (`cargo xtask bench --sweep`, 350 creates a second, p99:
//! 8 ms so, 3.4 ms without any checkpoint, 6 ms with these). A checkpoint here is SQLite's own passive one: it takes no
//! lock that a commit or a read needs. Under a load without a pause it never reaches the end of the log, which only then
//! begins anew; so the writer still does the little that is left once the log is long ([`LOG_MAX_PAGES`]).

use super::link::Link;
use sqlx::sqlite::SqliteConnectOptions;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::task::JoinHandle;

/// Pages of the log from which on a commit brings the rest of them to the file itself: 32 MB. It is also what bounds the log
/// when no checkpoint can be made here.
pub(super) const LOG_MAX_PAGES: u32 = 8_000;

/// Commands from one checkpoint to the next: about a thousand pages, SQLite's own measure.
const COMMANDS: usize = 100;

const CHECKPOINT: &str = "pragma wal_checkpoint(passive)";

/// Counts what was committed, and has it brought to the file.
pub(super) struct Checkpoints {
    commands: usize,
    due: Sender<()>,
    task: JoinHandle<()>,
}

impl Checkpoints {
    /// Its connection opens when the first checkpoint is due.
    pub(super) fn start(options: SqliteConnectOptions) -> Self {
        let (due, queue) = mpsc::channel(1);
        Self {
            commands: 0,
            due,
            task: tokio::spawn(run(options, queue)),
        }
    }

    /// So many commands more are in the log. Never waits.
    pub(super) fn committed(&mut self, commands: usize) {
        self.commands += commands;
        if self.commands >= COMMANDS {
            self.commands = 0;
            // One that is under way goes to the end of the log as it was when it began; the next follows at once.
            self.due.try_send(()).ok();
        }
    }

    /// Ends what is under way and closes the connection.
    pub(super) async fn close(self) {
        drop(self.due);
        // The end of the process cancels it, as where a start fails.
        if let Err(error) = self.task.await
            && error.is_panic()
        {
            tracing::error!(error = %error, "a shard's checkpoints ended badly");
        }
    }
}

async fn run(options: SqliteConnectOptions, mut due: Receiver<()>) {
    let mut link = Link::new(None, options);
    while due.recv().await.is_some() {
        if let Err(error) = checkpoint(&mut link).await {
            tracing::warn!(error = %error, "a shard's log could not be brought to its file");
        }
    }
    link.close().await;
}

async fn checkpoint(link: &mut Link) -> Result<(), sqlx::Error> {
    let mut connection = link.take().await?;
    sqlx::query(CHECKPOINT).execute(&mut connection).await?;
    link.put_back(connection);
    Ok(())
}
