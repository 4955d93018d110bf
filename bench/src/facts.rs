//! What is measured once: starts, memory, bytes.

use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use tokio::runtime::Runtime;
use tokio::time::sleep;

use crate::load::Connection;
use crate::proc::Memory;
use crate::scenarios::{Bench, write_get};
use crate::server::Program;
use crate::text::Kind;

/// How long a large page may take to have its colours when nobody else asks for any.
const COLOURS_WITHIN: Duration = Duration::from_secs(2);

/// What is measured once.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Facts {
    pub(crate) starts: Starts,
    /// Before the first request.
    pub(crate) idle: Memory,
    /// After creates and reads.
    pub(crate) used: Used,
    /// After the first views too, with every grammar that they needed loaded.
    pub(crate) memory: Memory,
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

/// What creates and reads leave in memory.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Used {
    pub(crate) memory: Memory,
    /// Small pastes that were saved by then, and reads that were answered.
    pub(crate) creates: usize,
    pub(crate) reads: u64,
}

impl Used {
    /// # Errors
    /// The server is gone.
    pub(crate) fn of(bench: &Bench<'_>) -> Result<Self> {
        Ok(Self {
            memory: bench.server.memory()?,
            creates: bench.saved.len(),
            reads: bench.reads(),
        })
    }
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
        (idle, used): (Memory, Used),
    ) -> Result<Self> {
        let memory = bench.server.memory()?;
        let page = |kind| {
            let saved = bench.save(kind, 1)?;
            bytes(bench, &format!("/{}", saved[0].id))
        };
        Ok(Self {
            starts,
            idle,
            used,
            memory,
            binary_bytes: program.bytes()?,
            form_bytes: bytes(bench, "/")?,
            page_bytes: page(Kind::Small)?,
            large_page_bytes: page(Kind::Rust)?,
        })
    }
}

/// Bytes of a page as a browser gets it when it is finished: most are at the second time, a large one has its colours
/// some tenths of a second later.
fn bytes(bench: &Bench<'_>, path: &str) -> Result<usize> {
    let mut request = Vec::new();
    write_get(path, &mut request)?;
    bench.runtime.block_on(async {
        let mut connection = Connection::open(bench.server.address).await?;
        connection.exchange(&request).await?;
        sleep(COLOURS_WITHIN).await;
        Ok(connection.exchange(&request).await?.body.len())
    })
}
