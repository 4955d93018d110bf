//! What the operator's commands ask.

use super::MINUTE;
use crate::store_shard::{
    Shard, assert_remembers, claim, create, delete, is_unread, look_up, outbox_row, sample,
};
use app::wire::id::Slot;
use oncebin::store::{CreateOutcome, DeleteOutcome, StoreError, Waiting};

pub(crate) async fn a_takedown_needs_no_token_and_leaves_what_a_delete_leaves(shard: &impl Shard) {
    let now_ms = claim(shard).await;
    let mut pastes = [1, 2, 3].map(|number| sample(number, now_ms));
    pastes[1].paste.expires_at_ms = now_ms + 1;
    for new in &pastes {
        assert_eq!(create(shard, new).await, CreateOutcome::Created);
    }
    shard.advance(MINUTE).await;
    let store = shard.store();
    for new in &pastes[..2] {
        let taken = store.take_down(new.paste.id).await;
        assert_eq!(taken, Ok(DeleteOutcome::Deleted), "also an expired one");
        assert!(is_unread(shard, new).await);
        let again = store.take_down(new.paste.id).await;
        assert_eq!(again, Ok(DeleteOutcome::NotFound));
        assert_remembers(look_up(shard, new).await.row.unwrap(), new);
    }
    let expected = [outbox_row(&pastes[0]), outbox_row(&pastes[1])];
    assert_eq!(shard.outbox().await, expected);
    shard.run("delete from slot".into()).await;
    let refused = store.take_down(pastes[2].paste.id).await;
    assert_eq!(refused, Err(StoreError::NotOwned));
    assert_eq!(shard.outbox().await, expected);
}

pub(crate) async fn rows_are_listed_slot_by_slot_and_page_by_page(shard: &impl Shard) {
    let now_ms = claim(shard).await;
    let mut expected = Vec::new();
    for number in 1..=7 {
        let mut new = sample(number, now_ms);
        new.paste.object_key = format!("007/{}", uuid::Uuid::new_v4());
        new.paste.expires_at_ms = now_ms + i64::from(number);
        assert_eq!(create(shard, &new).await, CreateOutcome::Created);
        expected.push((new.paste.object_key, new.paste.id.to_string()));
    }
    expected.sort();
    let (mut listed, mut after) = (Vec::new(), None);
    loop {
        let page = shard
            .store()
            .rows_of_slot(Slot::new(7), after.as_deref(), 3);
        let page = page.await.unwrap();
        let Some(last) = page.last() else { break };
        assert!(page.len() <= 3);
        after = Some(last.object_key.clone());
        listed.extend(page.into_iter().map(|row| (row.object_key, row.id)));
    }
    assert_eq!(listed, expected);
    for other in [6, 8] {
        let other = shard.store().rows_of_slot(Slot::new(other), None, 3).await;
        assert_eq!(other, Ok(vec![]));
    }
}

pub(crate) async fn what_is_left_over_for_the_workers_is_counted(shard: &impl Shard) {
    let now_ms = claim(shard).await;
    let mut pastes = [1, 2, 3].map(|number| sample(number, now_ms));
    pastes[0].paste.expires_at_ms = now_ms + 60_000;
    for new in &pastes {
        assert_eq!(create(shard, new).await, CreateOutcome::Created);
    }
    let nothing = shard.store().left_over().await.unwrap();
    assert_eq!(nothing, oncebin::store::LeftOver::default());
    assert_eq!(delete(shard, &pastes[1]).await, DeleteOutcome::Deleted);
    shard.advance(26 * 60 * MINUTE).await;
    let backlog = shard.store().left_over().await.unwrap();
    assert_eq!(backlog.outbox_first, [pastes[1].paste.id.to_string()]);
    for (waiting, rows, hours) in [
        (backlog.outbox, 1, 26),
        (backlog.pastes, 1, 26),
        (backlog.keys, 3, 1),
    ] {
        let Waiting {
            rows: found,
            oldest_seconds,
        } = waiting;
        assert_eq!((found, (oldest_seconds + 120) / 3600), (rows, hours));
    }
}

pub(crate) async fn an_examined_shard_says_what_it_is(shard: &impl Shard) {
    let before = shard.store().examine().await;
    assert_eq!(before.owned, Some(vec![]));
    claim(shard).await;
    let found = shard.store().examine().await;
    assert!(found.product.contains(" "), "{found:?}");
    assert_eq!(found.owned, Some(vec![Slot::new(7)]));
    shard
        .run("update _sqlx_migrations set version = version - 1000".into())
        .await;
    let found = shard.store().examine().await;
    let has_fault = found
        .faults
        .iter()
        .any(|fault| fault.contains("its schema is at step -"));
    assert!(has_fault, "{found:?}");
    shard.run("drop table slot".into()).await;
    let found = shard.store().examine().await;
    assert_eq!(found.owned, None);
    let has_fault = found
        .faults
        .iter()
        .any(|fault| fault.contains("it has no tables"));
    assert!(has_fault, "{found:?}");
}
