//! The HTTP client of the commands.

use super::exit::Failed;
use reqwest::{Client, ClientBuilder, Response, redirect, retry};
use std::error::Error;
use std::time::Duration;

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);

/// How long a server may be silent in the middle of a read or a delete.
const SILENCE: Duration = Duration::from_secs(60);

/// A client for what carries a key or a token: it goes to no other address than the one it was meant for, and each
/// attempt is one request on a connection of its own.
pub(super) fn for_secrets() -> Result<Client, Failed> {
    build(|| {
        let client = builder().redirect(redirect::Policy::none());
        client.pool_max_idle_per_host(0)
    })
}

/// A client for reads.
pub(super) fn for_reads() -> Result<Client, Failed> {
    build(|| builder().read_timeout(SILENCE))
}

fn builder() -> ClientBuilder {
    Client::builder()
        .user_agent(concat!("oncebin/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT)
        // The save machine alone decides what is sent again.
        .retry(retry::never())
}

/// On a system without certificates no TLS server can be trusted; plain HTTP works there too.
fn build(client: impl Fn() -> ClientBuilder) -> Result<Client, Failed> {
    let built = client().build();
    let built = built.or_else(|_| client().tls_certs_only([]).build());
    built.map_err(|error| Failed::refused(format!("cannot speak HTTP: {}", cause(error))))
}

/// What lies at the bottom of an error, without the address, whose query may hold a title.
pub(super) fn cause(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut cause: &dyn Error = &error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

/// What an answer means that is not the one asked for: a final no, or not now.
pub(super) fn refusal(answer: &Response, not_found: &str) -> Failed {
    match answer.status().as_u16() {
        404 => Failed::refused(not_found),
        status @ (408 | 425 | 429 | 500..) => Failed::open(format!(
            "the server cannot do it just now (status {status}); try again in a while"
        )),
        status => Failed::refused(format!("the server did not do it (status {status})")),
    }
}
