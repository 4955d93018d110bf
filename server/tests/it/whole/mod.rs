//! The whole at once: two servers, four PostgreSQL primaries, a bucket and Varnish under a mixed load, while the bucket
//! is cut off, a shard is gone for a while, and a server is killed.

mod load;
mod place;

use crate::harness::fault_proxy::Fault;
use crate::harness::{Host, HttpFault};
use app::wire::created::Created;
use futures_util::stream::{StreamExt, iter};
use load::{Load, Paste, Report, save};
use place::Place;
use std::collections::BTreeSet;

/// Bucket, shard and server fail, and the load ends, each once so many saves were answered.
const ANSWERED_BEFORE: [usize; 4] = [30, 80, 120, 180];

/// So many requests must fail before a fault is mended.
const FAILED_BEFORE_MENDED: usize = 16;

#[tokio::test(flavor = "multi_thread")]
async fn what_was_answered_stays_and_what_was_deleted_is_nowhere() {
    let mut place = Place::start().await;
    let hosts = place.hosts();
    let mut load = Load::start(&hosts);
    let [bucket, shard, server, end] = ANSWERED_BEFORE;

    load.until(Report::Saved, bucket).await;
    place.bucket_way.set(HttpFault::Drop);
    load.until_more(Report::Failed, FAILED_BEFORE_MENDED).await;
    place.bucket_way.set(HttpFault::Pass);

    load.until(Report::Saved, shard).await;
    place.shard_ways[1].set(Fault::Down);
    load.until_more(Report::Failed, FAILED_BEFORE_MENDED).await;
    place.shard_ways[1].set(Fault::Pass);

    load.until(Report::Saved, server).await;
    place.kill_and_replace();
    load.until(Report::Saved, end).await;
    let pastes = load.end().await;

    let settled = iter(&pastes).map(|paste| settle(&hosts, paste));
    let settled: Vec<_> = settled.buffer_unordered(16).collect().await;
    let of_kind = |deleted| {
        let ids = settled
            .iter()
            .filter(move |(_, is_deleted)| *is_deleted == deleted);
        ids.map(|(id, _)| id.clone()).collect::<BTreeSet<_>>()
    };
    let (kept, deleted) = (of_kind(false), of_kind(true));
    assert_eq!(
        kept.len() + deleted.len(),
        pastes.len(),
        "one paste for one key"
    );
    assert!(
        kept.len() > 50 && deleted.len() > 20,
        "a load of both kinds"
    );

    place.drain_the_relay().await;
    let gone = iter(&deleted).for_each_concurrent(16, |id| assert_nowhere(&hosts, id));
    gone.await;
    let rows = place.shards.rows().await;
    assert_eq!(rows.ids(), kept);
    assert_eq!(rows.keys.len(), pastes.len());
    place.assert_every_row_has_its_object(&rows).await;
    place.assert_the_audit_is_clean(kept.len());
}

/// Sends a save again, to everybody, and reads its paste there; its id, and whether it was deleted.
async fn settle(hosts: &[Host], paste: &Paste) -> (String, bool) {
    let mut bodies = BTreeSet::new();
    bodies.extend(paste.answer.clone());
    for host in hosts {
        let body = save(host, &paste.key, &paste.text).await;
        let created: Created = serde_json::from_slice(&body).unwrap();
        bodies.insert(body);
        if !paste.is_deleted {
            let raw = host.get(&format!("/{}/raw", created.id)).await;
            assert_eq!((raw.status, raw.text() == paste.text), (200, true));
        }
    }
    assert_eq!(bodies.len(), 1, "the stored 201");
    let created: Created = serde_json::from_slice(&bodies.pop_first().unwrap()).unwrap();
    (created.id, paste.is_deleted)
}

async fn assert_nowhere(hosts: &[Host], id: &str) {
    for host in hosts {
        for (path, accept) in [
            (format!("/{id}"), "text/html"),
            (format!("/{id}"), "*/*"),
            (format!("/{id}/raw"), "*/*"),
            (format!("/{id}/raw?q"), "*/*"),
            (format!("/{id}/download"), "*/*"),
            (format!("/api/pastes/{id}"), "*/*"),
        ] {
            let reply = host.get_with(&path, &[("accept", accept)]).await;
            assert_eq!(reply.status, 404, "{path}");
        }
    }
}
