//! What every store must do, whichever database is below it. Each function gets a shard without slots.
//!
//! A store's test file opens a shard of its own kind and says `suite!(ItsShard)`, which makes a test of each function.

mod create;
mod delete;
mod named;
mod operator;
mod slots;

pub(crate) use create::*;
pub(crate) use delete::*;
pub(crate) use named::*;
pub(crate) use operator::*;
pub(crate) use slots::*;

use std::time::Duration;

macro_rules! suite {
    ($shard:ty) => {
        $crate::store_conformance::suite! { $shard:
            a_created_paste_is_read_and_its_key_is_known
            an_unknown_key_or_id_is_absent
            of_300_questions_at_once_each_gets_its_own_answer
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
            the_backlog_counts_what_the_workers_have_to_do
            an_examined_shard_says_what_it_is
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
