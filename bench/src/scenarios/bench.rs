//! A server under load, what was saved in it, and what was measured.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use tokio::runtime::Runtime;

use super::Scenario;
use super::saved::{Saved, Saving};
use crate::load::{Driven, Figures, Span, closed};
use crate::proc::cpu_seconds;
use crate::report::print_row;
use crate::server::Server;
use crate::sizes::Sizes;
use crate::text::{Kind, Texts};

/// The longest that saving pastes for a scenario may take.
const SAVE_WITHIN: Duration = Duration::from_secs(30);

/// One line of the results.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) scenario: Scenario,
    pub(crate) connections: usize,
    #[serde(flatten)]
    pub(crate) figures: Figures,
    #[serde(flatten)]
    pub(crate) cores: Cores,
}

/// How many cores were busy.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Cores {
    pub(crate) server_cores: f64,
    pub(crate) load_cores: f64,
}

/// A server under load.
#[derive(Debug)]
pub(crate) struct Bench<'a> {
    pub(crate) runtime: &'a Runtime,
    pub(crate) server: &'a Server,
    pub(crate) sizes: Sizes,
    pub(crate) texts: Arc<Texts>,
    /// Small pastes, oldest first.
    pub(crate) saved: Vec<Saved>,
    pub(crate) rows: Vec<Row>,
}

impl Bench<'_> {
    /// Runs a load and keeps its figures as a row.
    pub(super) fn measure<S>(
        &mut self,
        scenario: Scenario,
        load: impl Future<Output = Result<Driven<S>>>,
    ) -> Result<Vec<S>> {
        let (driven, cores) = self.timed(load)?;
        self.keep(scenario, driven.scripts.len(), driven.figures, cores);
        Ok(driven.scripts)
    }

    /// Runs a load, and says how many cores were busy meanwhile.
    pub(super) fn timed<T>(&self, load: impl Future<Output = Result<T>>) -> Result<(T, Cores)> {
        let cpu = || Ok::<_, anyhow::Error>((self.server.cpu_seconds()?, cpu_seconds("self")?));
        let (started, before) = (Instant::now(), cpu()?);
        let driven = self.runtime.block_on(load)?;
        let (seconds, after) = (started.elapsed().as_secs_f64(), cpu()?);
        let cores = Cores {
            server_cores: (after.0 - before.0) / seconds,
            load_cores: (after.1 - before.1) / seconds,
        };
        Ok((driven, cores))
    }

    /// Adds a row and shows it.
    pub(super) fn keep(
        &mut self,
        scenario: Scenario,
        connections: usize,
        figures: Figures,
        cores: Cores,
    ) {
        let row = Row {
            scenario,
            connections,
            figures,
            cores,
        };
        print_row(&row);
        self.rows.push(row);
    }

    /// Reads that were answered in all.
    pub(crate) fn reads(&self) -> u64 {
        let reads = self.rows.iter().filter(|row| row.scenario.is_read());
        reads.map(|row| row.figures.answers).sum()
    }

    /// Scripts that save at most `most` pastes together.
    pub(super) fn saving(&self, kind: Kind, most: usize, connections: usize) -> Vec<Saving> {
        let each = most.div_ceil(connections);
        (0..connections)
            .map(|_| Saving::new(&self.texts, kind, each))
            .collect()
    }

    /// Saves new pastes, uncounted.
    ///
    /// # Errors
    /// Some could not be saved.
    pub(crate) fn save(&self, kind: Kind, pastes: usize) -> Result<Arc<Vec<Saved>>> {
        let saved = self.save_within(kind, pastes, 8, SAVE_WITHIN)?;
        ensure!(saved.len() >= pastes, "the server did not save everything");
        Ok(Arc::new(saved))
    }

    /// Saves small pastes until there are this many in all, or for this long.
    pub(super) fn fill(&mut self, pastes: usize, within: Duration) -> Result<()> {
        let missing = pastes.saturating_sub(self.saved.len());
        if missing > 0 {
            let saved = self.save_within(Kind::Small, missing, 32, within)?;
            self.saved.extend(saved);
        }
        Ok(())
    }

    /// The small pastes that were saved last, at most this many.
    pub(super) fn newest(&self, most: usize) -> Arc<Vec<Saved>> {
        let first = self.saved.len().saturating_sub(most);
        Arc::new(self.saved[first..].to_vec())
    }

    fn save_within(
        &self,
        kind: Kind,
        pastes: usize,
        connections: usize,
        within: Duration,
    ) -> Result<Vec<Saved>> {
        let scripts = self.saving(kind, pastes, connections);
        let span = Span {
            warm_up: Duration::ZERO,
            counted: within,
        };
        let load = closed(self.server.address, scripts, span);
        let driven = self.runtime.block_on(load).context("saving pastes")?;
        Ok(saved_by(driven.scripts))
    }
}

/// What scripts have saved.
pub(super) fn saved_by(scripts: Vec<Saving>) -> Vec<Saved> {
    scripts
        .into_iter()
        .flat_map(|script| script.saved)
        .collect()
}
