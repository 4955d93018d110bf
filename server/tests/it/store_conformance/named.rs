//! Which objects have rows, and the barrier before which no answer counts.

use super::MINUTE;
use crate::store_shard::{SLOT, Shard, assert_absent, claim, create, delete, sample};
use app::wire::id::Slot;
use oncebin::store::{CreateOutcome, DeleteOutcome, NewPaste, StoreError};
use std::collections::HashSet;

fn object_keys<'a>(pastes: impl IntoIterator<Item = &'a NewPaste>) -> Vec<String> {
    let keys = pastes.into_iter().map(|new| new.paste.object_key.clone());
    keys.collect()
}

pub(crate) async fn objects_of_pastes_and_of_the_outbox_are_named(shard: &impl Shard) {
    let now_ms = claim(shard).await;
    let mut pastes = [1, 2, 3, 4].map(|number| sample(number, now_ms));
    pastes[2].paste.expires_at_ms = now_ms + 1;
    for new in &pastes[..3] {
        assert_eq!(create(shard, new).await, CreateOutcome::Created);
    }
    assert_eq!(delete(shard, &pastes[1]).await, DeleteOutcome::Deleted);
    shard.advance(MINUTE).await;
    let (asked, store) = (object_keys(&pastes), shard.store());
    let named: HashSet<_> = object_keys(&pastes[..3]).into_iter().collect();
    assert_eq!(store.named(&asked).await, Ok(named.clone()));
    assert_eq!(store.named_after_creates(SLOT, &asked).await, Ok(named));
    assert_eq!(store.named(&[]).await, Ok(HashSet::new()));
    let stranger = store.named_after_creates(Slot::new(8), &asked).await;
    assert_eq!(stranger, Err(StoreError::NotOwned));
}

pub(crate) async fn the_barrier_waits_for_a_create_that_is_open(shard: &impl Shard) {
    let new = sample(1, claim(shard).await);
    let asked = object_keys([&new]);
    let open = shard.begin_create(&new).await;
    assert_eq!(shard.store().named(&asked).await, Ok(HashSet::new()));
    let ending = async {
        shard.until_it_waits().await;
        commit(shard, open).await;
    };
    let barrier = shard.store().named_after_creates(SLOT, &asked);
    let (named, ()) = tokio::join!(barrier, ending);
    assert_eq!(named, Ok(asked.into_iter().collect()));
}

/// It gives up sooner than the create does: a second on PostgreSQL, five on SQLite.
pub(crate) async fn a_barrier_that_is_not_reached_is_no_answer(shard: &impl Shard) {
    let new = sample(1, claim(shard).await);
    let asked = object_keys([&new]);
    let open = shard.begin_create(&new).await;
    let given_up = shard.store().named_after_creates(SLOT, &asked).await;
    assert!(
        matches!(given_up, Err(StoreError::Busy | StoreError::Unavailable)),
        "{given_up:?}"
    );
    commit(shard, open).await;
    let named = shard.store().named_after_creates(SLOT, &asked).await;
    assert_eq!(named, Ok(asked.into_iter().collect()));
}

/// So an object that was not named then, and that old, never will be.
pub(crate) async fn a_create_after_the_barrier_is_past_its_deadline(shard: &impl Shard) {
    let new = sample(1, claim(shard).await);
    shard.advance(MINUTE).await;
    let asked = object_keys([&new]);
    let named = shard.store().named_after_creates(SLOT, &asked).await;
    assert_eq!(named, Ok(HashSet::new()));
    assert_eq!(create(shard, &new).await, CreateOutcome::TooLate);
    assert_absent(shard, &new).await;
}

async fn commit<S: Shard>(_: &S, session: S::Session) {
    S::commit(session).await;
}
