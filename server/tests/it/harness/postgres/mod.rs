//! Real PostgreSQL clusters, each on a free TCP port and a Unix socket in a short folder of its own.
//!
//! [`Clusters::shared`] are for tests that only fill a database of their own; a test that kills, stops or freezes one
//! starts its own. All end with the test process, whatever ends it, and leave nothing behind.

mod cluster;
mod database;
mod postmaster;
mod processes;
mod programs;

pub(crate) use cluster::Cluster;
pub(crate) use database::{Database, PASSWORD};

use tokio::sync::OnceCell;

/// The four clusters that tests share.
#[derive(Debug)]
pub(crate) struct Clusters;

impl Clusters {
    /// All four, started by whoever asks first.
    pub(crate) async fn shared() -> [&'static Cluster; 4] {
        let (a, b, c, d) = tokio::join!(shared(0), shared(1), shared(2), shared(3));
        [a, b, c, d]
    }

    /// One of them, for a test that needs no more.
    pub(crate) async fn first() -> &'static Cluster {
        shared(0).await
    }
}

async fn shared(number: usize) -> &'static Cluster {
    static SHARED: [OnceCell<Cluster>; 4] = [const { OnceCell::const_new() }; 4];
    SHARED[number].get_or_init(|| Cluster::start(&[])).await
}
