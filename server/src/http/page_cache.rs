//! Rendered pages of pastes, kept compressed under a name that tells everything a page depends on.
//!
//! The paste's row is read before anyone looks here, so a page of a dead paste is never served; it is forgotten some
//! minutes after its last reader.

use super::failure::Failure;
use app::pages::Site;
use app::wire::paste::Metadata;
use bytes::Bytes;
use data_encoding::HEXLOWER;
use moka::future::Cache;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::time::Duration;

/// Bytes of compressed pages that are kept.
const KEPT_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// How long a page is kept that nobody reads.
const KEPT_IDLE: Duration = Duration::from_secs(10 * 60);

/// What an entry takes beside its page.
const ENTRY_BYTES: usize = 200;

/// Changes whenever the sources that make pages do.
const RENDERER_VERSION: &str = env!("RENDERER_VERSION");

/// A page as it is kept.
#[derive(Clone, Debug)]
pub(super) struct Page {
    /// The HTML after gzip.
    pub(super) gzip: Bytes,
    /// Bytes of HTML.
    pub(super) size: usize,
}

/// How far a page has the colours of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finish {
    /// All there will ever be.
    Whole,
    /// Those of this many lines: the rest took too long.
    Lines(usize),
    /// None: they are being worked out.
    Pending,
}

/// Pages of pastes, bounded in bytes.
#[derive(Debug)]
pub(super) struct PageCache {
    pages: Cache<String, Page>,
    /// A hash that has begun with all that is the same on every page.
    begun: Sha256,
}

impl PageCache {
    pub(super) fn new(site: &Site) -> Self {
        let weight = |name: &String, page: &Page| {
            u32::try_from(name.len() + page.gzip.len() + ENTRY_BYTES).unwrap_or(u32::MAX)
        };
        let pages = Cache::builder()
            .max_capacity(KEPT_BYTES_MAX)
            .weigher(weight)
            .time_to_idle(KEPT_IDLE);
        Self {
            pages: pages.build(),
            begun: Sha256::new().chain_update(format!("{RENDERER_VERSION} {site:?}")),
        }
    }

    /// The name of a paste's page without its finish. Equal names, and equal finishes, are equal pages.
    pub(super) fn name(&self, metadata: &Metadata) -> Result<String, Failure> {
        let metadata = serde_json::to_vec(metadata).map_err(|_| Failure::Internal)?;
        let hash = self.begun.clone().chain_update(metadata).finalize();
        Ok(HEXLOWER.encode(&hash[..16]))
    }

    pub(super) async fn get(&self, name: &str) -> Option<Page> {
        self.pages.get(name).await
    }

    pub(super) async fn keep(&self, name: &str, page: Page) {
        self.pages.insert(name.to_owned(), page).await;
    }
}

impl Finish {
    /// The whole name of a page with this finish.
    pub(super) fn name(self, page: &str) -> String {
        let mut name = page.to_owned();
        let written = match self {
            Self::Whole => Ok(()),
            Self::Lines(lines) => write!(name, "-{lines}"),
            Self::Pending => write!(name, "-p"),
        };
        written.expect("writing to a string cannot fail");
        name
    }
}
