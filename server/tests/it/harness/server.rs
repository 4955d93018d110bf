//! A service in this process, on its own folder, port and clock.

use super::fresh_key;
use bytes::Bytes;
use clap::Parser;
use oncebin::clock::Clock;
use oncebin::config::{Cli, Settings};
use oncebin::service::{self, Running};
use reqwest::header::HeaderMap;
use reqwest::{Client, Method, RequestBuilder};
use std::path::Path;
use tempfile::TempDir;

/// A running service. Dropping it leaves nothing behind but what its test keeps.
#[derive(Debug)]
pub(crate) struct TestServer {
    pub(crate) running: Running,
    /// The shards' clock; turn it with `advance`.
    pub(crate) clock: Clock,
    pub(crate) client: Client,
    folder: TempDir,
}

/// A whole answer.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl TestServer {
    /// The embedded default without a limit on creates.
    pub(crate) async fn start() -> Self {
        Self::start_with(&[], |_| {}).await
    }

    /// The embedded default with more flags, and settings no flag has.
    pub(crate) async fn start_with(flags: &[&str], change: impl FnOnce(&mut Settings)) -> Self {
        let folder = TempDir::new().unwrap();
        Self::start_in(folder, flags, change).await
    }

    /// A service on a folder that an earlier one may have used.
    pub(crate) async fn start_in(
        folder: TempDir,
        flags: &[&str],
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        let clock = Clock::system();
        let settings = settings(folder.path(), flags, change);
        let running = service::start(settings, clock.clone()).await.unwrap();
        Self {
            running,
            clock,
            client: Client::builder().no_proxy().build().unwrap(),
            folder,
        }
    }

    /// Stops as SIGTERM does, and gives the folder for a next one.
    pub(crate) async fn stop(self) -> TempDir {
        self.running.stop().await;
        self.folder
    }

    /// The data folder.
    pub(crate) fn data(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.running.address)
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, self.url(path))
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        send(self.request(Method::GET, path)).await
    }

    /// Saves raw content with a key.
    pub(crate) async fn save(&self, key: &str, content: impl Into<reqwest::Body>) -> Reply {
        send(self.save_request(key).body(content)).await
    }

    /// Saves raw content with a key of its own.
    pub(crate) async fn save_new(&self, content: impl Into<reqwest::Body>) -> Reply {
        self.save(&fresh_key(), content).await
    }

    pub(crate) fn save_request(&self, key: &str) -> RequestBuilder {
        self.request(Method::POST, "/api/pastes")
            .header("idempotency-key", key)
    }

    pub(crate) async fn delete(&self, id: &str, token: &str) -> Reply {
        let path = format!("/api/pastes/{id}");
        send(self.request(Method::DELETE, &path).bearer_auth(token)).await
    }
}

/// Settings of a service in a folder, on ports the system chooses.
pub(crate) fn settings(
    data: &Path,
    flags: &[&str],
    change: impl FnOnce(&mut Settings),
) -> Settings {
    let mut arguments = vec![
        "oncebin",
        "--listen=127.0.0.1:0",
        "--admin-listen=127.0.0.1:0",
        "--create-rate=off",
        "--data",
        data.to_str().unwrap(),
    ];
    arguments.extend_from_slice(flags);
    let cli = Cli::parse_from(arguments);
    let mut settings = Settings::from_known_flags(&cli.serve).unwrap();
    change(&mut settings);
    settings
}

/// Sends a request and reads its whole answer.
pub(crate) async fn send(request: RequestBuilder) -> Reply {
    let response = request.send().await.expect("an answer");
    Reply {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        body: response.bytes().await.expect("a whole body"),
    }
}
