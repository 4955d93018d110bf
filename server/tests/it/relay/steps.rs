//! The way of a deletion, by one relay and by several.

use super::setting::{LEASES_RUN_OUT, MINUTE, Setting, relayed};
use crate::store_shard::{SLOT, Shard, create, sample};
use futures_util::future::{join, join_all};
use oncebin::store::CreateOutcome;
use oncebin::store::outbox::{LAST_PURGE_AFTER, Settled, Step};
use oncebin::workers::{Objects, Relayed, Sweeper};
use std::collections::BTreeSet;

pub(super) async fn a_deletion_is_purged_its_object_deleted_and_purged_again<S: Shard>() {
    let setting = Setting::<S>::with_deletions(3).await;
    let (objects, purges) = (setting.objects(), setting.purges(100));
    assert_eq!(purges.pass().await, Ok(relayed(3, 0)));
    assert_eq!(objects.pass().await, Ok(relayed(3, 0)));
    assert_eq!(
        (setting.objects_left().await, setting.rows_left().await),
        (0, 3)
    );
    assert_eq!(purges.pass().await, Ok(relayed(0, 0)));
    setting.shard.advance(LAST_PURGE_AFTER).await;
    assert_eq!(purges.pass().await, Ok(relayed(3, 0)));
    assert_eq!(setting.rows_left().await, 0);
    let asked = setting.cdn.asked();
    assert_eq!(asked.len(), 2);
    for asked in asked {
        assert_eq!(
            asked.tags().into_iter().collect::<BTreeSet<_>>(),
            setting.ids().into_iter().collect()
        );
    }
}

pub(super) async fn without_a_cdn_only_the_object_is_deleted<S: Shard>() {
    let setting = Setting::<S>::with_deletions(3).await;
    // One of them was begun while there was a CDN.
    let begun = setting
        .shard
        .store()
        .lease(Step::Object, 1, MINUTE)
        .await
        .unwrap();
    let done = [(begun[0].lease, Settled::Done)];
    assert_eq!(
        setting.shard.store().settle(Step::Object, &done).await,
        Ok(1)
    );
    let objects = Objects::new(setting.shard.shared(), setting.blob.clone(), false);
    assert_eq!(objects.pass().await, Ok(relayed(2, 0)));
    // A delete whose commit was not answered may still ask for its row.
    assert_eq!(objects.pass().await, Ok(relayed(0, 0)));
    assert_eq!(setting.rows_left().await, 3);
    setting.shard.advance(LAST_PURGE_AFTER).await;
    let dropped = Relayed {
        dropped: 3,
        ..Relayed::default()
    };
    assert_eq!(objects.pass().await, Ok(dropped));
    assert_eq!(setting.rows_left().await, 0);
}

/// A row is leased, carried out or not, and whoever leased it is gone.
pub(super) async fn what_a_dead_relay_has_leased_is_carried_out_by_the_next<S: Shard>() {
    let setting = Setting::<S>::with_deletions(2).await;
    for step in [Step::Object, Step::Purge] {
        let leased = setting.shard.store().lease(step, 1, MINUTE).await.unwrap();
        setting.blob.delete(&leased[0].object_key).await.unwrap();
    }
    let (objects, purges) = (setting.objects(), setting.purges(100));
    // One after the other: a row that one of them is just leasing is passed over by the other.
    assert_eq!(objects.pass().await, Ok(relayed(1, 0)));
    assert_eq!(purges.pass().await, Ok(relayed(1, 0)));
    setting.shard.advance(LEASES_RUN_OUT).await;
    assert_eq!(objects.pass().await, Ok(relayed(1, 0)));
    // The first one's last purge has come meanwhile.
    assert_eq!(purges.pass().await, Ok(relayed(2, 0)));
    setting.shard.advance(LAST_PURGE_AFTER).await;
    purges.pass().await.unwrap();
    assert_eq!(
        (setting.objects_left().await, setting.rows_left().await),
        (0, 0)
    );
}

pub(super) async fn two_relays_and_two_sweepers_at_once_do_no_harm<S: Shard>() {
    let setting = Setting::<S>::with_deletions(60).await;
    let now_ms = setting
        .shard
        .store()
        .look_up(SLOT, &[0; 32])
        .await
        .unwrap()
        .now_ms;
    let mut pastes = Vec::new();
    for number in 100..160 {
        let mut new = sample(number, now_ms);
        new.paste.expires_at_ms = now_ms + 60_000;
        assert_eq!(create(&setting.shard, &new).await, CreateOutcome::Created);
        pastes.push(new);
    }
    let living = sample(200, now_ms);
    assert_eq!(
        create(&setting.shard, &living).await,
        CreateOutcome::Created
    );
    let deletes = join_all(
        pastes
            .iter()
            .map(|new| setting.shard.store().delete(new.paste.id, &new.token_hash)),
    );
    let sweeper = Sweeper::new(setting.shard.shared());
    let servers = join_all((0..2).map(|_| async {
        let (objects, purges) = (setting.objects(), setting.purges(7));
        for _ in 0..20 {
            let (objects, purges) = join(objects.pass(), purges.pass()).await;
            assert_eq!((objects.unwrap().failed, purges.unwrap().failed), (0, 0));
            sweeper.pass().await.unwrap();
        }
    }));
    let clock = async { setting.shard.advance(MINUTE + setting.shard.stays()).await };
    let ((deleted, _), ()) = join(join(deletes, servers), clock).await;
    assert!(deleted.iter().all(Result::is_ok));
    for _ in 0..3 {
        while sweeper.pass().await.unwrap().pastes > 0 {}
        let (objects, purges) = (setting.objects(), setting.purges(7));
        while objects.pass().await.unwrap().done + purges.pass().await.unwrap().done > 0 {}
        setting.shard.advance(LEASES_RUN_OUT).await;
    }
    assert_eq!(
        (setting.objects_left().await, setting.rows_left().await),
        (0, 0)
    );
    assert_eq!(setting.shard.number("select count(*) from paste").await, 1);
    let purged = setting.purged();
    for new in setting.deleted.iter().chain(&pastes) {
        let id = new.paste.id.to_string();
        assert!(purged.iter().filter(|tag| **tag == id).count() >= 2, "{id}");
    }
    assert!(!purged.contains(&living.paste.id.to_string()));
}
