//! One of four PostgreSQL shards is stopped, hangs, or is slow: its slots answer at once that they cannot be asked, all
//! others go on, and nothing needs to be restarted.

use crate::harness::fault_proxy::{Fault, FaultProxy};
use crate::harness::postgres::{Cluster, Clusters};
use crate::harness::{FourShards, Host, Reply, TestServer, assert_at_once, until};
use app::wire::created::Created;
use futures_util::future::join_all;
use oncebin::shard::slot_of_key;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use uuid::Uuid;

/// The shard that fails.
const FAILING: usize = 1;

/// Clients of each of the other shards.
const CLIENTS: usize = 2;

/// A server over three shared clusters and one that fails alone.
struct Service {
    failing: Cluster,
    proxies: Vec<FaultProxy>,
    /// `--shards`.
    flag: String,
    server: TestServer,
    /// A paste on the failing shard.
    paste: Created,
}

impl Service {
    async fn start() -> Self {
        let failing = Cluster::start(&[]).await;
        let [a, _, c, d] = Clusters::shared().await;
        let shards = FourShards::on([a, &failing, c, d]).await;
        let ports = shards.databases.iter().map(|database| database.port);
        let proxies = join_all(ports.map(FaultProxy::to)).await;
        let flag = shards.flag_through(&proxies);
        let server = TestServer::start_with(&[&flag], |_| {}).await;
        let paste = server.save(&key_on(FAILING), "text\n").await.created();
        Self {
            failing,
            proxies,
            flag,
            server,
            paste,
        }
    }

    /// How fast the other shards answer while nothing is wrong.
    async fn load_others_while_calm(&self) -> Times {
        let calm = async {
            for _ in 0..20 {
                self.ask().await;
            }
        };
        self.load_others_during("all are up", calm).await
    }

    /// Loads the other shards while something is done, without one failure.
    async fn load_others_during(&self, what: &str, done: impl Future<Output = ()>) -> Times {
        let stop = Arc::<AtomicBool>::default();
        let mut clients = JoinSet::new();
        for shard in [0, 2, 3].repeat(CLIENTS) {
            let (host, stop) = (Host::clone(&self.server), Arc::clone(&stop));
            clients.spawn(save_and_read(host, shard, stop));
        }
        done.await;
        stop.store(true, Ordering::SeqCst);
        let mut times: Vec<_> = clients.join_all().await.into_iter().flatten().collect();
        times.sort_unstable();
        let [median, slow] = [times.len() / 2, times.len() * 99 / 100].map(|n| times[n]);
        eprintln!(
            "{what}: {} answers, half within {median:?}, 99 % within {slow:?}",
            times.len()
        );
        Times { median, slow }
    }

    /// Requests for the failing shard: a create, a read, a delete.
    async fn ask(&self) -> [Reply; 3] {
        let raw = format!("/{}/raw", self.paste.id);
        let token = "once_abcdefghijklmnopqrstuvwxyz";
        let key = key_on(FAILING);
        let replies = tokio::join!(
            self.server.save(&key, "text\n"),
            self.server.get(&raw),
            self.server.delete(&self.paste.id, token)
        );
        replies.into()
    }

    /// After a first failure, each is refused without a wait.
    async fn assert_down(&self) {
        self.ask().await;
        let admin = self.server.admin().get("/readyz").await;
        assert_eq!(admin.status, 200);
        assert!(admin.text().contains("shard 1 down"), "{admin:?}");
        assert_eq!(self.server.get("/readyz").await.status, 200);
        assert_at_once(async || {
            for reply in self.ask().await {
                assert_eq!((reply.status, reply.header("retry-after")), (503, "1"));
            }
        })
        .await;
    }

    async fn assert_up_again(&self) {
        self.server.admin().until_it_says("shard 1 up").await;
        let [saved, read, deleted] = self.ask().await;
        saved.created();
        assert_eq!(read.text(), "text\n");
        assert_eq!(deleted.status, 404);
    }
}

/// How long the other shards' answers took.
#[derive(Debug)]
struct Times {
    /// Half of them.
    median: Duration,
    /// All but one in a hundred.
    slow: Duration,
}

impl Times {
    /// What is a wait for the failing shard takes longer than this, which leaves room for what else this machine does.
    fn assert_kept_of(&self, calm: &Self) {
        let median_max = (10 * calm.median).max(Duration::from_millis(250));
        let slow_max = (10 * calm.slow).max(Duration::from_secs(2));
        assert!(
            self.median <= median_max && self.slow <= slow_max,
            "{self:?}, and {calm:?} before"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shard_that_is_stopped_takes_no_other_with_it() {
    let service = Service::start().await;
    let calm = service.load_others_while_calm().await;
    service.failing.stop();
    let down = service.load_others_during("one is stopped", service.assert_down());
    down.await.assert_kept_of(&calm);
    service.failing.restart().await;
    let up = service.load_others_during("it is back", service.assert_up_again());
    up.await.assert_kept_of(&calm);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shard_that_hangs_takes_no_other_with_it() {
    let service = Service::start().await;
    let calm = service.load_others_while_calm().await;
    service.failing.freeze();
    let down = service.load_others_during("one hangs", service.assert_down());
    down.await.assert_kept_of(&calm);
    service.failing.thaw();
    let up = service.load_others_during("it goes on", service.assert_up_again());
    up.await.assert_kept_of(&calm);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shard_that_is_slow_slows_no_other_down() {
    let service = Service::start().await;
    let calm = service.load_others_while_calm().await;
    let network = &service.proxies[FAILING];
    network.set(Fault::Delay(Duration::from_millis(20)));
    let slow = async {
        let asked = Instant::now();
        for _ in 0..3 {
            // On a busy machine it may be too slow at first.
            let is_served =
                async || service.ask().await.map(|reply| reply.status) == [201, 200, 404];
            until("all three are served", is_served).await;
        }
        assert!(asked.elapsed() > Duration::from_millis(500), "it is slow");
    };
    let slow = service.load_others_during("one is slow", slow);
    slow.await.assert_kept_of(&calm);
    network.set(Fault::Delay(Duration::from_millis(500)));
    let down = service.load_others_during("one is too slow", service.assert_down());
    down.await.assert_kept_of(&calm);
    network.set(Fault::Pass);
    service.assert_up_again().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_started_while_a_shard_is_down_or_hangs_takes_it_up_later() {
    let mut service = Service::start().await;
    let flag = service.flag.clone();
    for hangs in [false, true] {
        let kept = service.server.stop().await;
        if hangs {
            service.failing.freeze();
        } else {
            service.failing.stop();
        }
        service.server = TestServer::start_again(kept, &[&flag], |_| {}).await;
        service.assert_down().await;
        for shard in [0, 2, 3] {
            service
                .server
                .save(&key_on(shard), "text\n")
                .await
                .created();
        }
        if hangs {
            service.failing.thaw();
        } else {
            service.failing.restart().await;
        }
        service.assert_up_again().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_any_shard_is_not_ready_until_one_is_back() {
    let service = Service::start().await;
    for network in &service.proxies {
        network.set(Fault::Down);
    }
    let ready = async |status| service.server.get("/readyz").await.status == status;
    until("not ready", async || ready(503).await).await;
    service.proxies[FAILING].set(Fault::Pass);
    until("ready", async || ready(200).await).await;
    service.assert_up_again().await;
    for network in &service.proxies {
        network.set(Fault::Pass);
    }
    for shard in 0..4 {
        let up = format!("shard {shard} up");
        service.server.admin().until_it_says(&up).await;
    }
}

/// Saves and reads on a shard; how long each answer took.
async fn save_and_read(host: Host, shard: usize, stop: Arc<AtomicBool>) -> Vec<Duration> {
    let mut times = Vec::new();
    while !stop.load(Ordering::SeqCst) {
        let asked = Instant::now();
        let paste = host.save(&key_on(shard), "text\n").await.created();
        times.push(asked.elapsed());
        let asked = Instant::now();
        let raw = host.get(&format!("/{}/raw", paste.id)).await;
        times.push(asked.elapsed());
        assert_eq!(raw.text(), "text\n");
    }
    times
}

pub(crate) fn key_on(shard: usize) -> String {
    loop {
        let key = Uuid::new_v4();
        let slot = slot_of_key(key.as_bytes()).number();
        if usize::from(slot) / 64 == shard {
            return key.to_string();
        }
    }
}
