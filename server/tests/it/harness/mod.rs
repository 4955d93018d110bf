//! What the tests share: a service in this process, the real binary as a process, and raw connections.

mod ask;
mod at_once;
mod client_home;
mod command;
mod fake_cdn;
pub(crate) mod fault_proxy;
mod form_page;
mod four_shards;
mod free_port;
mod host;
mod http_proxy;
mod janitor;
mod network;
mod one_shard;
mod operators_page;
pub(crate) mod postgres;
mod process;
mod proxy;
mod raw;
pub(crate) mod reaping;
mod rows;
mod scrape;
mod seaweed;
mod seeded;
mod server;
mod syncs;
mod test_bucket;
mod texts;
mod turned_clock;
mod until;
mod varnish;

pub(crate) use at_once::assert_at_once;
pub(crate) use client_home::{ClientHome, Ran, RunningClient, id_of, mode};
pub(crate) use command::{binary, operate};
pub(crate) use fake_cdn::{Asked, DownCdn, FakeCdn, Says};
pub(crate) use form_page::ShownForm;
pub(crate) use four_shards::FourShards;
pub(crate) use free_port::free_port;
pub(crate) use host::{Host, Reply, send, try_send};
pub(crate) use http_proxy::{HttpFault, HttpProxy};
pub(crate) use janitor::Janitor;
pub(crate) use network::{Network, Seen, Turn};
pub(crate) use one_shard::{OneShard, assert_refused};
pub(crate) use operators_page::OperatorsPage;
pub(crate) use process::{Ended, Process};
pub(crate) use proxy::Proxy;
pub(crate) use raw::{RawAnswer, RawConnection};
pub(crate) use rows::{Rows, open_shard};
pub(crate) use scrape::{Scrape, promtool};
pub(crate) use seaweed::SECRET;
pub(crate) use seeded::Seeded;
pub(crate) use server::TestServer;
pub(crate) use syncs::Syncs;
pub(crate) use test_bucket::TestBucket;
pub(crate) use texts::text_files;
pub(crate) use turned_clock::TurnedClock;
pub(crate) use until::{PATIENCE, until};
pub(crate) use varnish::{PURGE_TOKEN, Varnish};

use app::wire::created::Created;
use reqwest::header::HeaderMap;

/// A new idempotency key.
pub(crate) fn fresh_key() -> String {
    uuid::Uuid::new_v4().to_string()
}

impl Reply {
    /// The 201 of a save.
    #[track_caller]
    pub(crate) fn created(&self) -> Created {
        assert_eq!(self.status, 201, "{self:?}");
        serde_json::from_slice(&self.body).expect("a 201 body")
    }

    /// The code of a problem.
    #[track_caller]
    pub(crate) fn code(&self) -> String {
        let problem: serde_json::Value = serde_json::from_slice(&self.body).expect("a problem");
        problem["code"].as_str().expect("a code").to_owned()
    }

    /// A header's text, empty when it is not there.
    pub(crate) fn header(&self, name: &str) -> &str {
        header(&self.headers, name)
    }

    /// The body as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers
        .get(name)
        .map_or("", |value| value.to_str().unwrap_or_default())
}
