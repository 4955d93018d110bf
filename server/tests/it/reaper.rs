//! The reaper on both databases: what it removes, what it keeps, and when it holds back.

use crate::harness::reaping::{DEADLINE, Place, Reaping};
use oncebin::workers::Reaped;
use std::fs;
use uuid::Uuid;

/// A test of its own on each database.
macro_rules! on_both {
    ($($name:ident)*) => {
        mod on_sqlite {
            $(#[tokio::test] async fn $name() { super::$name(super::Place::sqlite().await).await })*
        }
        mod on_postgres {
            $(#[tokio::test] async fn $name() { super::$name(super::Place::postgres().await).await })*
        }
    };
}

on_both! {
    an_orphan_goes_when_it_is_old_and_was_seen_twice
    what_has_a_row_stays_whatever_its_age
    a_create_that_is_open_keeps_its_object
    staging_files_go_by_age_and_foreign_names_never
    too_many_orphans_are_kept_until_the_operator_says_otherwise
    a_pass_that_saw_little_does_not_release_the_brake
    a_pass_that_saw_a_part_removes_a_normal_share_of_it
    a_shard_that_gave_its_slots_up_removes_nothing
}

async fn an_orphan_goes_when_it_is_old_and_was_seen_twice(place: Place) {
    let Reaping { reaper, stopwatch } = place.reaper(true);
    let (old, young) = (
        place.object_of_age(2 * DEADLINE),
        place.object_of_age(DEADLINE / 2),
    );
    let seen = Reaped {
        objects: 2,
        orphans: 1,
        ..Reaped::default()
    };
    assert_eq!(reaper.pass().await, seen, "seen once");
    stopwatch.advance(9 * DEADLINE);
    assert_eq!(reaper.pass().await, seen, "too soon after the first time");
    stopwatch.advance(DEADLINE);
    let removed = Reaped { removed: 1, ..seen };
    assert_eq!(reaper.pass().await, removed);
    assert!(!old.exists() && young.exists());
    let left = Reaped {
        objects: 1,
        ..Reaped::default()
    };
    assert_eq!(reaper.pass().await, left);
    place.age(&young, 2 * DEADLINE);
    assert_eq!(reaper.pass().await.removed, 0, "seen once");
    stopwatch.advance(10 * DEADLINE);
    assert_eq!(reaper.pass().await.removed, 1);
    assert_eq!(place.objects(), 0);
}

async fn what_has_a_row_stays_whatever_its_age(place: Place) {
    let Reaping { reaper, stopwatch } = place.reaper(true);
    let [live, deleted, expired] = [1, 2, 3].map(|number| place.sample(number));
    for new in [&live, &deleted, &expired] {
        place.put(new, 100 * DEADLINE);
        place.create(new).await;
    }
    place.delete(&deleted).await;
    place.expire(&expired).await;
    for _ in 0..3 {
        let expected = Reaped {
            objects: 3,
            ..Reaped::default()
        };
        assert_eq!(reaper.pass().await, expected);
        stopwatch.advance(20 * DEADLINE);
    }
    assert_eq!(place.objects(), 3);
}

/// Not reached in time, the barrier is no answer: the object is kept, and the create may still commit.
async fn a_create_that_is_open_keeps_its_object(place: Place) {
    let Reaping { reaper, stopwatch } = place.reaper(true);
    let new = place.sample(1);
    let object = place.put(&new, 2 * DEADLINE);
    assert_eq!(reaper.pass().await.orphans, 1);
    stopwatch.advance(20 * DEADLINE);
    let open = place.begin_create(&new).await;
    let expected = Reaped {
        slots_in_doubt: 1,
        ..Reaped::default()
    };
    assert_eq!(reaper.pass().await, expected);
    open.commit().await;
    assert_eq!(
        reaper.pass().await,
        Reaped {
            objects: 1,
            ..Reaped::default()
        }
    );
    assert!(object.exists());
}

async fn staging_files_go_by_age_and_foreign_names_never(place: Place) {
    let Reaping { reaper, .. } = place.reaper(true);
    let uuid = Uuid::new_v4();
    let staged = ["1", "27"].map(|number| place.file(&format!("{uuid}#{number}"), 2 * DEADLINE));
    let foreign = [
        "readme".to_owned(),
        "readme#1".to_owned(),
        format!("{uuid}.bak"),
        format!("{uuid}#x"),
        uuid.to_string().to_uppercase(),
        "00000000-0000-0000-0000-000000000000".to_owned(),
    ]
    .map(|name| place.file(&name, 1000 * DEADLINE));
    let below = place.folder().join("below");
    fs::create_dir(&below).unwrap();
    fs::write(below.join(uuid.to_string()), "x").unwrap();
    let young = place.file(&format!("{uuid}#3"), DEADLINE / 2);
    let expected = Reaped {
        staging_removed: 2,
        ..Reaped::default()
    };
    assert_eq!(reaper.pass().await, expected);
    assert!(staged.iter().all(|file| !file.exists()) && young.exists());
    assert!(foreign.iter().all(|file| file.exists()));
    assert!(below.join(uuid.to_string()).exists());
}

/// Eleven orphans, and nothing else.
const TOO_MANY: Reaped = Reaped {
    objects: 11,
    orphans: 11,
    removed: 0,
    staging_removed: 0,
    slots_in_doubt: 0,
    braked: true,
};

async fn too_many_orphans_are_kept_until_the_operator_says_otherwise(place: Place) {
    let Reaping { reaper, stopwatch } = place.reaper(true);
    let orphans: Vec<_> = (0..11).map(|_| place.object_of_age(2 * DEADLINE)).collect();
    for _ in 0..3 {
        assert_eq!(reaper.pass().await, TOO_MANY);
        stopwatch.advance(20 * DEADLINE);
    }
    let Reaping { reaper, stopwatch } = place.reaper(false);
    assert_eq!(reaper.pass().await.removed, 0);
    stopwatch.advance(20 * DEADLINE);
    assert_eq!(reaper.pass().await.removed, 11);
    assert!(orphans.iter().all(|orphan| !orphan.exists()));
}

/// The rows are wrong, as after a restore. A folder that cannot be listed, or a shard that cannot be asked for its rows,
/// says nothing of that.
async fn a_pass_that_saw_little_does_not_release_the_brake(place: Place) {
    let Reaping { reaper, stopwatch } = place.reaper(true);
    let orphans: Vec<_> = (0..11).map(|_| place.object_of_age(2 * DEADLINE)).collect();
    let saw_nothing = Reaped {
        slots_in_doubt: 1,
        braked: true,
        ..Reaped::default()
    };
    for _ in 0..2 {
        assert_eq!(reaper.pass().await, TOO_MANY);
        stopwatch.advance(20 * DEADLINE);
        let hidden = place.hide_folder();
        assert_eq!(reaper.pass().await, saw_nothing);
        place.show_folder(hidden);
        stopwatch.advance(20 * DEADLINE);
        assert_eq!(reaper.pass().await, TOO_MANY);
        place.hide_rows().await;
        assert_eq!(reaper.pass().await, saw_nothing);
        place.show_rows().await;
        stopwatch.advance(20 * DEADLINE);
    }
    assert!(orphans.iter().all(|orphan| orphan.exists()));
    // What is right again is seen to be, in one whole pass.
    for orphan in &orphans[1..] {
        place.age(orphan, DEADLINE / 2);
    }
    assert_eq!(reaper.pass().await.removed, 1);
}

/// A slot whose folder is broken for good keeps the orphans of no other, unless there are suspiciously many.
async fn a_pass_that_saw_a_part_removes_a_normal_share_of_it(place: Place) {
    let Reaping { reaper, stopwatch } = place.reaper(true);
    place.own_a_slot_without_folder().await;
    let orphan = place.object_of_age(2 * DEADLINE);
    for number in 1..=9 {
        let expected = Reaped {
            objects: number.into(),
            orphans: 1,
            slots_in_doubt: 1,
            ..Reaped::default()
        };
        assert_eq!(reaper.pass().await, expected, "one of {number}");
        stopwatch.advance(20 * DEADLINE);
        let new = place.sample(number);
        place.put(&new, 2 * DEADLINE);
        place.create(&new).await;
    }
    assert_eq!(reaper.pass().await.removed, 1);
    assert!(!orphan.exists());
}

async fn a_shard_that_gave_its_slots_up_removes_nothing(place: Place) {
    let Reaping { reaper, stopwatch } = place.reaper(true);
    let object = place.object_of_age(2 * DEADLINE);
    assert_eq!(reaper.pass().await.orphans, 1);
    stopwatch.advance(20 * DEADLINE);
    place.give_slots_up().await;
    assert_eq!(reaper.pass().await, Reaped::default());
    assert!(object.exists());
    place.close().await;
    assert_eq!(reaper.pass().await.slots_in_doubt, 256);
    assert!(object.exists());
}
