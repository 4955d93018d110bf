//! `oncebin check`: what is wrong, shard by shard, a line each.

use super::super::exit::Failed;
use super::audit::audit;
use super::backlog::report_backlog;
use super::objects::{Used, check_objects};
use super::report::Report;
use super::shards;
use crate::blob::Blob;
use crate::config::Settings;
use crate::shard::ranges;
use crate::store::OperatorStore;
use std::sync::Arc;

/// A shard that can be asked.
pub(super) struct Shard {
    pub(super) name: String,
    pub(super) store: Arc<dyn OperatorStore>,
    owns_slots: bool,
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
    let blob = check_objects(report, settings, used(settings, &found)).await;
    (found, blob)
}

/// Whether there was a service before, as far as the shards that can be asked say so.
fn used(settings: &Settings, found: &[Shard]) -> Used {
    let urls = &settings.shards.urls;
    let gone = urls.iter().filter(|url| shards::is_gone(url)).count();
    if found.iter().any(|shard| shard.owns_slots) {
        Used::Yes
    } else if found.len() + gone == urls.len() {
        Used::No
    } else {
        Used::Unknown
    }
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
    let Some(owned) = found.owned else {
        store.close().await;
        return None;
    };
    Some(Shard {
        name,
        store,
        owns_slots: !owned.is_empty(),
    })
}
