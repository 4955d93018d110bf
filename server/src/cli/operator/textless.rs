//! `oncebin takedown --without-text`: what a back-up has of pastes that were deleted or expired while it was made.
//!
//! Their rows were copied, and their texts were gone before it came to them. Nobody can tell this from texts that were
//! lost, so whoever runs it says how many they may be.

use super::super::exit::Failed;
use super::audit::textless;
use super::check::check_places;
use super::report::{Report, many};
use super::takedown::take_down_there;
use crate::config::Settings;

/// Takes down every paste whose text is gone, if there are no more than so many in all; otherwise none.
pub(super) async fn take_down_textless(settings: &Settings, at_most: u32) -> Result<(), Failed> {
    let (shards, blob) = check_places(&mut Report::default(), settings).await;
    let (true, Some(blob)) = (shards.len() == settings.shards.urls.len(), blob) else {
        return Err(nothing("not every shard and the objects can be asked"));
    };
    let (mut count, mut found) = (0, Vec::new());
    for shard in &shards {
        let lost = textless(&*shard.store, &blob, at_most as usize).await;
        let lost =
            lost.map_err(|broken| nothing(&format!("{}: {}", shard.name, broken.fault())))?;
        count += lost.count;
        found.extend(lost.ids.into_iter().map(|id| (shard, id)));
    }
    if count > u64::from(at_most) {
        let pastes = many(count, "paste");
        return Err(nothing(&format!(
            "{pastes} without a text, more than {at_most}: are these the objects of these shards?"
        )));
    }
    for (shard, id) in found {
        take_down_there(&*shard.store, &shard.name, id).await?;
    }
    for shard in shards {
        shard.store.close().await;
    }
    Ok(())
}

fn nothing(why: &str) -> Failed {
    Failed::refused(format!("nothing is taken down: {why}"))
}
