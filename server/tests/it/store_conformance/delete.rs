//! Deletes, and pastes that have expired.

use super::MINUTE;
use crate::store_shard::{
    Shard, assert_remembers, assert_there, claim, create, delete, is_unread, look_up, outbox_row,
    sample,
};
use futures_util::future::join_all;
use oncebin::store::{CreateOutcome, DeleteOutcome};

pub(crate) async fn an_expired_paste_is_neither_read_nor_deleted(shard: &impl Shard) {
    let now_ms = claim(shard).await;
    let mut new = sample(1, now_ms);
    new.paste.expires_at_ms = now_ms + 60_000;
    assert_eq!(create(shard, &new).await, CreateOutcome::Created);
    shard.advance(MINUTE).await;
    assert!(is_unread(shard, &new).await);
    assert_eq!(delete(shard, &new).await, DeleteOutcome::NotFound);
    assert_eq!(shard.outbox().await, []);
    assert_remembers(look_up(shard, &new).await.row.unwrap(), &new);
}

pub(crate) async fn a_deleted_paste_leaves_an_outbox_row_and_its_key(shard: &impl Shard) {
    let now_ms = claim(shard).await;
    let new = sample(1, now_ms);
    assert_eq!(create(shard, &new).await, CreateOutcome::Created);
    let wrong_token = shard.store().delete(new.paste.id, &[0; 32]).await;
    assert_eq!(wrong_token, Ok(DeleteOutcome::NotFound));
    assert_there(shard, &new).await;
    assert_eq!(shard.store().is_in_outbox(new.paste.id).await, Ok(false));
    assert_eq!(delete(shard, &new).await, DeleteOutcome::Deleted);
    assert_eq!(shard.store().is_in_outbox(new.paste.id).await, Ok(true));
    assert!(is_unread(shard, &new).await);
    assert_eq!(delete(shard, &new).await, DeleteOutcome::NotFound);
    assert_eq!(shard.outbox().await, [outbox_row(&new)]);
    let mut retry = sample(2, now_ms);
    retry.key_hash = new.key_hash;
    assert_eq!(create(shard, &retry).await, CreateOutcome::KeyTaken);
    assert_remembers(look_up(shard, &new).await.row.unwrap(), &new);
}

pub(crate) async fn a_delete_without_its_outbox_row_deletes_nothing(shard: &impl Shard) {
    let now_ms = claim(shard).await;
    let (blocked, neighbour) = (sample(1, now_ms), sample(2, now_ms));
    for new in [&blocked, &neighbour] {
        assert_eq!(create(shard, new).await, CreateOutcome::Created);
    }
    let object_key = &blocked.paste.object_key;
    shard
        .run(format!(
            "insert into outbox (paste_id, object_key, created_at) values ('x', '{object_key}', 0)"
        ))
        .await;
    let token_hash = blocked.token_hash;
    let (refused, deleted) = tokio::join!(
        shard.store().delete(blocked.paste.id, &token_hash),
        delete(shard, &neighbour)
    );
    assert!(refused.is_err());
    assert_there(shard, &blocked).await;
    assert_eq!(deleted, DeleteOutcome::Deleted);
    shard
        .run("delete from outbox where paste_id = 'x'".into())
        .await;
    assert_eq!(delete(shard, &blocked).await, DeleteOutcome::Deleted);
    let expected = [outbox_row(&neighbour), outbox_row(&blocked)];
    assert_eq!(shard.outbox().await, expected);
}

pub(crate) async fn of_64_deletes_one_deletes(shard: &impl Shard) {
    let now_ms = claim(shard).await;
    let new = sample(1, now_ms);
    assert_eq!(create(shard, &new).await, CreateOutcome::Created);
    let outcomes = join_all((0..64).map(|_| async {
        let outcome = delete(shard, &new).await;
        assert!(is_unread(shard, &new).await);
        outcome
    }))
    .await;
    let deleted = outcomes
        .iter()
        .filter(|outcome| **outcome == DeleteOutcome::Deleted);
    assert_eq!(deleted.count(), 1);
    assert_eq!(shard.outbox().await, [outbox_row(&new)]);
}
