//! The start on an object store: what must stop it, and what the service can wait for.

use super::open::shard_in_use;
use crate::blob::{Blob, BlobCheck, Mark};
use crate::clock::Clock;
use crate::config::{ObjectsLocation, Settings, ShardUrl};
use crate::private_folder::make_private_folder;
use anyhow::Context;
use std::path::Path;

/// Opens the object store. Wrong settings, and a place whose objects are lost, stop the start.
///
/// One that cannot be reached stops only the first start: once there are pastes, a server that can be asked for some of
/// them is better than none. The mark is set before any shard is claimed, so that beside a shard in use it is missing
/// only in a place that was emptied, is another one or is not mounted.
pub(super) async fn open(settings: &Settings, clock: &Clock) -> anyhow::Result<Blob> {
    let start = Start {
        place: settings.objects.place(),
        urls: &settings.shards.urls,
        clock,
    };
    match &settings.objects {
        ObjectsLocation::Local(folder) => {
            start.make_folder(folder).await?;
            start.see_to_mark(&Blob::local_as_it_is(folder)?).await?;
            Ok(Blob::local(folder)?.needing_mark())
        }
        ObjectsLocation::S3(bucket) => {
            let blob = Blob::bucket(bucket, settings.blob_deadlines)?;
            start.see_to_mark(&blob).await?;
            Ok(blob)
        }
    }
}

/// Why no shard may be claimed: the texts of pastes are here, so there were shards, and their rows are lost.
///
/// A first start that was cut short leaves a mark, but no text: nothing is saved before shards are claimed.
pub(super) async fn refuse_texts(blob: &Blob, place: &str) -> Result<(), String> {
    match blob.has_texts().await {
        Ok(false) => Ok(()),
        Ok(true) => Err(format!(
            "{place} has texts, but no shard is in use: were the shards lost, or are others meant? Restore them, or \
             give --objects an empty place to begin anew"
        )),
        Err(why) => Err(format!("the object store {place}: {why}")),
    }
}

struct Start<'a> {
    place: String,
    urls: &'a [ShardUrl],
    clock: &'a Clock,
}

impl Start<'_> {
    /// The folder is made before any shard, so beside one that owns slots it cannot be one still to make.
    async fn make_folder(&self, folder: &Path) -> anyhow::Result<()> {
        // Looked for again, because a server that starts at the same time may have made it.
        if !folder.exists()
            && let Some(url) = self.shard_in_use().await?
            && !folder.exists()
        {
            anyhow::bail!(
                "the folder {} is not there, but {url} is in use: were the objects lost, or moved?",
                folder.display()
            );
        }
        make_private_folder(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))
    }

    /// Sees to it that the store has its mark, unless it seems to be the wrong one.
    async fn see_to_mark(&self, blob: &Blob) -> anyhow::Result<()> {
        match blob.mark().await {
            Ok(Mark::Marked) => return Ok(()),
            Ok(Mark::OnlyObjects) => {}
            Ok(Mark::Empty) => self.refuse_lost(blob).await?,
            Err(why @ BlobCheck::Unreachable(_)) if self.shard_in_use().await?.is_some() => {
                tracing::warn!("the object store {} does not answer yet: {why}", self.place);
                return Ok(());
            }
            Err(why) => return Err(self.refused(&why)),
        }
        let set = blob.set_mark().await;
        set.map_err(|why| self.refused(&why))
    }

    async fn refuse_lost(&self, blob: &Blob) -> anyhow::Result<()> {
        // Looked for again, because a server that starts at the same time may have set the mark.
        if let Some(url) = self.shard_in_use().await?
            && blob.mark().await == Ok(Mark::Empty)
        {
            anyhow::bail!(
                "{} has no objects, but {url} is in use: were the objects lost, is it another place, or not mounted? \
                 If it is right as it is, make an object in-use in it",
                self.place
            );
        }
        Ok(())
    }

    fn refused(&self, why: &BlobCheck) -> anyhow::Error {
        anyhow::anyhow!("the object store {}: {why}", self.place)
    }

    async fn shard_in_use(&self) -> anyhow::Result<Option<&ShardUrl>> {
        shard_in_use(self.urls, self.clock).await
    }
}
