//! Saturation: every connection sends its next request as soon as it has the answer to the last.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Result;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::tally::Tally;
use super::{Connection, Driven, Script, ask};

/// How long a load runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// Time before anything is counted.
    pub(crate) warm_up: Duration,
    /// Time in which what is sent is counted. Scripts may end earlier.
    pub(crate) counted: Duration,
}

/// When a load begins, begins to be counted, and ends.
#[derive(Clone, Copy)]
struct Times {
    counted_from: Instant,
    until: Instant,
}

/// Drives one connection with each script.
///
/// # Errors
/// The server cannot be reached.
pub(crate) async fn closed<S: Script>(
    address: SocketAddr,
    scripts: Vec<S>,
    span: Span,
) -> Result<Driven<S>> {
    let mut connections = Vec::new();
    for script in scripts {
        connections.push((Connection::open(address).await?, script));
    }
    let counted_from = Instant::now() + span.warm_up;
    let times = Times {
        counted_from,
        until: counted_from + span.counted,
    };
    let mut driven = JoinSet::new();
    for (connection, script) in connections {
        driven.spawn(drive(connection, script, times));
    }
    let mut tally = Tally::default();
    let mut scripts = Vec::new();
    while let Some(ended) = driven.join_next().await {
        let (part, script) = ended??;
        tally.add(part);
        scripts.push(script);
    }
    Ok(Driven {
        figures: tally.figures(counted_from.elapsed()),
        scripts,
    })
}

async fn drive<S: Script>(
    mut connection: Connection,
    mut script: S,
    times: Times,
) -> Result<(Tally, S)> {
    let mut tally = Tally::default();
    let mut request = Vec::new();
    loop {
        request.clear();
        if Instant::now() >= times.until || !script.write(&mut request) {
            return Ok((tally, script));
        }
        let sent = Instant::now();
        let right = ask(&mut connection, &mut script, &request).await?;
        if sent >= times.counted_from {
            tally.count(sent.elapsed(), right);
        }
    }
}
