//! The composition root: from settings to a running service, and from a signal to its end.

use crate::blob::Blob;
use crate::bucket;
use crate::cdn::Purger;
use crate::clock::{Clock, Stopwatch};
use crate::config::{BaseUrl, ObjectsLocation, Settings, ShardUrl};
use crate::http::{Http, Listening, admin_routes, routes, serve};
use crate::pastes::{CREATE_DEADLINE, Pastes};
use crate::private_folder::make_private_folder;
use crate::shard::ShardRouter;
use crate::store::Store;
use crate::store::postgres::PostgresStore;
use crate::store::sqlite::SqliteStore;
use crate::workers::{Objects, Purges, Reaper, ReaperRules, Sweeper, Workers};
use anyhow::Context;
use axum::Router;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// Connections at once, where the system's limit on open files allows it.
const CONNECTIONS_MAX: usize = 4096;

/// Connections on the operator's address.
const ADMIN_CONNECTIONS_MAX: usize = 64;

/// How long the databases may take to close after the drain.
const CLOSE_WITHIN: Duration = Duration::from_secs(5);

/// A service that runs.
#[derive(Debug)]
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    /// Where the operator's pages listen.
    pub admin_address: SocketAddr,
    http: Arc<Http>,
    router: Arc<ShardRouter>,
    workers: Workers,
    stop: CancellationToken,
    listeners: Vec<JoinHandle<()>>,
    drain: Duration,
}

/// Opens everything, checks the slot map against every shard, and serves.
///
/// # Errors
/// For the operator: what cannot be opened, and why.
pub async fn start(settings: Settings, clock: Clock) -> anyhow::Result<Running> {
    if settings.drain < CREATE_DEADLINE {
        tracing::warn!(
            "--drain is shorter than a create may take: a stop can cut one that was not acknowledged"
        );
    }
    let blob = open_objects(&settings, &clock).await?;
    let router = Arc::new(open_shards(&settings, &clock).await?);
    let inherited = &settings.inherited;
    let listener = listen(settings.listen, inherited.public.as_deref()).await?;
    let admin_listener = listen(settings.admin_listen, inherited.admin.as_deref()).await?;
    let (address, admin_address) = (listener.local_addr()?, admin_listener.local_addr()?);
    if settings.base_url.is_none() && address.ip().is_unspecified() {
        tracing::warn!(
            "links are written http://{address}, which no browser reaches: set --base-url"
        );
    }
    let base_url = settings.base_url.clone();
    let base_url = base_url.unwrap_or_else(|| BaseUrl::of_listener(address));
    let purger = settings.cdn_purge.clone();
    let purger = purger.map(|template| Purger::new(template, &base_url.to_string()));
    let purger = purger.transpose()?;
    let workers = Workers::default();
    if settings.workers {
        let rules = reaper_rules(&settings);
        start_workers(&workers, &router, &blob, purger.as_ref(), rules);
    }
    let pastes = Pastes::new(
        Arc::clone(&router),
        blob,
        settings.policy,
        &base_url.to_string(),
    );
    let http = Arc::new(Http::new(pastes, &settings, base_url));
    let stop = CancellationToken::new();
    let listening = |routes: Router, connections_max| Listening {
        routes,
        deadlines: settings.deadlines,
        paste_bytes_max: settings.policy.paste_bytes_max,
        connections_max,
        stop: stop.clone(),
    };
    let public = listening(routes(&http), connections_max());
    let admin = listening(admin_routes(&http), ADMIN_CONNECTIONS_MAX);
    let listeners = vec![
        tokio::spawn(serve(listener, public)),
        tokio::spawn(serve(admin_listener, admin)),
    ];
    tracing::info!("listening on http://{address}");
    tracing::info!("operator's pages on http://{admin_address}");
    Ok(Running {
        address,
        admin_address,
        http,
        router,
        workers,
        stop,
        listeners,
        drain: settings.drain,
    })
}

impl Running {
    /// Stops accepting, waits at most the drain for what is under way, and closes the databases.
    ///
    /// Clients that are stuck are cut when the drain is over; a create of theirs that was cut was not acknowledged.
    pub async fn stop(self) {
        tracing::info!(drain_seconds = self.drain.as_secs(), "stopping");
        self.http.start_draining();
        self.stop.cancel();
        let mut listeners = self.listeners;
        let settled = async {
            for listener in &mut listeners {
                listener.await.ok();
            }
            self.http.settle().await;
        };
        let settled = async { tokio::join!(settled, self.workers.stop()) };
        if timeout(self.drain, settled).await.is_err() {
            tracing::warn!("the drain is over; what is left is cut");
        }
        for listener in &listeners {
            listener.abort();
        }
        if timeout(CLOSE_WITHIN, self.router.close()).await.is_err() {
            tracing::warn!("a shard did not close in time");
        }
        tracing::info!("stopped");
    }
}

/// Every worker of every shard, each in a loop of its own.
fn start_workers(
    workers: &Workers,
    router: &ShardRouter,
    blob: &Blob,
    purger: Option<&Purger>,
    rules: ReaperRules,
) {
    for (shard, store) in router.stores().enumerate() {
        let objects = Objects::new(Arc::clone(&store), blob.clone(), purger.is_some());
        workers.start(shard, objects);
        if let Some(purger) = purger {
            workers.start(shard, Purges::new(Arc::clone(&store), purger.clone()));
        }
        workers.start(shard, Sweeper::new(Arc::clone(&store)));
        let reaper = Reaper::new(shard, store, blob.clone(), rules, Stopwatch::default());
        workers.start(shard, reaper);
    }
}

/// Ten create deadlines are past any create, whatever its size.
fn reaper_rules(settings: &Settings) -> ReaperRules {
    ReaperRules {
        age_floor: settings.age_floor,
        sightings_apart: 10 * CREATE_DEADLINE,
        brake: settings.reaper_brake,
    }
}

async fn open_shards(settings: &Settings, clock: &Clock) -> anyhow::Result<ShardRouter> {
    refuse_lost_file(&settings.shards.urls, clock).await?;
    let mut stores = Vec::new();
    for url in &settings.shards.urls {
        stores.push(open_shard(url, clock).await?);
    }
    Ok(ShardRouter::start(settings.shards.map.clone(), stores).await?)
}

/// A file that is gone must not come back empty: its pastes would be missing, and a retry of its keys a second paste.
///
/// All files are made before any slot is claimed, so beside a shard that owns slots no file can be one still to make.
async fn refuse_lost_file(urls: &[ShardUrl], clock: &Clock) -> anyhow::Result<()> {
    let Some(lost) = urls.iter().find(|url| is_missing(url)) else {
        return Ok(());
    };
    match shard_in_use(urls, clock).await? {
        // Asked again, because a server that starts at the same time may have made it.
        Some(url) if is_missing(lost) => anyhow::bail!(
            "{lost} is not there, but {url} is in use: was the file lost, or the number of shards changed? \
             Pastes do not move; start with the shards this data was made with"
        ),
        _ => Ok(()),
    }
}

async fn open_objects(settings: &Settings, clock: &Clock) -> anyhow::Result<Blob> {
    let urls = &settings.shards.urls;
    match &settings.objects {
        ObjectsLocation::Local(folder) => {
            refuse_lost_folder(folder, urls, clock).await?;
            Blob::local(folder)
        }
        ObjectsLocation::S3(bucket) => {
            bucket::open(bucket, settings.blob_deadlines, shard_in_use(urls, clock)).await
        }
    }
}

/// Objects that are gone must not come back as an empty folder: every paste would be a row without its text.
///
/// The folder is made before any shard, so beside a shard that owns slots it cannot be one still to make.
async fn refuse_lost_folder(folder: &Path, urls: &[ShardUrl], clock: &Clock) -> anyhow::Result<()> {
    if folder.exists() {
        return Ok(());
    }
    match shard_in_use(urls, clock).await? {
        Some(url) => anyhow::bail!(
            "the folder {} is not there, but {url} is in use: were the objects lost, or moved?",
            folder.display()
        ),
        None => Ok(()),
    }
}

/// A shard that owns slots: this is not the first start.
async fn shard_in_use<'a>(
    urls: &'a [ShardUrl],
    clock: &Clock,
) -> anyhow::Result<Option<&'a ShardUrl>> {
    for url in urls.iter().filter(|url| !is_missing(url)) {
        let store = open_shard(url, clock).await?;
        // A shard that cannot be asked, or has no tables yet, says nothing.
        let owned = store.owned_slots().await.unwrap_or_default();
        store.close().await;
        if !owned.is_empty() {
            return Ok(Some(url));
        }
    }
    Ok(None)
}

/// Whether a file is not there, or is but an empty shell of itself.
fn is_missing(url: &ShardUrl) -> bool {
    match url {
        ShardUrl::Sqlite(file) => fs::metadata(file).map_or(true, |file| file.len() == 0),
        ShardUrl::Postgres(_) => false,
    }
}

async fn open_shard(url: &ShardUrl, clock: &Clock) -> anyhow::Result<Arc<dyn Store>> {
    let opened = match url {
        ShardUrl::Sqlite(file) => open_file(file, clock).await,
        // The library's error may quote the password.
        ShardUrl::Postgres(url) => match PostgresStore::new(url.reveal()) {
            Ok(store) => Ok(Arc::new(store) as Arc<dyn Store>),
            Err(_) => Err(anyhow::anyhow!("the URL cannot be read")),
        },
    };
    opened.with_context(|| format!("cannot open the shard {url}"))
}

async fn open_file(file: &Path, clock: &Clock) -> anyhow::Result<Arc<dyn Store>> {
    make_folder_of(file)?;
    Ok(Arc::new(SqliteStore::open(file, clock.clone()).await?))
}

fn make_folder_of(file: &Path) -> anyhow::Result<()> {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => make_private_folder(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display())),
        _ => Ok(()),
    }
}

async fn listen(
    address: SocketAddr,
    inherited: Option<&std::net::TcpListener>,
) -> anyhow::Result<TcpListener> {
    match inherited {
        Some(listener) => {
            listener.set_nonblocking(true)?;
            Ok(TcpListener::from_std(listener.try_clone()?)?)
        }
        None => TcpListener::bind(address)
            .await
            .with_context(|| format!("cannot listen on {address}")),
    }
}

/// Raises the limit on open files as far as the system lets us, and leaves half of it to objects and databases.
fn connections_max() -> usize {
    let files = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(1024);
    let half = usize::try_from(files / 2).unwrap_or(CONNECTIONS_MAX);
    half.clamp(16, CONNECTIONS_MAX)
}
