//! What the tests share: a service in this process, the real binary as a process, and raw connections.

mod process;
mod raw;
mod server;

pub(crate) use process::Process;
pub(crate) use raw::RawConnection;
pub(crate) use server::{Reply, TestServer};

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
