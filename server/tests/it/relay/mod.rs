//! The relay on a shard of each kind, a real object folder and a CDN that is a real HTTP server.

mod faults;
mod killed;
mod outage;
mod setting;
mod steps;

use faults::*;
use outage::*;
use steps::*;

macro_rules! on_both {
    ($($name:ident)*) => {
        mod on_sqlite {
            $(
                #[tokio::test]
                async fn $name() {
                    super::$name::<crate::sqlite_store::SqliteShard>().await;
                }
            )*
        }

        mod on_postgres {
            $(
                #[tokio::test]
                async fn $name() {
                    super::$name::<crate::postgres_store::PostgresShard<false>>().await;
                }
            )*
        }
    };
}

on_both! {
    a_deletion_is_purged_its_object_deleted_and_purged_again
    without_a_cdn_only_the_object_is_deleted
    what_a_dead_relay_has_leased_is_carried_out_by_the_next
    a_poison_paste_holds_up_no_other_and_is_tried_ever_more_slowly
    a_cdn_that_hangs_or_is_gone_holds_up_no_object
    a_cdn_that_wants_to_be_left_alone_is
    an_object_that_cannot_be_deleted_holds_up_no_other_and_is_tried_again
    an_hour_without_a_cdn_that_refuses_connections_is_made_up_for
    an_hour_without_a_folder_of_objects_is_made_up_for
    two_relays_and_two_sweepers_at_once_do_no_harm
}
