//! What every store must do, whichever database is below it. Each function gets a shard without slots.
//!
//! A store's test file opens a shard of its own kind and says `suite!(ItsShard)`, which makes a test of each function.

mod create;
mod delete;
mod named;
mod operator;
mod outbox;
mod slots;
mod sweep;

pub(crate) use create::*;
pub(crate) use delete::*;
pub(crate) use named::*;
pub(crate) use operator::*;
pub(crate) use outbox::*;
pub(crate) use slots::*;
pub(crate) use sweep::*;

use std::time::Duration;

macro_rules! suite {
    ($shard:ty) => {
        $crate::store_conformance::suite! { $shard:
            a_created_paste_is_read_and_its_key_is_known
            an_unknown_key_or_id_is_absent
            of_300_questions_at_once_each_gets_its_own_answer
            a_damaged_row_is_refused_to_its_own_readers_alone
            losers_leave_nothing_and_spoil_no_neighbour
            a_slot_that_is_not_owned_takes_no_paste
            what_is_left_of_a_slot_given_up_is_neither_read_nor_deleted
            a_create_past_its_deadline_is_refused
            a_key_is_known_for_25_hours_and_then_free
            an_expired_paste_is_neither_read_nor_deleted
            a_deleted_paste_leaves_an_outbox_row_and_its_key
            a_delete_without_its_outbox_row_deletes_nothing
            objects_of_pastes_and_of_the_outbox_are_named
            the_barrier_waits_for_a_create_that_is_open
            a_barrier_that_is_not_reached_is_no_answer
            a_create_after_the_barrier_is_past_its_deadline
            a_takedown_needs_no_token_and_leaves_what_a_delete_leaves
            rows_are_listed_slot_by_slot_and_page_by_page
            what_is_left_over_for_the_workers_is_counted
            an_examined_shard_says_what_it_is
            of_64_creates_with_one_key_one_wins_and_every_loser_sees_it
            of_64_deletes_one_deletes
            slots_are_claimed_once
            a_closed_store_refuses
            a_deletion_goes_step_by_step_and_leaves_after_the_last_purge
            the_last_purge_waits_for_an_object_that_is_deleted_late
            a_first_purge_long_after_the_object_is_gone_is_the_last
            a_lease_that_was_taken_over_settles_nothing
            a_failed_step_is_counted_and_due_again_when_it_has_rested
            relays_at_once_lease_each_row_once
            deletes_go_before_what_was_swept
            the_backlog_is_counted_and_its_oldest_row_has_an_age
            no_more_of_a_backlog_is_counted_than_matters
            purges_are_dropped_a_while_after_the_object_is_gone
            what_a_wrong_clock_has_put_off_too_far_is_due
            what_a_wrong_clock_has_as_gone_later_is_gone_now
            an_expired_paste_leaves_with_its_outbox_row_and_without_its_key
            an_expired_key_leaves_without_its_paste
            a_paste_whose_object_is_in_the_outbox_is_swept_all_the_same
            sweepers_and_deletes_at_once_take_each_paste_once
            sweepers_and_creates_at_once_leave_live_keys_alone
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
