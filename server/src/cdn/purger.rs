//! Sends purges.

use super::Template;
use super::answer::judge;
use reqwest::Client;
use reqwest::redirect::Policy;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a connection may take.
const CONNECT_WAIT: Duration = Duration::from_secs(2);

/// How long an answer may take, to its last byte.
const ANSWER_WAIT: Duration = Duration::from_secs(10);

/// What a paste's copies are under, after the id. Where there are tags, one finds them all, query strings included.
const VIEWS: [&str; 3] = ["", "/raw", "/download"];

/// The CDN of the service. Clones share its connections and its rests.
#[derive(Clone, Debug)]
pub struct Purger {
    client: Client,
    template: Arc<Template>,
    /// The public address of the service, without a slash at its end.
    base_url: Arc<str>,
    /// A CDN that wants to be left alone is, whoever has something to purge.
    rests_until: Arc<Mutex<Option<Instant>>>,
}

/// Why a purge did not succeed. Nothing of the answer's text is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PurgeError {
    /// The CDN answered that it will not. Another request may fare better.
    #[error("it answered {0}")]
    Refused(u16),
    /// An id does not fit into the request; nothing was sent.
    #[error("an id does not fit into the request of the purge template")]
    Unwritable,
    /// The credential is wrong. It is asked again after the rest.
    #[error("it refuses the credential of the purge template")]
    Denied(Duration),
    /// Too many requests, or out of order for a while. It is asked again after the rest.
    #[error("it wants to be left alone for {} s", .0.as_secs())]
    Busy(Duration),
    /// It cannot be reached, or did not answer in time.
    #[error("it does not answer")]
    NoAnswer,
}

impl Purger {
    /// A CDN that is asked with a template, in front of `base_url`.
    ///
    /// # Errors
    /// When the system gives no TLS.
    pub fn new(template: Template, base_url: &str) -> anyhow::Result<Self> {
        Self::with_wait(template, base_url, ANSWER_WAIT)
    }

    /// [`Purger::new`] with another wait for an answer than the service's.
    ///
    /// # Errors
    /// As there.
    pub fn with_wait(template: Template, base_url: &str, wait: Duration) -> anyhow::Result<Self> {
        Ok(Self {
            client: Client::builder()
                .connect_timeout(CONNECT_WAIT)
                .timeout(wait)
                .redirect(Policy::none())
                .user_agent(concat!("oncebin/", env!("CARGO_PKG_VERSION")))
                .no_proxy()
                .build()?,
            template: Arc::new(template),
            base_url: base_url.trim_end_matches('/').into(),
            rests_until: Arc::default(),
        })
    }

    /// The most pastes that one purge takes.
    #[must_use]
    pub fn pastes_max(&self) -> usize {
        let items_max = self.template.items_max();
        if self.template.are_urls() {
            (items_max / self.urls_each()).max(1)
        } else {
            items_max
        }
    }

    /// How long the CDN still wants to be left alone.
    #[must_use]
    pub fn rest(&self) -> Option<Duration> {
        let until = (*self.lock())?;
        let rest = until.saturating_duration_since(Instant::now());
        (!rest.is_zero()).then_some(rest)
    }

    /// Purges every copy of these pastes, at most [`Purger::pastes_max`]. A copy that is not there is purged.
    ///
    /// # Errors
    /// [`PurgeError`]: some copies may be purged, or all.
    pub async fn purge(&self, ids: &[&str]) -> Result<(), PurgeError> {
        let urls: Vec<_> = ids.iter().flat_map(|id| self.urls(id)).collect();
        let urls: Vec<_> = urls.iter().map(String::as_str).collect();
        let items = if self.template.are_urls() { &urls } else { ids };
        for items in items.chunks(self.template.items_max()) {
            let purged = self.send(items).await;
            if let Err(PurgeError::Busy(rest) | PurgeError::Denied(rest)) = purged {
                *self.lock() = Instant::now().checked_add(rest);
            }
            purged?;
        }
        Ok(())
    }

    async fn send(&self, items: &[&str]) -> Result<(), PurgeError> {
        let filled = self.template.fill(items);
        let filled = filled.map_err(|_| PurgeError::Unwritable)?;
        let request = self.client.request(filled.method, filled.url);
        let request = request.headers(filled.headers).body(filled.body);
        let response = request.send().await.map_err(|_| PurgeError::NoAnswer)?;
        judge(response, self.template.answer()).await
    }

    fn urls(&self, id: &str) -> impl Iterator<Item = String> {
        let base_url = &self.base_url;
        let views = VIEWS.map(|view| format!("{base_url}/{id}{view}"));
        views
            .into_iter()
            .chain([format!("{base_url}/api/pastes/{id}")])
    }

    fn urls_each(&self) -> usize {
        self.urls("").count()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Instant>> {
        self.rests_until
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
