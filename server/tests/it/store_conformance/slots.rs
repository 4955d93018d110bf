//! Slots: claimed, not owned, given up; and a store that is closed.

use crate::store_shard::{SLOT, Shard, assert_there, claim, create, look_up, sample, sample_in};
use app::wire::id::Slot;
use futures_util::future::join_all;
use oncebin::store::{CreateOutcome, StoreError};

pub(crate) async fn a_slot_that_is_not_owned_takes_no_paste(shard: &impl Shard) {
    let now_ms = claim(shard).await;
    let stranger = sample_in(Slot::new(8), 1, now_ms);
    let neighbours = [sample(2, now_ms), sample(3, now_ms)];
    let outcomes = join_all([
        create(shard, &neighbours[0]),
        create(shard, &stranger),
        create(shard, &neighbours[1]),
    ])
    .await;
    assert_eq!(outcomes[1], CreateOutcome::NotOwned);
    let found = look_up(shard, &stranger).await;
    assert!(!found.owned && found.row.is_none());
    let unread = shard.store().read(stranger.paste.id).await;
    assert_eq!(unread, Err(StoreError::NotOwned));
    for neighbour in &neighbours {
        assert_there(shard, neighbour).await;
    }
}

/// Another shard may have the paste by now, and its object.
pub(crate) async fn what_is_left_of_a_slot_given_up_is_neither_read_nor_deleted(
    shard: &impl Shard,
) {
    let now_ms = claim(shard).await;
    let new = sample(1, now_ms);
    assert_eq!(create(shard, &new).await, CreateOutcome::Created);
    shard.run("delete from slot".into()).await;
    let store = shard.store();
    assert_eq!(store.read(new.paste.id).await, Err(StoreError::NotOwned));
    for token_hash in [new.token_hash, [0; 32]] {
        let refused = store.delete(new.paste.id, &token_hash).await;
        assert_eq!(refused, Err(StoreError::NotOwned));
    }
    assert_eq!(shard.outbox().await, []);
    shard.run("insert into slot values (7)".into()).await;
    assert_there(shard, &new).await;
}

/// Of two claims at once one wins, whichever it is.
pub(crate) async fn slots_are_claimed_once(shard: &impl Shard) {
    let store = shard.store();
    assert_eq!(store.owned_slots().await, Ok(vec![]));
    assert_eq!(store.bring_up().await, Ok(Some(vec![])));
    let claims = [[3, 200, 4], [5, 7, 6]].map(|numbers| numbers.map(Slot::new));
    let answers = join_all(claims.iter().map(|slots| store.claim_slots(slots))).await;
    let winner = answers.iter().position(|answer| *answer == Ok(true));
    let mut ascending = claims[winner.expect("one wins")].to_vec();
    ascending.sort_by_key(|slot| slot.number());
    assert!(answers.contains(&Ok(false)));
    assert_eq!(store.owned_slots().await, Ok(ascending.clone()));
    for slots in &claims {
        assert_eq!(store.claim_slots(slots).await, Ok(false));
    }
    assert_eq!(store.owned_slots().await, Ok(ascending.clone()));
    assert_eq!(store.bring_up().await, Ok(Some(ascending)));
}

pub(crate) async fn a_closed_store_refuses(shard: &impl Shard) {
    let now_ms = claim(shard).await;
    let new = sample(1, now_ms);
    let store = shard.store();
    store.close().await;
    assert!(store.look_up(SLOT, &new.key_hash).await.is_err());
    assert!(store.read(new.paste.id).await.is_err());
    assert!(store.delete(new.paste.id, &new.token_hash).await.is_err());
    assert!(store.is_in_outbox(new.paste.id).await.is_err());
    assert!(store.owned_slots().await.is_err());
    assert!(store.claim_slots(&[SLOT]).await.is_err());
    assert!(store.create(new).await.is_err());
}
