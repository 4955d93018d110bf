//! Deletes and takedowns whose own commit is not answered: the client learns that the paste is gone.

use crate::harness::fault_proxy::Fault;
use crate::harness::{OneShard, fresh_key, operate, until};
use oncebin::blob::Blob;
use oncebin::store::postgres::PostgresStore;
use oncebin::workers::Objects;
use std::sync::Arc;

/// What the delete's statement has and no other.
const DELETE: &str = "token_hash = $3";

/// What the takedown's statement has and no other.
const TAKE_DOWN: &str = "where id = $2\n  returning";

/// On a busy machine a network may be held for longer than a connection is waited for; then it is another one's turn.
const TURNS: usize = 10;

#[tokio::test(flavor = "multi_thread")]
async fn a_delete_whose_reply_is_lost_is_204() {
    let service = OneShard::start().await;
    let paste = service.save_new("text").await.created();
    service.proxy.set(Fault::LoseReplyTo(DELETE));
    let reply = service.delete(&paste.id, &paste.delete_token).await;
    assert_eq!(service.proxy.now(), Fault::Pass, "the fault has struck");
    assert_eq!(reply.status, 204);
    let read = service.get(&format!("/{}/raw", paste.id)).await;
    assert_eq!(read.status, 404);
    let again = service.delete(&paste.id, &paste.delete_token).await;
    assert_eq!(again.status, 404, "what it did not do itself");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delete_whose_reply_is_lost_is_204_though_a_relay_without_a_cdn_was_faster() {
    let service = OneShard::start().await;
    let blob = Blob::local(&service.data().join("objects")).unwrap();
    let store = PostgresStore::new(&service.database.url()).unwrap();
    let relay = Objects::new(Arc::new(store), blob, false);
    relay.pass().await.unwrap();
    for _ in 0..TURNS {
        let saved = service.save_until_taken(&fresh_key(), "text").await;
        let paste = saved.created();
        let lost = Fault::LoseReplyTo(DELETE);
        service.proxy.set_then(lost, Fault::Blackhole);
        let relaying = async {
            let is_lost = async || service.proxy.now() == Fault::Blackhole;
            until("the reply is lost", is_lost).await;
            assert_eq!(relay.pass().await.unwrap().done, 1);
            relay.pass().await.unwrap();
            service.proxy.set(Fault::Pass);
        };
        let (reply, ()) = tokio::join!(service.delete(&paste.id, &paste.delete_token), relaying);
        if reply.status != 503 {
            return assert_eq!(reply.status, 204);
        }
    }
    panic!("always too late");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_takedown_whose_reply_is_lost_is_done() {
    let service = OneShard::start().await;
    let paste = service.save_new("text").await.created();
    service.proxy.set(Fault::LoseReplyTo(TAKE_DOWN));
    let shards = format!(
        "--shards={}",
        service.database.url_at(service.proxy.address)
    );
    let data = service.data().to_owned();
    let taking = tokio::task::spawn_blocking({
        let id = paste.id.clone();
        move || operate("takedown", &data, &[&id, &shards])
    });
    let taken = taking.await.unwrap();
    assert_eq!(service.proxy.now(), Fault::Pass, "the fault has struck");
    assert_eq!((taken.code, &*taken.err), (0, ""), "{taken:#?}");
    let read = service.get(&format!("/{}/raw", paste.id)).await;
    assert_eq!(read.status, 404);
}
