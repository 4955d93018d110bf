//! The start on a bucket: what must stop it, and what the service can wait for.

use crate::blob::{Blob, BlobCheck, BlobDeadlines, Bucket, Mark};
use std::fmt::Display;

/// Opens a bucket. Wrong settings and a bucket whose objects are lost stop the start.
///
/// One that cannot be reached stops only the first start: once there are pastes, a server that can be asked for some of
/// them is better than none. The mark is set before any shard is claimed, so that beside a shard in use it is missing
/// only in a bucket that was emptied, or is another one.
///
/// # Errors
/// One line for the operator.
pub(crate) async fn open<Url: Display>(
    bucket: &Bucket,
    deadlines: BlobDeadlines,
    shard_in_use: impl Future<Output = anyhow::Result<Option<Url>>>,
) -> anyhow::Result<Blob> {
    let blob = Blob::bucket(bucket, deadlines)?;
    match blob.mark().await {
        Ok(Mark::Marked) => return Ok(blob),
        Ok(Mark::OnlyObjects) => {}
        Ok(Mark::Empty) => {
            if let Some(url) = shard_in_use.await? {
                anyhow::bail!(
                    "{bucket} has no objects, but {url} is in use: were the objects lost, or is it another bucket?"
                );
            }
        }
        Err(why) => {
            let can_wait =
                matches!(why, BlobCheck::Unreachable(_)) && shard_in_use.await?.is_some();
            anyhow::ensure!(can_wait, "the object store {bucket}: {why}");
            tracing::warn!("the object store {bucket} does not answer yet: {why}");
            return Ok(blob);
        }
    }
    match blob.set_mark().await {
        Ok(()) => Ok(blob),
        Err(why) => anyhow::bail!("the object store {bucket}: {why}"),
    }
}
