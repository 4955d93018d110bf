//! Creates, and look-ups and reads of what they left.

use super::{HOUR, MINUTE};
use crate::store_shard::{
    Shard, assert_absent, assert_remembers, assert_there, claim, create, is_unread, look_up,
    sample, sample_in,
};
use app::wire::id::Slot;
use futures_util::future::join_all;
use oncebin::store::{CreateOutcome, NewPaste, StoreError};

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

/// More questions at once than one statement of any store takes, of every kind of answer, each about another paste.
pub(crate) async fn of_300_questions_at_once_each_gets_its_own_answer(shard: &impl Shard) {
    let now_ms = claim(shard).await;
    let samples: Vec<_> = (0..100).map(|number| sample(number, now_ms)).collect();
    let (there, absent) = samples.split_at(50);
    join_all(there.iter().map(|new| create(shard, new))).await;
    let there = join_all(there.iter().map(|new| assert_there(shard, new)));
    let absent = join_all(absent.iter().map(|new| assert_absent(shard, new)));
    let elsewhere = join_all((0..100).map(|number| {
        let new = sample_in(Slot::new(8), number, now_ms);
        async move {
            let unowned = shard.store().read(new.paste.id).await;
            assert_eq!(unowned, Err(StoreError::NotOwned));
            assert!(!look_up(shard, &new).await.owned);
        }
    }));
    tokio::join!(there, absent, elsewhere);
}

/// Readers share statements, but not what one of them meets.
pub(crate) async fn a_damaged_row_is_refused_to_its_own_readers_alone(shard: &impl Shard) {
    let now_ms = claim(shard).await;
    let samples: Vec<_> = (1..=60).map(|number| sample(number, now_ms)).collect();
    join_all(samples.iter().map(|new| create(shard, new))).await;
    let id = samples[40].paste.id;
    let damage = format!("update paste set size_bytes = -1 where id = '{id}'");
    shard.run(damage).await;
    let reads = samples.iter().map(|new| shard.store().read(new.paste.id));
    for (read, new) in join_all(reads).await.into_iter().zip(&samples) {
        if new.paste.id == id {
            assert_eq!(read, Err(StoreError::Unavailable));
        } else {
            assert_eq!(read.unwrap().unwrap().row, new.paste);
        }
    }
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
