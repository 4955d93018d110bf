//! Sweeps of expired rows.

use super::{HOUR, MINUTE};
use crate::store_shard::{
    Shard, assert_remembers, assert_there, claim, create, look_up, outbox_row, sample,
};
use futures_util::future::{join, join_all};
use oncebin::store::{CreateOutcome, NewPaste};
use std::collections::BTreeSet;

/// Pastes that expire one minute after another, their keys remembered for 25 hours.
async fn expiring(shard: &impl Shard, number: u32) -> Vec<NewPaste> {
    let now_ms = claim(shard).await;
    let mut pastes = Vec::new();
    for number in 1..=number {
        let mut new = sample(number, now_ms);
        new.paste.expires_at_ms = now_ms + 60_000 * i64::from(number);
        assert_eq!(create(shard, &new).await, CreateOutcome::Created);
        pastes.push(new);
    }
    pastes
}

pub(crate) async fn an_expired_paste_leaves_with_its_outbox_row_and_without_its_key(
    shard: &impl Shard,
) {
    let pastes = expiring(shard, 4).await;
    let store = shard.store();
    shard.advance(shard.stays()).await;
    assert_eq!(store.sweep_pastes(500).await, Ok(0));
    shard.advance(3 * MINUTE).await;
    assert_eq!(store.sweep_pastes(2).await, Ok(2));
    let swept = [&pastes[0], &pastes[1]].map(outbox_row);
    assert_eq!(shard.outbox().await, swept);
    assert_eq!(store.sweep_pastes(2).await, Ok(1));
    assert_eq!(store.sweep_pastes(2).await, Ok(0));
    assert_eq!(shard.outbox().await.len(), 3);
    assert_eq!(shard.number("select count(*) from paste").await, 1);
    assert_eq!(shard.number("select count(*) from idempotency").await, 4);
}

pub(crate) async fn an_expired_key_leaves_without_its_paste(shard: &impl Shard) {
    let now_ms = claim(shard).await;
    let first = sample(1, now_ms);
    assert_eq!(create(shard, &first).await, CreateOutcome::Created);
    shard.advance(25 * HOUR - MINUTE).await;
    let second = sample(2, look_up(shard, &first).await.now_ms);
    assert_eq!(create(shard, &second).await, CreateOutcome::Created);
    assert_eq!(shard.store().sweep_keys(500).await, Ok(0));
    assert_remembers(look_up(shard, &first).await.row.unwrap(), &first);
    shard.advance(MINUTE + shard.stays()).await;
    assert_eq!(shard.store().sweep_keys(1).await, Ok(1));
    assert_eq!(shard.store().sweep_keys(500).await, Ok(0));
    assert_eq!(shard.outbox().await, []);
    assert_eq!(shard.number("select count(*) from idempotency").await, 1);
    assert_eq!(shard.number("select count(*) from paste").await, 2);
}

pub(crate) async fn a_paste_whose_object_is_in_the_outbox_is_swept_all_the_same(
    shard: &impl Shard,
) {
    let pastes = expiring(shard, 2).await;
    let object_key = &pastes[0].paste.object_key;
    shard
        .run(format!(
            "insert into outbox (paste_id, object_key, created_at) values ('x', '{object_key}', 0)"
        ))
        .await;
    shard.advance(2 * MINUTE + shard.stays()).await;
    assert_eq!(shard.store().sweep_pastes(500).await, Ok(2));
    let there_before = ("x".to_owned(), object_key.clone());
    assert_eq!(shard.outbox().await, [there_before, outbox_row(&pastes[1])]);
}

/// The clock passes the expiries while pastes are deleted: whoever comes first, each leaves once.
pub(crate) async fn sweepers_and_deletes_at_once_take_each_paste_once(shard: &impl Shard) {
    const PASTES: usize = 80;
    let pastes = expiring(shard, u32::try_from(PASTES).unwrap()).await;
    let store = shard.store();
    let deletes = join_all(pastes.iter().rev().map(|new| async {
        let deleted = store.delete(new.paste.id, &new.token_hash).await;
        deleted.expect("a delete never fails for a sweep")
    }));
    let sweeps = async {
        shard.advance(40 * MINUTE + shard.stays()).await;
        let sweeping = (0..4).map(|_| async {
            let mut swept = 0;
            for _ in 0..10 {
                swept += store
                    .sweep_pastes(7)
                    .await
                    .expect("nor a sweep for a delete");
            }
            swept
        });
        join_all(sweeping).await
    };
    join(deletes, sweeps).await;
    shard.advance(40 * MINUTE).await;
    while store.sweep_pastes(500).await.unwrap() > 0 {}
    let outbox = shard.outbox().await;
    let expected: BTreeSet<_> = pastes.iter().map(outbox_row).collect();
    assert_eq!(outbox.len(), PASTES);
    assert_eq!(outbox.into_iter().collect::<BTreeSet<_>>(), expected);
    assert_eq!(shard.number("select count(*) from idempotency").await, 80);
}

pub(crate) async fn sweepers_and_creates_at_once_leave_live_keys_alone(shard: &impl Shard) {
    let now_ms = claim(shard).await;
    for number in 1..=40 {
        let new = sample(number, now_ms);
        assert_eq!(create(shard, &new).await, CreateOutcome::Created);
    }
    shard.advance(25 * HOUR + shard.stays()).await;
    let store = shard.store();
    let now_ms = look_up(shard, &sample(1, 0)).await.now_ms;
    // Half of them take a key that has expired, and that a sweeper may be about to remove.
    let news: Vec<_> = (41..=80)
        .map(|number| {
            let mut new = sample(number, now_ms);
            if number % 2 == 0 {
                new.key_hash = sample(number - 40, 0).key_hash;
            }
            new
        })
        .collect();
    let creates = join_all(news.iter().map(|new| create(shard, new)));
    let sweeps = join_all((0..20).map(|_| store.sweep_keys(5)));
    let (created, swept) = join(creates, sweeps).await;
    assert!(created.iter().all(|was| *was == CreateOutcome::Created));
    assert!(swept.iter().all(Result::is_ok), "{swept:?}");
    while store.sweep_keys(500).await.unwrap() > 0 {}
    for new in &news {
        assert_there(shard, new).await;
    }
    assert_eq!(shard.number("select count(*) from idempotency").await, 40);
}
