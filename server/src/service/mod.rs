//! The composition root: from settings to a running service, and from a signal to its end.

mod listen;
mod objects;
mod open;
mod work;

use crate::cdn::Purger;
use crate::clock::Clock;
use crate::config::{BaseUrl, Settings};
use crate::http::{ENDPOINTS, Http, Listening, admin_routes, routes, serve};
use crate::metrics::{Listener, Metrics};
use crate::pastes::{Pastes, create_deadline};
use crate::shard::ShardRouter;
use crate::workers::Workers;
use axum::Router;
use listen::{connections_max, listen};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

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
    /// What the service counts.
    pub metrics: Arc<Metrics>,
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
    if settings.drain < create_deadline(settings.policy.paste_bytes_max) {
        tracing::warn!(
            "--drain is shorter than a create may take: a stop can cut one that was not acknowledged"
        );
    }
    let metrics = Arc::new(Metrics::new(&ENDPOINTS, settings.shards.urls.len())?);
    let blob = objects::open(&settings, &clock)
        .await?
        .measured_by(&metrics);
    let router = Arc::new(open::shards(&settings, &clock, &metrics, &blob).await?);
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
    let workers = Workers::measured_by(metrics.workers.clone());
    if settings.workers {
        let rules = work::reaper_rules(&settings);
        work::start(&workers, &router, &blob, purger.as_ref(), rules);
    }
    let pastes = Pastes::new(
        Arc::clone(&router),
        blob,
        Arc::clone(&metrics),
        settings.policy,
        &base_url.to_string(),
    );
    let http = Arc::new(Http::new(
        pastes,
        Arc::clone(&metrics),
        &settings,
        base_url,
    )?);
    let stop = CancellationToken::new();
    let listening = |routes: Router, listener, connections_max| Listening {
        routes,
        connections: metrics.http.connections(listener, connections_max),
        deadlines_missed: metrics.deadlines.clone(),
        deadlines: settings.deadlines,
        paste_bytes_max: settings.policy.paste_bytes_max,
        connections_max,
        stop: stop.clone(),
    };
    let public = listening(routes(&http), Listener::Public, connections_max());
    let admin = listening(admin_routes(&http), Listener::Admin, ADMIN_CONNECTIONS_MAX);
    let listeners = vec![
        tokio::spawn(serve(listener, public)),
        tokio::spawn(serve(admin_listener, admin)),
    ];
    tracing::info!("listening on http://{address}");
    tracing::info!("operator's pages on http://{admin_address}");
    Ok(Running {
        address,
        admin_address,
        metrics,
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
