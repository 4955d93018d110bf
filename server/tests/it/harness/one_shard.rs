//! A service whose only shard is a PostgreSQL database, reached by way of a network that can fail.

use super::fault_proxy::FaultProxy;
use super::postgres::{Cluster, Clusters, Database};
use super::{PATIENCE, Reply, TestServer};
use oncebin::config::Settings;
use std::ops::Deref;
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// The service, asked as its `Host`.
#[derive(Debug)]
pub(crate) struct OneShard {
    pub(crate) database: Database,
    pub(crate) proxy: FaultProxy,
    server: TestServer,
}

impl OneShard {
    /// On a database of its own in a shared cluster.
    pub(crate) async fn start() -> Self {
        Self::on(Clusters::first().await).await
    }

    pub(crate) async fn on(cluster: &Cluster) -> Self {
        Self::on_with(cluster, |_| {}).await
    }

    pub(crate) async fn on_with(cluster: &Cluster, change: impl FnOnce(&mut Settings)) -> Self {
        let database = cluster.database().await;
        let proxy = FaultProxy::to(database.port).await;
        let shards = format!("--shards={}", database.url_at(proxy.address));
        let server = TestServer::start_with(&[&shards], change).await;
        Self {
            database,
            proxy,
            server,
        }
    }

    /// Saves again and again, as a client does, until the answer is another one than "try again".
    pub(crate) async fn save_until_taken(&self, key: &str, content: &'static str) -> Reply {
        let taken = timeout(PATIENCE, async {
            loop {
                let reply = self.save(key, content).await;
                if reply.status != 503 {
                    return reply;
                }
                assert_refused(&reply);
                sleep(Duration::from_millis(50)).await;
            }
        });
        taken.await.expect("the shard comes back")
    }

    /// So many pastes are committed, each with its key.
    pub(crate) async fn assert_pastes(&self, number: i64) {
        for table in ["paste", "idempotency"] {
            let counting = format!("select count(*) from {table}");
            assert_eq!(self.database.number(counting).await, number, "{table}");
        }
    }
}

impl Deref for OneShard {
    type Target = TestServer;

    fn deref(&self) -> &TestServer {
        &self.server
    }
}

/// The answer that a client tries again after.
#[track_caller]
pub(crate) fn assert_refused(reply: &Reply) {
    assert_eq!((reply.status, &*reply.code()), (503, "shard_unavailable"));
    assert!(reply.problem().retryable);
    assert_ne!(reply.header("retry-after"), "");
}
