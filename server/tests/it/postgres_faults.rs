//! A network that fails in the middle of a create: it ends as the stored 201 or as 503 "same key", never as a second
//! paste, and the object of a paste is always there.

use crate::harness::fault_proxy::{Fault, Side};
use crate::harness::{OneShard, Reply, assert_at_once, assert_refused, fresh_key};
use futures_util::future::join_all;
use std::time::Duration;
use tokio::time::timeout;

/// A look-up of a shard that is silent is given up after about 6 s.
const IN_TIME: Duration = Duration::from_secs(20);

/// What the create's statement has and no other.
const CREATE: &str = "insert into idempotency";

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_whose_reply_is_lost_ends_as_the_stored_201() {
    let service = OneShard::start().await;
    let key = fresh_key();
    service.proxy.set(Fault::LoseReplyTo(CREATE));
    let reply = service.save(&key, "text").await;
    assert_eq!(service.proxy.now(), Fault::Pass, "the fault has struck");
    assert_settled(&service, &key, &reply).await;
    service.assert_pastes(1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_that_nobody_can_ask_about_ends_as_503_and_then_as_the_stored_201() {
    let service = OneShard::start().await;
    let key = fresh_key();
    service
        .proxy
        .set_then(Fault::LoseReplyTo(CREATE), Fault::Down);
    let reply = service.save(&key, "text").await;
    assert_eq!(service.proxy.now(), Fault::Down, "the fault has struck");
    assert_refused(&reply);
    service.assert_pastes(1).await;
    service.proxy.set(Fault::Pass);
    let reply = service.save_until_taken(&key, "text").await;
    assert_eq!(reply.header("idempotent-replayed"), "true");
    assert_settled(&service, &key, &reply).await;
    service.assert_pastes(1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn retries_that_race_while_replies_are_lost_make_one_paste() {
    let service = OneShard::start().await;
    for round in 1..=5 {
        let key = fresh_key();
        service.proxy.set(Fault::LoseReplyTo(CREATE));
        let retries = (0..8).map(|_| service.save(&key, "text"));
        for reply in join_all(retries).await {
            assert_settled(&service, &key, &reply).await;
        }
        service.assert_pastes(round).await;
    }
}

/// The text of a statement is sent once to each connection, so the messages differ with what was lost before.
#[tokio::test(flavor = "multi_thread")]
async fn a_connection_cut_at_any_message_of_a_create_makes_one_paste_or_none() {
    let service = OneShard::start().await;
    let mut pastes = 0;
    for side in [Side::Client, Side::Server] {
        let mut messages = 0;
        loop {
            let key = fresh_key();
            service.save_until_taken(&fresh_key(), "text").await;
            service.proxy.set(Fault::CutAfter(side, messages));
            let reply = service.save(&key, "text").await;
            let has_struck = service.proxy.now() == Fault::Pass;
            service.proxy.set(Fault::Pass);
            assert!([201, 503].contains(&reply.status), "{reply:?}");
            let taken = service.save_until_taken(&key, "text").await;
            assert_settled(&service, &key, &taken).await;
            pastes += 2;
            service.assert_pastes(pastes).await;
            if !has_struck {
                break;
            }
            messages += 1;
        }
        assert!(messages >= 6, "{side:?} wrote only {messages}");
    }
}

/// As when the server begins anew: whoever comes next finds the pool full of connections that are over.
#[tokio::test(flavor = "multi_thread")]
async fn connections_that_all_end_at_once_cost_no_request() {
    let service = OneShard::start().await;
    let raw = format!("/{}/raw", service.save_new("text").await.created().id);
    service.proxy.set(Fault::Delay(Duration::from_millis(20)));
    // Reads share few connections; each commit has one.
    join_all((0..32).map(|_| service.save_new("text"))).await;
    let sessions = "(select count(*) from pg_stat_activity
        where application_name = 'oncebin' and datname = current_database())";
    service
        .database
        .wait_until(&format!("{sessions} >= 12"))
        .await;
    service.proxy.set(Fault::Down);
    service
        .database
        .wait_until(&format!("{sessions} = 0"))
        .await;
    service.proxy.set(Fault::Pass);
    assert_eq!(service.get(&raw).await.status, 200);
    service.save_new("text").await.created();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shard_that_falls_silent_is_refused_in_time_then_at_once_and_comes_back() {
    let service = OneShard::start().await;
    let key = fresh_key();
    service.save_new("before").await.created();
    service.proxy.set(Fault::Blackhole);
    let refused = timeout(IN_TIME, service.save(&key, "text")).await;
    assert_refused(&refused.expect("an answer in time"));
    assert_at_once(async || assert_refused(&service.save(&key, "text").await)).await;
    service.proxy.set(Fault::Pass);
    let reply = service.save_until_taken(&key, "text").await;
    assert_settled(&service, &key, &reply).await;
    service.assert_pastes(2).await;
}

/// No read beside them tells that the shard is gone.
#[tokio::test(flavor = "multi_thread")]
async fn a_shard_that_falls_silent_under_deletes_alone_is_refused_at_once_after_the_first() {
    let service = OneShard::start().await;
    let paste = service.save_new("text").await.created();
    let delete = async || service.delete(&paste.id, &paste.delete_token).await;
    service.proxy.set(Fault::Blackhole);
    assert_refused(&delete().await);
    assert_at_once(async || assert_refused(&delete().await)).await;
}

/// The reply is the key's 201, and its text is there.
async fn assert_settled(service: &OneShard, key: &str, reply: &Reply) {
    let created = reply.created();
    assert_eq!(service.save(key, "text").await.body, reply.body);
    let raw = service.get(&format!("/{}/raw", created.id)).await;
    assert_eq!((raw.status, &*raw.text()), (200, "text"));
}
