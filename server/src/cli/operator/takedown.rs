//! `oncebin takedown`: a delete by whoever has the database, without the token.

use super::super::address;
use super::super::exit::Failed;
use super::shards;
use crate::config::Settings;
use crate::store::{DeleteOutcome, OperatorStore, StoreError};
use app::wire::id::PasteId;
use std::io::Write;

/// Takes a paste down: its row goes and an outbox row comes, in one commit. The relay does the rest, as after any delete.
pub(super) async fn take_down(settings: &Settings, paste: &str) -> Result<(), Failed> {
    let id = address::read(paste)?.id;
    let shard = settings.shards.map.shard(id.slot());
    let url = &settings.shards.urls[shard];
    let store = shards::open(url)
        .await
        .map_err(|fault| Failed::refused(format!("shard {shard}, {url}: {fault}")))?;
    let done = take_down_there(&*store, &format!("shard {shard}, {url}"), id).await;
    store.close().await;
    done
}

/// Takes a paste of a shard down, and says so.
pub(super) async fn take_down_there(
    store: &dyn OperatorStore,
    shard: &str,
    id: PasteId,
) -> Result<(), Failed> {
    let line = match settle(store, id).await {
        Ok(Ended::Now) => "is taken down: no server shows it any more",
        Ok(Ended::Before) => "was deleted already",
        Ok(Ended::Missing) => {
            return Err(Failed::refused(format!(
                "there is no paste {id}: it never was, or is gone for good"
            )));
        }
        Err(StoreError::Unknown) => {
            return Err(Failed::open(format!(
                "{id} may be taken down or not: {shard} did not say; run it again"
            )));
        }
        Err(StoreError::NotOwned) => {
            return Err(Failed::refused(format!(
                "{shard} does not own slot {}: see oncebin check",
                id.slot()
            )));
        }
        Err(error @ (StoreError::Unreachable | StoreError::Unavailable | StoreError::Busy)) => {
            return Err(Failed::refused(format!(
                "{id} is not taken down: {shard}: {error}"
            )));
        }
    };
    let rest = "the relay purges it from the CDN and removes its text";
    writeln!(std::io::stdout(), "{id} {line}; {rest}").ok();
    Ok(())
}

/// How a takedown ended.
enum Ended {
    Now,
    /// Its deletion is on its way.
    Before,
    Missing,
}

/// Runs it again when nobody can tell of its commit: no paste row then, but an outbox row, means that it was committed.
async fn settle(store: &dyn OperatorStore, id: PasteId) -> Result<Ended, StoreError> {
    let mut outcome = store.take_down(id).await;
    if outcome == Err(StoreError::Unknown) {
        outcome = store.take_down(id).await;
    }
    match outcome? {
        DeleteOutcome::Deleted => Ok(Ended::Now),
        DeleteOutcome::NotFound if store.is_in_outbox(id).await? => Ok(Ended::Before),
        DeleteOutcome::NotFound => Ok(Ended::Missing),
    }
}
