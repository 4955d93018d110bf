//! What every store must do, whichever database is below it. Each function gets a shard without slots.
//!
//! A store's test file opens a shard of its own kind and says `suite!(ItsShard)`, which makes a test of each function.

use crate::store_shard::{
    SLOT, Shard, assert_absent, assert_remembers, assert_there, claim, create, delete, is_unread,
    look_up, outbox_row, sample, sample_in,
};
use app::wire::id::Slot;
use futures_util::future::join_all;
use oncebin::store::{CreateOutcome, DeleteOutcome, NewPaste, StoreError};
use std::time::Duration;

macro_rules! suite {
    ($shard:ty) => {
        $crate::store_conformance::suite! { $shard:
            a_created_paste_is_read_and_its_key_is_known
            an_unknown_key_or_id_is_absent
            losers_leave_nothing_and_spoil_no_neighbour
            a_slot_that_is_not_owned_takes_no_paste
            what_is_left_of_a_slot_given_up_is_neither_read_nor_deleted
            a_create_past_its_deadline_is_refused
            a_key_is_known_for_25_hours_and_then_free
            an_expired_paste_is_neither_read_nor_deleted
            a_deleted_paste_leaves_an_outbox_row_and_its_key
            a_delete_without_its_outbox_row_deletes_nothing
            of_64_creates_with_one_key_one_wins_and_every_loser_sees_it
            of_64_deletes_one_deletes
            slots_are_claimed_once
            a_closed_store_refuses
        }
    };
    ($shard:ty: $($name:ident)*) => {
        $(
            #[tokio::test]
            async fn $name() {
                let shard = <$shard as $crate::store_shard::Shard>::open().await;
                $crate::store_conformance::$name(&shard).await;
            }
        )*
    };
}
pub(crate) use suite;

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);

pub(crate) async fn a_created_paste_is_read_and_its_key_is_known(shard: &impl Shard) {
    let now_ms = claim(shard).await;
    let bare = sample(1, now_ms);
    let mut named = sample(2, now_ms);
    named.paste.title = Some("Grüße, \"quoted\" \u{1f600}".into());
    named.paste.syntax = Some("rust".into());
    for new in [bare, named] {
        assert_eq!(create(shard, &new).await, CreateOutcome::Created);
        let live = shard.store().read(new.paste.id).await.unwrap().unwrap();
        assert_eq!(live.row, new.paste);
        assert!(live.now_ms >= now_ms && live.now_ms < new.deadline_ms);
        let found = look_up(shard, &new).await;
        assert!(found.owned);
        assert_remembers(found.row.unwrap(), &new);
    }
}

pub(crate) async fn an_unknown_key_or_id_is_absent(shard: &impl Shard) {
    let now_ms = claim(shard).await;
    assert_eq!(
        create(shard, &sample(1, now_ms)).await,
        CreateOutcome::Created
    );
    assert_absent(shard, &sample(2, now_ms)).await;
}

/// All in one group commit: the writer finds every member waiting, since nothing ran between their sends.
pub(crate) async fn losers_leave_nothing_and_spoil_no_neighbour(shard: &impl Shard) {
    let now_ms = claim(shard).await;
    let first = sample(0, now_ms);
    assert_eq!(create(shard, &first).await, CreateOutcome::Created);
    let mut members: Vec<_> = (1..=9).map(|number| sample(number, now_ms)).collect();
    members[2].paste.id = first.paste.id;
    members[4].key_hash = first.key_hash;
    members[6]
        .paste
        .object_key
        .clone_from(&first.paste.object_key);
    let outcomes = join_all(members.iter().map(|new| create(shard, new))).await;
    let mut expected = [CreateOutcome::Created; 9];
    expected[2] = CreateOutcome::IdTaken;
    expected[4] = CreateOutcome::KeyTaken;
    expected[6] = CreateOutcome::IdTaken;
    assert_eq!(outcomes, expected);
    for (new, outcome) in members.iter().zip(outcomes) {
        if outcome == CreateOutcome::Created {
            assert_there(shard, new).await;
        }
    }
    assert_there(shard, &first).await;
    assert!(look_up(shard, &members[2]).await.row.is_none());
    assert!(is_unread(shard, &members[4]).await);
    assert_absent(shard, &members[6]).await;
}

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

pub(crate) async fn a_create_past_its_deadline_is_refused(shard: &impl Shard) {
    let now_ms = claim(shard).await;
    let new = sample(1, now_ms);
    shard.advance(MINUTE).await;
    assert_eq!(create(shard, &new).await, CreateOutcome::TooLate);
    assert_absent(shard, &new).await;
}

pub(crate) async fn a_key_is_known_for_25_hours_and_then_free(shard: &impl Shard) {
    let now_ms = claim(shard).await;
    let first = sample(1, now_ms);
    assert_eq!(create(shard, &first).await, CreateOutcome::Created);
    shard.advance(25 * HOUR - MINUTE).await;
    let mut second = sample(2, look_up(shard, &first).await.now_ms);
    second.key_hash = first.key_hash;
    assert_eq!(create(shard, &second).await, CreateOutcome::KeyTaken);
    assert_remembers(look_up(shard, &first).await.row.unwrap(), &first);
    shard.advance(MINUTE).await;
    let expired = look_up(shard, &first).await;
    assert!(expired.row.is_none());
    second.deadline_ms = expired.now_ms + 30_000;
    assert_eq!(create(shard, &second).await, CreateOutcome::Created);
    assert_there(shard, &second).await;
    assert!(!is_unread(shard, &first).await);
}

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

pub(crate) async fn of_64_creates_with_one_key_one_wins_and_every_loser_sees_it(
    shard: &impl Shard,
) {
    let now_ms = claim(shard).await;
    let key_hash = sample(0, now_ms).key_hash;
    let members: Vec<_> = (1..=64)
        .map(|number| NewPaste {
            key_hash,
            ..sample(number, now_ms)
        })
        .collect();
    let attempts = members.iter().map(|new| async {
        let outcome = create(shard, new).await;
        (outcome, look_up(shard, new).await.row)
    });
    let mut winners = Vec::new();
    let mut seen = Vec::new();
    for ((outcome, row), new) in join_all(attempts).await.into_iter().zip(&members) {
        seen.push(
            row.expect("the winner is visible to whoever is answered")
                .answer,
        );
        match outcome {
            CreateOutcome::Created => winners.push(new),
            other => {
                assert_eq!(other, CreateOutcome::KeyTaken);
                assert!(is_unread(shard, new).await);
            }
        }
    }
    assert_eq!(winners.len(), 1);
    assert_there(shard, winners[0]).await;
    assert!(seen.iter().all(|row| *row == winners[0].remembered.answer));
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

/// Of two claims at once one wins, whichever it is.
pub(crate) async fn slots_are_claimed_once(shard: &impl Shard) {
    let store = shard.store();
    assert_eq!(store.owned_slots().await, Ok(vec![]));
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
    assert_eq!(store.owned_slots().await, Ok(ascending));
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
