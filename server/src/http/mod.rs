//! HTTP: routes, extractors, handlers, errors to status. The only files that know axum and hyper.
//!
//! Nothing here knows SQL, slots or objects; it asks [`crate::pastes`].

mod accept;
mod access;
mod admin;
mod aside;
mod assets;
mod body;
mod caching;
mod client_address;
mod connection;
mod create;
mod create_body;
mod delete;
mod discard;
mod encoding;
mod endpoints;
mod failure;
mod file_name;
mod finish;
mod form;
mod form_body;
mod form_fields;
mod health;
mod in_flight;
mod key_header;
mod markdown;
mod misses;
mod openapi;
mod page_cache;
mod pages;
mod paste_page;
mod path;
mod qr;
mod range;
mod rate;
mod raw;
mod read;
mod rendering;
mod reuse;
mod routes;
mod save_json;
mod urlencoded;
mod watchdog;

pub use admin::admin_routes;
pub use connection::{Listening, serve};
pub use endpoints::ENDPOINTS;
pub use routes::routes;

use crate::config::{BaseUrl, Deadlines, Settings};
use crate::metrics::Metrics;
use crate::pastes::Pastes;
use crate::render::Highlighter;
use app::pages::Site;
use aside::Aside;
use client_address::ClientAddresses;
use in_flight::InFlight;
use misses::MissLimiter;
use page_cache::PageCache;
use rate::CreateLimiter;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio_util::task::TaskTracker;

/// What every handler shares.
pub type State = axum::extract::State<Arc<Http>>;

/// The HTTP side of the service.
#[derive(Debug)]
pub struct Http {
    pastes: Pastes,
    metrics: Arc<Metrics>,
    site: Site,
    description: openapi::Served,
    base_url: BaseUrl,
    deadlines: Deadlines,
    in_flight: InFlight,
    create_limiter: Option<CreateLimiter>,
    miss_limiter: Option<MissLimiter>,
    client_addresses: ClientAddresses,
    /// Creates and deletes, which are carried to their end even when the client has gone.
    tasks: TaskTracker,
    draining: AtomicBool,
    highlighter: Highlighter,
    /// Pages of pastes.
    pages: PageCache,
    /// Where large texts are rendered.
    aside: Aside,
}

impl Http {
    /// The HTTP side over these pastes, writing links with `base_url`.
    ///
    /// # Errors
    /// When it cannot have threads of its own.
    pub fn new(
        pastes: Pastes,
        metrics: Arc<Metrics>,
        settings: &Settings,
        base_url: BaseUrl,
    ) -> io::Result<Self> {
        let site = pages::site(settings, &base_url);
        Ok(Self {
            metrics,
            description: openapi::Served::default(),
            pages: PageCache::new(&site),
            highlighter: Highlighter::new(settings.highlighting),
            site,
            base_url,
            deadlines: settings.deadlines,
            in_flight: InFlight::new(settings.policy.paste_bytes_max, settings.shards.urls.len()),
            create_limiter: settings.create_rate.map(CreateLimiter::new),
            miss_limiter: settings.miss_rate.map(MissLimiter::new),
            client_addresses: ClientAddresses::new(settings.trusted_proxies.clone()),
            tasks: TaskTracker::new(),
            draining: AtomicBool::new(false),
            aside: Aside::new()?,
            pastes,
        })
    }

    /// Turns readiness off: the service is about to stop.
    pub fn start_draining(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    /// Waits for every create and delete that is under way.
    pub async fn settle(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }

    fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }
}
