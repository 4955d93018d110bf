//! What goes wrong: a paste nobody will purge, a CDN that is sick, an object store that fails.

use super::setting::{LEASES_RUN_OUT, MINUTE, Setting, relayed};
use crate::harness::{Says, until};
use crate::store_shard::{Shard, outbox_row};
use oncebin::cdn::Purger;
use oncebin::workers::Purges;
use std::fs;
use std::time::Duration;

pub(super) async fn a_poison_paste_holds_up_no_other_and_is_tried_ever_more_slowly<S: Shard>() {
    let setting = Setting::<S>::with_deletions(40).await;
    let poison = setting.ids()[17].clone();
    let refused = poison.clone();
    setting
        .cdn
        .will(move |asked| match asked.tags().contains(&refused) {
            true => Says::Status(500),
            false => Says::Status(200),
        });
    let purges = setting.purges(40);
    assert_eq!(purges.pass().await, Ok(relayed(39, 1)));
    setting.objects().pass().await.unwrap();
    assert_eq!(setting.objects_left().await, 0);
    let mut attempts = 0;
    for _ in 0..120 {
        setting.shard.advance(MINUTE).await;
        let before = setting.purged().len();
        purges.pass().await.unwrap();
        attempts += usize::from(setting.purged()[before..].contains(&poison));
    }
    // In two hours, asked each minute: at first every time, then every 5 to 10 minutes.
    assert!((12..40).contains(&attempts), "{attempts} attempts");
    assert_eq!(
        setting.shard.outbox().await,
        [outbox_row(&setting.deleted[17])]
    );
    setting.cdn.will(|_| Says::Status(200));
    setting.shard.advance(10 * MINUTE).await;
    purges.pass().await.unwrap();
    assert_eq!(setting.rows_left().await, 0);
}

pub(super) async fn a_cdn_that_hangs_or_is_gone_holds_up_no_object<S: Shard>() {
    let setting = Setting::<S>::with_deletions(3).await;
    setting.cdn.will(|_| Says::Nothing);
    let purges = setting.purges(100);
    let hanging = tokio::spawn({
        let purges = purges.clone();
        async move { purges.pass().await }
    });
    until("the CDN hangs", async || !setting.cdn.asked().is_empty()).await;
    assert_eq!(setting.objects().pass().await, Ok(relayed(3, 0)));
    assert_eq!(setting.objects_left().await, 0);
    hanging.abort();
    let wait = Duration::from_millis(20);
    let impatient = Purger::with_wait(setting.cdn.template(100), "", wait).unwrap();
    let impatient = Purges::new(setting.shard.shared(), impatient);
    setting.shard.advance(LEASES_RUN_OUT).await;
    assert_eq!(impatient.pass().await, Ok(relayed(0, 3)));
    assert_eq!(impatient.pass().await, Ok(relayed(0, 0)));
    setting.cdn.will(|_| Says::Status(200));
    setting.shard.advance(MINUTE).await;
    assert_eq!(purges.pass().await, Ok(relayed(3, 0)));
    assert_eq!(setting.rows_left().await, 0);
}

pub(super) async fn a_cdn_that_wants_to_be_left_alone_is<S: Shard>() {
    let setting = Setting::<S>::with_deletions(3).await;
    for (says, rest) in [
        (Says::RetryAfter(429, "300"), 300),
        (Says::RetryAfter(503, "1800"), 1800),
        (Says::Status(401), 60),
        (Says::Status(403), 60),
    ] {
        setting.cdn.will(move |_| says);
        let before = setting.cdn.asked().len();
        let purges = setting.purges(100);
        assert_eq!(purges.pass().await, Ok(relayed(0, 3)), "{says:?}");
        // Nobody who shares this CDN asks it meanwhile, not even for what is due.
        setting.shard.advance(Duration::from_secs(rest)).await;
        assert_eq!(purges.clone().pass().await, Ok(relayed(0, 0)), "{says:?}");
        assert_eq!(setting.cdn.asked().len(), before + 1);
    }
    setting.objects().pass().await.unwrap();
    assert_eq!(
        (setting.objects_left().await, setting.rows_left().await),
        (0, 3)
    );
    setting.cdn.will(|_| Says::Status(200));
    assert_eq!(setting.purges(100).pass().await, Ok(relayed(3, 0)));
}

/// Nothing can be deleted where a folder that is not empty has the object's name.
pub(super) async fn an_object_that_cannot_be_deleted_holds_up_no_other_and_is_tried_again<
    S: Shard,
>() {
    let setting = Setting::<S>::with_deletions(3).await;
    let object = setting
        .folder
        .path()
        .join(&setting.deleted[1].paste.object_key);
    fs::remove_file(&object).unwrap();
    fs::create_dir(&object).unwrap();
    fs::write(object.join("in the way"), "").unwrap();
    let objects = setting.objects();
    assert_eq!(objects.pass().await, Ok(relayed(2, 1)));
    for failures in 1..5 {
        let failed = setting
            .shard
            .number("select max(object_failures) from outbox")
            .await;
        assert_eq!(failed, failures);
        setting.shard.advance(MINUTE).await;
        assert_eq!(objects.pass().await, Ok(relayed(0, 1)));
    }
    fs::remove_dir_all(&object).unwrap();
    setting.shard.advance(2 * MINUTE).await;
    assert_eq!(objects.pass().await, Ok(relayed(1, 0)));
    assert_eq!(
        setting
            .shard
            .number("select max(object_failures) from outbox")
            .await,
        0
    );
}
