//! A primary with a synchronous standby is lost, and comes back when nobody wants it any more.

use crate::harness::fault_proxy::{Fault, FaultProxy};
use crate::harness::postgres::{Cluster, Database};
use crate::harness::{Host, TestServer, fresh_key, until};
use app::wire::created::Created;
use bytes::Bytes;
use futures_util::future::join_all;
use futures_util::stream::{StreamExt, iter};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::sleep;

const CLIENTS: usize = 12;

/// Saves answered before the kill, and again on the new primary.
const ANSWERED: usize = 80;

/// The server's sessions.
const SESSIONS: &str = "(select count(*) from pg_stat_activity where application_name = 'oncebin')";

/// A primary, its synchronous standby, and a server that reaches them by one address.
struct Pair {
    primary: Cluster,
    standby: Cluster,
    database: Database,
    /// Where the address leads.
    proxy: FaultProxy,
    server: TestServer,
}

impl Pair {
    async fn start() -> Self {
        let primary = Cluster::start(&["fsync=on", "full_page_writes=on"]).await;
        let database = primary.database().await;
        let standby = primary.standby("standby").await;
        primary.set("synchronous_standby_names = 'standby'").await;
        database
            .wait_until("exists (select from pg_stat_replication where sync_state = 'sync')")
            .await;
        let proxy = FaultProxy::to(database.port).await;
        let flag = format!("--shards={}", database.url_at(proxy.address));
        let server = TestServer::start_with(&[&flag], |_| {}).await;
        Self {
            primary,
            standby,
            database,
            proxy,
            server,
        }
    }

    fn promoted(&self) -> Database {
        self.database.on(&self.standby)
    }

    /// Ends the connections that lead to one database, and leads the next ones to another.
    async fn lead(&self, from: &Database, to: &Database) {
        self.proxy.set(Fault::Down);
        from.wait_until(&format!("{SESSIONS} = 0")).await;
        self.proxy.lead_to(to.port);
        self.proxy.set(Fault::Pass);
    }
}

/// A save and its 201.
struct Saved {
    key: String,
    answer: Bytes,
    /// It was answered 503 before.
    was_refused: bool,
}

#[tokio::test(flavor = "multi_thread")]
async fn every_save_answered_by_a_primary_that_is_lost_is_replayed_by_its_standby() {
    let pair = Pair::start().await;
    let (stop, answered) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
    let mut clients = JoinSet::new();
    for _ in 0..CLIENTS {
        let host = Host::clone(&pair.server);
        clients.spawn(save_until(host, Arc::clone(&stop), Arc::clone(&answered)));
    }
    wait_for(&answered, ANSWERED).await;
    pair.primary.kill9();
    pair.standby.promote().await;
    pair.proxy.lead_to(pair.promoted().port);
    wait_for(&answered, answered.load(Ordering::SeqCst) + ANSWERED).await;
    stop.store(true, Ordering::SeqCst);
    let saved: Vec<_> = clients.join_all().await.into_iter().flatten().collect();
    assert!(
        saved.iter().any(|save| save.was_refused),
        "the kill was felt"
    );
    assert_settled(&pair, &saved).await;

    // The old primary comes back, and the address leads to it.
    pair.primary.restart().await;
    pair.lead(&pair.promoted(), &pair.database).await;
    for save in saved.iter().take(3) {
        let paste: Created = serde_json::from_slice(&save.answer).unwrap();
        let token = &paste.delete_token;
        for reply in [
            pair.server.save(&save.key, text(&save.key)).await,
            pair.server.save_new("new\n").await,
            pair.server.get(&format!("/{}/raw", paste.id)).await,
            pair.server.delete(&paste.id, token).await,
        ] {
            assert_eq!(reply.status, 503, "{reply:?}");
        }
    }
    pair.lead(&pair.database, &pair.promoted()).await;
    pair.server.admin().until_it_says("shard 0 up").await;
    assert_settled(&pair, &saved).await;
}

/// Every save is there once, and is answered as it was.
async fn assert_settled(pair: &Pair, saved: &[Saved]) {
    let settled = iter(saved).map(|save| async {
        let reply = pair.server.save(&save.key, text(&save.key)).await;
        assert_eq!(reply.header("idempotent-replayed"), "true");
        assert_eq!(reply.body, save.answer);
        let paste = reply.created();
        let raw = pair.server.get(&format!("/{}/raw", paste.id)).await;
        assert_eq!(raw.text(), text(&save.key));
        paste.id
    });
    let ids: BTreeSet<_> = settled.buffer_unordered(CLIENTS).collect().await;
    assert_eq!(ids.len(), saved.len());
    let promoted = pair.promoted();
    for table in ["paste", "idempotency"] {
        let rows = promoted
            .number(format!("select count(*) from {table}"))
            .await;
        assert_eq!(rows, i64::try_from(saved.len()).unwrap());
    }
}

/// Saves as a client does: what is refused is sent again with its key, a moment later.
async fn save_until(host: Host, stop: Arc<AtomicBool>, answered: Arc<AtomicUsize>) -> Vec<Saved> {
    let mut saved = Vec::new();
    while !stop.load(Ordering::SeqCst) {
        let key = fresh_key();
        let mut reply = host.save(&key, text(&key)).await;
        let was_refused = reply.status == 503;
        while reply.status == 503 {
            sleep(Duration::from_millis(20)).await;
            reply = host.save(&key, text(&key)).await;
        }
        reply.created();
        answered.fetch_add(1, Ordering::SeqCst);
        saved.push(Saved {
            key,
            answer: reply.body,
            was_refused,
        });
    }
    saved
}

fn text(key: &str) -> String {
    format!("text of {key}\n")
}

/// The old primary is alive and its connections work: nothing but the newer timeline speaks against it.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_has_seen_the_new_primary_uses_no_connection_to_the_old_one() {
    let pair = Pair::start().await;
    let key = fresh_key();
    let first = pair.server.save(&key, "text\n").await;
    let (kept, deleted) = (
        first.created(),
        pair.server.save_new("deleted\n").await.created(),
    );
    pair.standby.promote().await;
    let flag = format!("--shards={}", pair.promoted().url());
    let objects = pair.server.data().join("objects");
    let objects = format!("--objects=file://{}", objects.display());
    let other = TestServer::start_with(&[&flag, &objects], |_| {}).await;
    let reply = other.delete(&deleted.id, &deleted.delete_token).await;
    assert_eq!(reply.status, 204);
    let (kept, deleted) = (format!("/{}/raw", kept.id), format!("/{}/raw", deleted.id));
    assert_eq!(
        pair.server.get(&deleted).await.status,
        200,
        "it has seen nothing"
    );

    // More at once than it has connections: one of those it makes leads to the new primary.
    pair.proxy.lead_to(pair.promoted().port);
    until("the new primary is seen", async || {
        let burst = join_all((0..16).map(|_| pair.server.get(&deleted))).await;
        burst.iter().all(|reply| reply.status == 404)
    })
    .await;
    pair.database.wait_until(&format!("{SESSIONS} = 0")).await;
    for _ in 0..20 {
        assert_eq!(pair.server.get(&deleted).await.status, 404);
        assert_eq!(pair.server.get(&kept).await.text(), "text\n");
        assert_eq!(pair.server.save(&key, "text\n").await.body, first.body);
        pair.server.save_new("new\n").await.created();
    }
    let count = "select count(*) from paste";
    assert_eq!(pair.promoted().number(count).await, 21);
    assert_eq!(pair.database.number(count).await, 2);
    assert_eq!(pair.database.number(format!("select {SESSIONS}")).await, 0);
}

async fn wait_for(answered: &AtomicUsize, number: usize) {
    let enough = async || answered.load(Ordering::SeqCst) >= number;
    until("saves are answered", enough).await;
}
