//! What this machine can do without oncebin: what the results are compared with.
//!
//! Each limit is measured before and after the scenarios. How far the two are apart says how steady the machine was.

mod fixed;
mod objects;
mod pgbench;
mod selects;
mod sqlite;
mod statement;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use tokio::runtime::{Builder, Runtime};

use crate::text::Texts;

/// Threads for file work, as many as oncebin has.
const FILE_THREADS: usize = 64;

/// Something the machine can do so many times a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Limit {
    /// 2 kB written, synced, renamed and its folder synced, 32 at once over 256 folders.
    DurablePuts,
    /// The two rows of a create in SQLite, eight creates a commit, four files.
    SqliteCreates,
    /// A fixed answer of 2 kB by axum, 32 connections.
    FixedAnswers,
    /// The page of 2 kB rendered by Leptos and answered by axum, 32 connections.
    LeptosPages,
    /// The page of 100 kB, likewise.
    LeptosLargePages,
    /// pgbench of the create statement, 64 clients over all primaries.
    PgbenchCreates,
    /// pgbench of the select of a paste, likewise.
    PgbenchSelects,
    /// The same select through pools as oncebin has them.
    PoolSelects,
}

/// A limit as it was measured.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Measured {
    pub(crate) limit: Limit,
    pub(crate) per_second: f64,
}

/// A limit before and after the scenarios.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Limits {
    pub(crate) limit: Limit,
    pub(crate) before: f64,
    pub(crate) after: f64,
}

impl Limits {
    /// What results are divided by.
    pub(crate) fn mean(&self) -> f64 {
        f64::midpoint(self.before, self.after)
    }

    /// Both measurements as one list.
    pub(crate) fn of(before: &[Measured], after: &[Measured]) -> Vec<Self> {
        let both = before.iter().zip(after);
        both.map(|(before, after)| Self {
            limit: before.limit,
            before: before.per_second,
            after: after.per_second,
        })
        .collect()
    }
}

/// Where and how long limits are measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// A folder on the disk that oncebin's data lies on.
    pub(crate) folder: &'a Path,
    /// The PostgreSQL primaries, in the order of the slot map, with oncebin's tables.
    pub(crate) primaries: &'a [String],
    /// How long each takes.
    pub(crate) within: Duration,
}

/// Measures every limit. `load` is the runtime that drives oncebin as well.
///
/// # Errors
/// A folder, a file or a primary cannot be used.
pub(crate) fn measure(
    place: Place<'_>,
    texts: &Arc<Texts>,
    load: &Runtime,
) -> Result<Vec<Measured>> {
    let runtime = all_cores()?;
    let within = place.within;
    let mut measured = Vec::new();
    let mut keep = |limit, per_second| measured.push(Measured { limit, per_second });
    let puts = objects::puts(place.folder.join("puts"), texts, within);
    keep(Limit::DurablePuts, runtime.block_on(puts)?);
    let creates = sqlite::creates(place.folder.join("commits"), within);
    keep(Limit::SqliteCreates, runtime.block_on(creates)?);
    let fixed = fixed::Fixed::start(texts)?;
    for (limit, path) in [
        (Limit::FixedAnswers, "/fixed"),
        (Limit::LeptosPages, "/page"),
        (Limit::LeptosLargePages, "/large"),
    ] {
        keep(limit, load.block_on(fixed.answers(path, within))?);
    }
    if !place.primaries.is_empty() {
        runtime.block_on(selects::prepare(place.primaries))?;
        keep(Limit::PgbenchCreates, pgbench::creates(place)?);
        keep(Limit::PgbenchSelects, pgbench::selects(place)?);
        let selects = selects::selects(place.primaries, within);
        keep(Limit::PoolSelects, runtime.block_on(selects)?);
    }
    Ok(measured)
}

/// A runtime like oncebin's.
fn all_cores() -> Result<Runtime> {
    let mut builder = Builder::new_multi_thread();
    builder.enable_all().max_blocking_threads(FILE_THREADS);
    Ok(builder.build()?)
}
