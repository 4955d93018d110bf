//! `oncebin check`: what is wrong, shard by shard, a line each.

use super::super::exit::Failed;
use super::audit::audit;
use super::backlog::report_backlog;
use super::report::Report;
use super::shards;
use crate::blob::{Blob, BlobCheck, Mark};
use crate::config::{ObjectsLocation, Settings};
use crate::shard::ranges;
use crate::store::OperatorStore;
use std::sync::Arc;

/// A shard that can be asked.
pub(super) struct Shard {
    pub(super) name: String,
    pub(super) store: Arc<dyn OperatorStore>,
}

/// Looks at everything that is configured; with `deep`, at every row and object too.
pub(super) async fn check(settings: &Settings, deep: bool) -> Result<(), Failed> {
    let mut report = Report::default();
    let (found, blob) = check_places(&mut report, settings).await;
    if deep {
        for shard in &found {
            report_backlog(&mut report, &shard.name, &*shard.store).await;
            match &blob {
                Some(blob) => {
                    let (name, floor) = (&shard.name, settings.age_floor);
                    audit(&mut report, name, &*shard.store, blob, floor).await;
                }
                None => report.wrong(&shard.name, "its rows are not compared with objects"),
            }
        }
    }
    for shard in found {
        shard.store.close().await;
    }
    match report.wrong_lines() {
        0 => Ok(()),
        1 => Err(Failed::refused("1 thing is wrong; see docs/check.md")),
        many => Err(Failed::refused(format!(
            "{many} things are wrong; see docs/check.md"
        ))),
    }
}

/// The shards and the object store that can be asked more.
pub(super) async fn check_places(
    report: &mut Report,
    settings: &Settings,
) -> (Vec<Shard>, Option<Blob>) {
    let mut found = Vec::new();
    for number in 0..settings.shards.urls.len() {
        found.extend(check_shard(report, settings, number).await);
    }
    let blob = check_objects(report, settings, !found.is_empty()).await;
    (found, blob)
}

/// The shard, if it can be asked more.
async fn check_shard(report: &mut Report, settings: &Settings, number: usize) -> Option<Shard> {
    let url = &settings.shards.urls[number];
    let name = format!("shard {number}");
    let place = format!("{name}, {url}");
    let store = match shards::open(url).await {
        Ok(store) => store,
        Err(fault) => {
            report.wrong(&place, fault);
            return None;
        }
    };
    let found = store.examine().await;
    for fault in &found.faults {
        report.wrong(&place, fault);
    }
    let expected = settings.shards.map.slots(number);
    let agrees = found.owned.as_ref().is_some_and(|owned| *owned == expected);
    let expected = ranges(&expected);
    match &found.owned {
        Some(owned) if owned.is_empty() => report.wrong(
            &place,
            format!("it owns no slots, but the slot map gives it {expected}: is it the right database?"),
        ),
        Some(owned) if !agrees => report.wrong(
            &place,
            format!(
                "it owns slots {}, but the slot map gives it {expected}: was the number or order of shards changed?",
                ranges(owned)
            ),
        ),
        _ => {}
    }
    if agrees && found.faults.is_empty() {
        report.ok(&place, format!("{}, slots {expected}", found.product));
    }
    if found.owned.is_none() {
        store.close().await;
        return None;
    }
    Some(Shard { name, store })
}

/// The object store, if it can be asked more.
async fn check_objects(report: &mut Report, settings: &Settings, is_used: bool) -> Option<Blob> {
    let (place, opened) = match &settings.objects {
        ObjectsLocation::Local(folder) => (
            format!("objects, file://{}", folder.display()),
            Blob::local_as_it_is(folder),
        ),
        ObjectsLocation::S3(bucket) => (
            format!("objects, {bucket}"),
            Blob::bucket(bucket, settings.blob_deadlines),
        ),
    };
    let blob = match opened {
        Ok(blob) => blob,
        Err(_) if is_missing(settings) => {
            let fault = "the folder is not there: was `oncebin serve` never started with it, or was it lost?";
            report.wrong(&place, fault);
            return None;
        }
        Err(error) => {
            report.wrong(&place, format!("{error:#}"));
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
    let is_bucket = matches!(settings.objects, ObjectsLocation::S3(_));
    if is_bucket && is_used && !matches!(blob.mark().await, Ok(Mark::Marked)) {
        report.wrong(
            &place,
            "it does not have the mark of a bucket in use: is it the right one, and has it its objects?",
        );
    }
    Some(blob)
}

fn is_missing(settings: &Settings) -> bool {
    match &settings.objects {
        ObjectsLocation::Local(folder) => !folder.is_dir(),
        ObjectsLocation::S3(_) => false,
    }
}
