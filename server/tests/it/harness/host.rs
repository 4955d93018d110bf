//! Where a service listens, and how it is asked.

use super::fresh_key;
use bytes::Bytes;
use reqwest::header::HeaderMap;
use reqwest::{Client, Method, RequestBuilder};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A service's public address and a client for it. Clones share the client's connections.
///
/// Two services over the same shards may be one host: requests and connections go to them in turn.
#[derive(Debug, Clone)]
pub(crate) struct Host {
    pub(crate) client: Client,
    scheme: &'static str,
    /// The first service's, by which links are written.
    pub(crate) address: SocketAddr,
    other: Option<SocketAddr>,
    asked: Arc<AtomicUsize>,
}

/// A whole answer.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Host {
    pub(crate) fn new(address: SocketAddr) -> Self {
        let client = Client::builder().no_proxy().build().unwrap();
        Self::over("http", client, address)
    }

    /// What is asked over `scheme` by a client with settings of its own.
    pub(crate) fn over(scheme: &'static str, client: Client, address: SocketAddr) -> Self {
        Self {
            client,
            scheme,
            address,
            other: None,
            asked: Arc::default(),
        }
    }

    /// One host of two services.
    pub(crate) fn in_turn(address: SocketAddr, other: Option<SocketAddr>) -> Self {
        Self {
            other,
            ..Self::new(address)
        }
    }

    /// How the services write a link.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Where the next request goes.
    pub(crate) fn next_address(&self) -> SocketAddr {
        let is_others_turn = self.asked.fetch_add(1, Ordering::Relaxed) % 2 == 1;
        self.other
            .filter(|_| is_others_turn)
            .unwrap_or(self.address)
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}://{}{path}", self.scheme, self.next_address());
        self.client.request(method, url)
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

/// Sends a request and reads its whole answer.
pub(crate) async fn send(request: RequestBuilder) -> Reply {
    try_send(request).await.expect("a whole answer")
}

/// [`send`] to a service that may be gone.
pub(crate) async fn try_send(request: RequestBuilder) -> reqwest::Result<Reply> {
    let response = request.send().await?;
    Ok(Reply {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        body: response.bytes().await?,
    })
}
