//! A server that does nothing but answer: what HTTP, and Leptos on top of it, leave at most.

use std::future::ready;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use app::pages::{AssetNames, Site};
use app::wire::paste::Metadata;
use axum::Router;
use axum::response::Html;
use axum::routing::get;
use axum::serve::ListenerExt;
use bytes::Bytes;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use super::all_cores;
use crate::load::{Answer, Script, Span, closed};
use crate::text::{Kind, Texts};

const CONNECTIONS: usize = 32;

/// A server in a runtime of its own, which ends with it.
#[derive(Debug)]
pub(super) struct Fixed {
    address: SocketAddr,
    _runtime: Runtime,
}

impl Fixed {
    /// Starts it on a free port.
    pub(super) fn start(texts: &Texts) -> Result<Self> {
        let runtime = all_cores()?;
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let address = listener.local_addr()?;
        let listener = listener.tap_io(|stream| {
            stream.set_nodelay(true).ok();
        });
        let routes = routes(texts)?;
        runtime.spawn(async move { axum::serve(listener, routes).await });
        Ok(Self {
            address,
            _runtime: runtime,
        })
    }

    /// Answers a second.
    pub(super) async fn answers(&self, path: &'static str, within: Duration) -> Result<f64> {
        let span = Span {
            warm_up: within / 8,
            counted: within,
        };
        let scripts = vec![Getting { path }; CONNECTIONS];
        let driven = closed(self.address, scripts, span).await?;
        Ok(driven.figures.per_second)
    }
}

fn routes(texts: &Texts) -> Result<Router> {
    let fixed = Bytes::from(text(texts, Kind::Small)?);
    let page = |kind| {
        let text: Arc<str> = text(texts, kind)?.into();
        let page = move || ready(Html(app::pages::paste(&site(), &metadata(&text), &*text)));
        Ok::<_, anyhow::Error>(get(page))
    };
    Ok(Router::new()
        .route("/fixed", get(move || ready(fixed)))
        .route("/page", page(Kind::Small)?)
        .route("/large", page(Kind::Rust)?))
}

fn text(texts: &Texts, kind: Kind) -> Result<String> {
    let mut text = Vec::new();
    texts.write(kind, 0, &mut text);
    Ok(String::from_utf8(text)?)
}

fn site() -> Site {
    Site {
        base_path: String::new(),
        base_url: "http://127.0.0.1".to_owned(),
        assets: AssetNames {
            style: "/pkg/style.css".to_owned(),
            client: None,
        },
        report_contact: None,
        paste_bytes_max: 10 << 20,
        default_expiry_seconds: 2_592_000,
        expiry_seconds_max: 31_536_000,
    }
}

fn metadata(text: &str) -> Metadata {
    Metadata {
        id: "2w0123456789ab".to_owned(),
        url: "http://127.0.0.1/2w0123456789ab".to_owned(),
        title: None,
        syntax: Some("rust".to_owned()),
        size: text.len() as u64,
        sha256: "0".repeat(64),
        created_at: "2026-11-30T12:00:00.000Z".to_owned(),
        expires_at: "2026-12-30T12:00:00.000Z".to_owned(),
    }
}

/// Gets one path again and again.
#[derive(Clone, Debug)]
struct Getting {
    path: &'static str,
}

impl Script for Getting {
    fn write(&mut self, request: &mut Vec<u8>) -> bool {
        for part in ["GET ", self.path, " HTTP/1.1\r\nHost: oncebin\r\n\r\n"] {
            request.extend_from_slice(part.as_bytes());
        }
        true
    }

    fn accept(&mut self, answer: &Answer<'_>) -> bool {
        answer.status == 200
    }
}
