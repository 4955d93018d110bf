//! What is measured once: starts, memory, bytes.

use anyhow::Result;
use serde::Serialize;
use tokio::runtime::Runtime;

use crate::load::Connection;
use crate::proc::Memory;
use crate::scenarios::{Bench, write_get};
use crate::server::Program;
use crate::text::Kind;

/// What is measured once.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Facts {
    pub(crate) starts: Starts,
    /// Before the first request.
    pub(crate) idle: Memory,
    /// After everything.
    pub(crate) memory: Memory,
    /// Small pastes that were saved by then, and reads that were answered.
    pub(crate) creates: usize,
    pub(crate) reads: u64,
    pub(crate) binary_bytes: u64,
    /// On the wire, heads left out.
    pub(crate) form_bytes: usize,
    pub(crate) page_bytes: usize,
    pub(crate) large_page_bytes: usize,
}

/// From the start of the process to the first 200, in milliseconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Starts {
    /// On an empty folder.
    pub(crate) first_ms: f64,
    /// The median of several on a folder that is there.
    pub(crate) later_ms: f64,
}

/// Starts and stops the server several times, the first time on an empty folder.
///
/// # Errors
/// It does not start or does not stop.
pub(crate) fn starts(program: &Program, runtime: &Runtime, later: usize) -> Result<Starts> {
    let once = || {
        let server = program.start(runtime)?;
        let ms = server.started_within.as_secs_f64() * 1e3;
        server.stop()?;
        Ok::<_, anyhow::Error>(ms)
    };
    let first_ms = once()?;
    let mut later_ms = (0..later).map(|_| once()).collect::<Result<Vec<_>>>()?;
    later_ms.sort_by(f64::total_cmp);
    Ok(Starts {
        first_ms,
        later_ms: later_ms[later / 2],
    })
}

impl Facts {
    /// Everything but the starts, from a server that has been through the scenarios.
    ///
    /// # Errors
    /// The server is gone.
    pub(crate) fn collect(
        program: &Program,
        bench: &Bench<'_>,
        starts: Starts,
        idle: Memory,
    ) -> Result<Self> {
        let memory = bench.server.memory()?;
        let page = |kind| {
            let saved = bench.save(kind, 1)?;
            bytes(bench, &format!("/{}", saved[0].id))
        };
        Ok(Self {
            starts,
            idle,
            memory,
            creates: bench.saved.len(),
            reads: bench.reads(),
            binary_bytes: program.bytes()?,
            form_bytes: bytes(bench, "/")?,
            page_bytes: page(Kind::Small)?,
            large_page_bytes: page(Kind::Rust)?,
        })
    }
}

/// Bytes of a page as a browser gets it the second time it asks.
fn bytes(bench: &Bench<'_>, path: &str) -> Result<usize> {
    let mut request = Vec::new();
    write_get(path, &mut request)?;
    bench.runtime.block_on(async {
        let mut connection = Connection::open(bench.server.address).await?;
        connection.exchange(&request).await?;
        Ok(connection.exchange(&request).await?.body.len())
    })
}
