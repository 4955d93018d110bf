//! `oncebin check`: what is wrong with the object store.

use super::report::Report;
use crate::blob::{Blob, BlobCheck, Mark};
use crate::config::{ObjectsLocation, Settings};

/// Whether the shards were used before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Used {
    /// At least one owns slots.
    Yes,
    /// None does.
    No,
    /// None is known to, and not all could be asked.
    Unknown,
}

/// The object store, if it can be asked more. One that seems to be the wrong one is left as it is.
pub(super) async fn check_objects(
    report: &mut Report,
    settings: &Settings,
    used: Used,
) -> Option<Blob> {
    let place = format!("objects, {}", settings.objects.place());
    let (blob, mark) = match open(settings).await {
        Ok((_, Mark::Empty)) if used == Used::Yes => {
            let fault = "it has no objects, nor its mark in-use: were they lost, is it another place, or not mounted?";
            report.wrong(&place, fault);
            return None;
        }
        Ok(opened) => opened,
        Err(fault) => {
            report.wrong(&place, fault);
            return None;
        }
    };
    match blob.check().await {
        BlobCheck::Works => report.ok(&place, "an object was written, listed, read and removed"),
        fault => {
            report.wrong(&place, fault);
            return None;
        }
    }
    if mark == Mark::OnlyObjects && used == Used::Yes {
        let fault =
            "it has objects, but not its mark in-use: start `oncebin serve` once, which sets it";
        report.wrong(&place, fault);
    }
    if used == Used::No && blob.has_texts().await == Ok(true) {
        let fault =
            "it has texts, but no shard is in use: were the shards lost, or are others meant?";
        report.wrong(&place, fault);
    }
    Some(blob)
}

/// The store, and whether it is marked.
async fn open(settings: &Settings) -> Result<(Blob, Mark), String> {
    let opened = match &settings.objects {
        ObjectsLocation::Local(folder) if !folder.is_dir() => {
            return Err(
                "the folder is not there: was `oncebin serve` never started with it, or was it lost?"
                    .into(),
            );
        }
        ObjectsLocation::Local(folder) => Blob::local_as_it_is(folder),
        ObjectsLocation::S3(bucket) => Blob::bucket(bucket, settings.blob_deadlines),
    };
    let blob = opened.map_err(|error| format!("{error:#}"))?;
    let mark = blob.mark().await.map_err(|why| why.to_string())?;
    Ok((blob, mark))
}
