//! Everything the whole consists of, and the ways between that can fail.

use crate::harness::fault_proxy::FaultProxy;
use crate::harness::{FourShards, Host, HttpProxy, Process, Rows, TestBucket, Varnish, until};
use futures_util::future::join_all;
use sha2::{Digest, Sha256};
use sqlx::{Connection, Row};
use std::collections::BTreeMap;
use std::mem;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// Longer than the relay waits before its second purge.
const SECOND_PURGE: Duration = Duration::from_secs(120);

/// Questions between two turns of the clocks: some tenths of a second.
const ASKED_BETWEEN_TURNS: usize = 40;

pub(super) struct Place {
    pub(super) shards: FourShards,
    pub(super) shard_ways: Vec<FaultProxy>,
    bucket: TestBucket,
    pub(super) bucket_way: HttpProxy,
    varnish: Varnish,
    /// From Varnish to the first server.
    _first_way: HttpProxy,
    /// From clients to the second one, which is killed and replaced.
    second_way: HttpProxy,
    servers: [Process; 2],
    flags: Vec<String>,
    variables: BTreeMap<String, String>,
    folder: TempDir,
}

impl Place {
    pub(super) async fn start() -> Self {
        let folder = TempDir::new().unwrap();
        let shards = FourShards::shared().await;
        let ports = shards.databases.iter().map(|database| database.port);
        let shard_ways = join_all(ports.map(FaultProxy::to)).await;
        let bucket = TestBucket::fresh().await;
        let bucket_way = HttpProxy::to(local(bucket.s3_port)).await;
        // Varnish asks the server, and the server Varnish: one of them must be known first.
        let first_way = HttpProxy::to(local(1)).await;
        let varnish = Varnish::before(first_way.address).await;
        let variables = bucket.at(bucket_way.address).variables();
        let flags = vec![
            shards.flag_through(&shard_ways),
            bucket.flag(),
            Varnish::purge_flag(folder.path(), varnish.address),
            "--base-url=http://paste.example".to_owned(),
        ];
        let servers = [(); 2].map(|()| start(folder.path(), &flags, &variables));
        first_way.lead_to(servers[0].address);
        Self {
            second_way: HttpProxy::to(servers[1].address).await,
            shards,
            shard_ways,
            bucket,
            bucket_way,
            varnish,
            _first_way: first_way,
            servers,
            flags,
            variables,
            folder,
        }
    }

    /// Varnish, the first server, and the way to the second.
    pub(super) fn hosts(&self) -> [Host; 3] {
        let second = Host::new(self.second_way.address);
        [self.varnish.clone(), self.servers[0].clone(), second]
    }

    /// `kill -9` of the second server; another one takes its place.
    pub(super) fn kill_and_replace(&mut self) {
        let other = start(self.folder.path(), &self.flags, &self.variables);
        mem::replace(&mut self.servers[1], other).kill();
        self.second_way.lead_to(self.servers[1].address);
    }

    /// Waits until all deletions are carried out, the second purge included.
    pub(super) async fn drain_the_relay(&self) {
        let objects = self.objects_in_the_outbox().await;
        until("objects are removed", async || {
            let left = objects.iter().map(|key| self.bucket.object(key));
            join_all(left).await.iter().all(Option::is_none)
        })
        .await;
        // Again and again, since what failed is due only after another while; but a turn ends every lease, so the
        // relays are left the time for their passes.
        let asked = AtomicUsize::new(0);
        until("the relay is done", async || {
            if asked
                .fetch_add(1, Ordering::Relaxed)
                .is_multiple_of(ASKED_BETWEEN_TURNS)
            {
                self.shards.advance(SECOND_PURGE).await;
            }
            self.shards.rows().await.outbox.is_empty()
        })
        .await;
    }

    async fn objects_in_the_outbox(&self) -> Vec<String> {
        let mut keys = Vec::new();
        for database in &self.shards.databases {
            let mut connection = database.connect().await;
            let rows = sqlx::query("select object_key from outbox");
            let rows = rows.fetch_all(&mut connection).await.unwrap();
            keys.extend(rows.iter().map(|row| row.get::<String, _>("object_key")));
            connection.close().await.unwrap();
        }
        keys
    }

    /// `oncebin check --deep` finds so many pastes, each with its text, and nothing else that is wrong.
    pub(super) fn assert_the_audit_is_clean(&self, pastes: usize) {
        let (shards, objects) = (self.shards.flag(), self.bucket.flag());
        let flags = ["--deep", &*shards, &*objects];
        let (said, _) = Process::check(&flags, &self.bucket.variables());
        let wrong = said.lines().filter(|line| line.starts_with("wrong"));
        // The clusters of the tests run without fsync.
        let wrong: Vec<_> = wrong
            .filter(|line| !line.contains("fsync is off"))
            .collect();
        assert!(wrong.is_empty(), "{said}");
        let counted = said.lines().filter_map(|line| {
            let (_, sums) = line.strip_prefix("ok    shard ")?.split_once(": ")?;
            sums.split_once(" paste")?.0.parse::<usize>().ok()
        });
        assert_eq!(counted.sum::<usize>(), pastes, "{said}");
    }

    pub(super) async fn assert_every_row_has_its_object(&self, rows: &Rows) {
        for paste in &rows.pastes {
            let object = self
                .bucket
                .object(&paste.object_key)
                .await
                .expect("an object");
            assert_eq!(paste.sha256, Sha256::digest(object).as_slice());
        }
    }
}

fn start(folder: &Path, flags: &[String], variables: &BTreeMap<String, String>) -> Process {
    let flags: Vec<_> = flags.iter().map(String::as_str).collect();
    Process::start_with(folder, &flags, variables)
}

fn local(port: u16) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], port))
}
