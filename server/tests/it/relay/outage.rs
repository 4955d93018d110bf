//! An hour without the CDN, or without objects: all that failed is made up for, and nothing else waited.

use super::setting::{MINUTE, Setting, relayed};
use crate::harness::{Asked, DownCdn};
use crate::store_shard::Shard;
use app::wire::id::Slot;
use oncebin::cdn::Purger;
use oncebin::workers::{Purges, Relayed};
use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::time::Duration;

/// More than fit into one request, or are deleted at once.
const DELETIONS: usize = 60;

/// No failure makes a step wait longer.
const LONGEST_WAIT: Duration = Duration::from_secs(10 * 60);

/// How often a step is tried in an hour, if it is looked for each minute: at first every time, then every 5 to 10
/// minutes.
const ATTEMPTS: Range<usize> = 9..24;

/// Where objects can still be deleted.
const OTHER_SLOT: Slot = Slot::new(8);

pub(super) async fn an_hour_without_a_cdn_that_refuses_connections_is_made_up_for<S: Shard>() {
    let setting = Setting::<S>::with_deletions(60).await;
    let cdn = DownCdn::new();
    let purger = Purger::new(cdn.template(8), "").unwrap();
    let purges = Purges::new(setting.shard.shared(), purger);
    assert_eq!(purges.pass().await, Ok(relayed(0, DELETIONS)));
    assert_eq!(setting.objects().pass().await, Ok(relayed(DELETIONS, 0)));
    assert_eq!(setting.objects_left().await, 0);
    let mut failed = 0;
    for _ in 0..60 {
        setting.shard.advance(MINUTE).await;
        let passed = purges.pass().await.unwrap();
        assert_eq!(passed.done, 0);
        failed += passed.failed;
    }
    assert!(ATTEMPTS.contains(&(failed / DELETIONS)), "{failed}");
    assert_eq!(setting.rows_left().await, DELETIONS);
    let cdn = cdn.comes_up();
    setting.shard.advance(LONGEST_WAIT).await;
    assert_eq!(purges.pass().await, Ok(relayed(DELETIONS, 0)));
    assert_eq!(setting.rows_left().await, 0);
    let purged: BTreeSet<_> = cdn.asked().iter().flat_map(Asked::tags).collect();
    assert_eq!(purged, setting.ids().into_iter().collect());
}

/// A file in the place of a slot's folder: nothing in it can be deleted, nor is any of it gone.
pub(super) async fn an_hour_without_a_folder_of_objects_is_made_up_for<S: Shard>() {
    let mut setting = Setting::<S>::with_deletions(60).await;
    let own = format!("insert into slot (slot) values ({})", OTHER_SLOT.number());
    setting.shard.run(own).await;
    let (folder, aside) = ("007", "aside");
    let [folder, aside] = [folder, aside].map(|name| setting.folder.path().join(name));
    fs::rename(&folder, &aside).unwrap();
    fs::write(&folder, "in the way").unwrap();
    let (objects, purges) = (setting.objects(), setting.purges(100));
    assert_eq!(objects.pass().await, Ok(relayed(0, DELETIONS)));
    assert_eq!(purges.pass().await, Ok(relayed(DELETIONS, 0)));
    let mut failed = 0;
    for _ in 0..60 {
        setting.delete_another(OTHER_SLOT).await;
        setting.shard.advance(MINUTE).await;
        let passed = objects.pass().await.unwrap();
        assert_eq!(passed.done, 1);
        failed += passed.failed;
        // The new one's first, and the last of those before it whose time has come.
        assert_eq!(purges.pass().await.unwrap().failed, 0);
    }
    assert!(ATTEMPTS.contains(&(failed / DELETIONS)), "{failed}");
    fs::remove_file(&folder).unwrap();
    fs::rename(&aside, &folder).unwrap();
    assert_eq!(setting.objects_left().await, DELETIONS);
    setting.shard.advance(LONGEST_WAIT).await;
    assert_eq!(objects.pass().await, Ok(relayed(DELETIONS, 0)));
    while purges.pass().await.unwrap() != Relayed::default() {
        setting.shard.advance(LONGEST_WAIT).await;
    }
    assert_eq!(
        (setting.objects_left().await, setting.rows_left().await),
        (0, 0)
    );
}
