//! Four PostgreSQL databases as the shards of a service.

use super::Rows;
use super::fault_proxy::FaultProxy;
use super::postgres::{Cluster, Clusters, Database};
use futures_util::future::join_all;
use std::fmt::Display;
use std::time::Duration;

/// The shards, in the order of the slot map: 64 slots each.
#[derive(Clone, Debug)]
pub(crate) struct FourShards {
    pub(crate) databases: Vec<Database>,
}

impl FourShards {
    /// Empty shards on the clusters that tests share.
    pub(crate) async fn shared() -> Self {
        Self::on(Clusters::shared().await).await
    }

    /// Databases on the clusters that tests share.
    pub(crate) async fn of_their_own() -> Self {
        let clusters = Clusters::shared().await;
        let databases = clusters.map(Cluster::database);
        Self {
            databases: join_all(databases).await,
        }
    }

    /// Empty shards, one on each cluster.
    pub(crate) async fn on(clusters: [&Cluster; 4]) -> Self {
        let shards =
            clusters.map(async |cluster| cluster.database_named("postgres").schema().await);
        Self {
            databases: join_all(shards).await,
        }
    }

    /// `--shards`, over Unix sockets.
    pub(crate) fn flag(&self) -> String {
        flag(self.databases.iter().map(Database::socket_url))
    }

    /// `--shards`, by way of proxies.
    pub(crate) fn flag_through(&self, proxies: &[FaultProxy]) -> String {
        let ways = self.databases.iter().zip(proxies);
        flag(ways.map(|(database, proxy)| database.url_at(proxy.address)))
    }

    /// What they hold.
    pub(crate) async fn rows(&self) -> Rows {
        Rows::in_databases(&self.databases).await
    }

    /// Turns the shards' clocks forward.
    pub(crate) async fn advance(&self, span: Duration) {
        join_all(self.databases.iter().map(|shard| shard.advance(span))).await;
    }
}

fn flag(urls: impl Iterator<Item = impl Display>) -> String {
    let urls: Vec<_> = urls.map(|url| url.to_string()).collect();
    format!("--shards={}", urls.join(","))
}
