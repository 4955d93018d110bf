//! What is measured of oncebin: saves, replays and reads.

mod bench;
mod reading;
mod saved;
mod turn;

pub(crate) use bench::{Bench, Row};
pub(crate) use reading::write_get;
pub(crate) use saved::Saved;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use clap::ValueEnum;
use serde::Serialize;

use crate::load::{Span, closed, open};
use crate::sizes::CONNECTIONS;
use crate::text::{Kind, Texts};
use bench::saved_by;
use reading::{Reading, View};
use saved::{Replaying, Saving};
use turn::Turn;

/// Connections of the load at a fixed rate: more than are ever in use unless the server stalls.
const CONNECTIONS_AT_RATE: usize = 64;

/// Connections of the views of large JavaScript, and of the readers beside them.
const CONNECTIONS_OF_VIEWS: usize = 4;
const CONNECTIONS_BESIDE: usize = 8;

/// Pastes that are replayed and read raw, in turn: as many as the origin cache has room for.
const RAW_PASTES: usize = 8_000;

/// Pastes whose pages are read in turn: few, as those that many people read at the same time are.
const SMALL_PAGES: usize = 256;
const LARGE_PAGES: usize = 64;

/// What is asked, in the order it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Scenario {
    /// New pastes of 2 kB.
    Create,
    /// The same, a fixed number a second.
    CreateAtRate,
    /// Saves that are sent again.
    Replay,
    /// The raw text of 2 kB.
    Raw,
    /// The page of 2 kB of Rust.
    Page,
    /// The page of 100 kB of Rust.
    LargePage,
    /// The page of 100 kB of Rust that nobody has asked for before.
    FirstView,
    /// The page of 1 MB of JavaScript that nobody has asked for before, a fixed number a second.
    Javascript,
    /// The raw text of 2 kB, beside the JavaScript.
    RawBesideJavascript,
}

impl Scenario {
    /// Whether it asks for what nobody has asked for before: work that no cache saves.
    pub(crate) fn is_first_view(self) -> bool {
        matches!(
            self,
            Self::FirstView | Self::Javascript | Self::RawBesideJavascript
        )
    }

    /// Whether it changes nothing.
    fn is_read(self) -> bool {
        !matches!(self, Self::Create | Self::CreateAtRate | Self::Replay)
    }
}

impl Bench<'_> {
    /// Runs one scenario, at every number of connections it is measured at.
    ///
    /// # Errors
    /// The server is gone.
    pub(crate) fn run(&mut self, scenario: Scenario) -> Result<()> {
        match scenario {
            Scenario::CreateAtRate => self.create_at_rate(),
            Scenario::Javascript => self.javascript(),
            Scenario::RawBesideJavascript => Ok(()),
            Scenario::Create => self.at_each(Self::create),
            Scenario::Replay => self.at_each(Self::replay),
            Scenario::Raw => self.at_each(Self::raw),
            Scenario::Page => self.at_each(Self::page),
            Scenario::LargePage => self.large_page(),
            Scenario::FirstView => self.at_each(Self::first_view),
        }
    }

    /// Saves what the scenarios start from.
    ///
    /// # Errors
    /// The server is gone.
    pub(crate) fn prepare(&mut self) -> Result<()> {
        self.fill(
            RAW_PASTES.min(self.sizes.creates),
            self.sizes.creates_within,
        )
    }

    /// Saves on until there are as many pastes as memory is to be read at.
    ///
    /// # Errors
    /// The server is gone.
    pub(crate) fn finish(&mut self) -> Result<()> {
        self.fill(self.sizes.creates, self.sizes.creates_within)
    }

    fn at_each(&mut self, scenario: fn(&mut Self, usize) -> Result<()>) -> Result<()> {
        CONNECTIONS
            .into_iter()
            .try_for_each(|connections| scenario(self, connections))
    }

    fn create(&mut self, connections: usize) -> Result<()> {
        let scripts = self.saving(Kind::Small, usize::MAX, connections);
        let load = closed(self.server.address, scripts, self.sizes.closed);
        let saved = saved_by(self.measure(Scenario::Create, load)?);
        self.saved.extend(saved);
        Ok(())
    }

    fn create_at_rate(&mut self) -> Result<()> {
        let scripts = self.saving(Kind::Small, usize::MAX, CONNECTIONS_AT_RATE);
        let load = open(self.server.address, scripts, self.sizes.open);
        let saved = saved_by(self.measure(Scenario::CreateAtRate, load)?);
        self.saved.extend(saved);
        Ok(())
    }

    fn replay(&mut self, connections: usize) -> Result<()> {
        let saved = self.newest(RAW_PASTES);
        let script = |turn| Replaying::new(&self.texts, Kind::Small, &saved, turn);
        let scripts = Turn::round(connections).into_iter().map(script).collect();
        let load = closed(self.server.address, scripts, self.sizes.closed);
        self.measure(Scenario::Replay, load).map(drop)
    }

    fn raw(&mut self, connections: usize) -> Result<()> {
        let load = closed(
            self.server.address,
            self.reading_raw(connections),
            self.sizes.closed,
        );
        self.measure(Scenario::Raw, load).map(drop)
    }

    fn reading_raw(&self, connections: usize) -> Vec<Reading> {
        let view = View::Raw(self.texts.bytes(Kind::Small));
        reading(&self.newest(RAW_PASTES), view, Turn::round(connections))
    }

    fn page(&mut self, connections: usize) -> Result<()> {
        let turns = Turn::round(connections);
        let scripts = reading(&self.newest(SMALL_PAGES), View::Page, turns);
        let load = closed(self.server.address, scripts, self.sizes.closed);
        self.measure(Scenario::Page, load).map(drop)
    }

    fn large_page(&mut self) -> Result<()> {
        let saved = self.save(Kind::Rust, LARGE_PAGES)?;
        for connections in CONNECTIONS {
            let scripts = reading(&saved, View::Page, Turn::round(connections));
            let load = closed(self.server.address, scripts, self.sizes.closed);
            self.measure(Scenario::LargePage, load)?;
        }
        Ok(())
    }

    fn first_view(&mut self, connections: usize) -> Result<()> {
        let saved = self.save(Kind::Rust, self.sizes.first_views)?;
        let scripts = reading(&saved, View::Page, Turn::once(connections));
        let span = Span {
            warm_up: Duration::ZERO,
            ..self.sizes.closed
        };
        let load = closed(self.server.address, scripts, span);
        self.measure(Scenario::FirstView, load).map(drop)
    }

    /// Large pages nobody has seen, while others read small raw texts.
    fn javascript(&mut self) -> Result<()> {
        let schedule = self.sizes.javascript;
        let saved = self.save(
            Kind::JavaScript,
            (schedule.per_second * schedule.seconds) as usize,
        )?;
        let views = reading(&saved, View::Page, Turn::once(CONNECTIONS_OF_VIEWS));
        let views = open(self.server.address, views, schedule);
        let span = Span {
            warm_up: Duration::ZERO,
            counted: Duration::from_secs(schedule.seconds.into()),
        };
        let beside = self.reading_raw(CONNECTIONS_BESIDE);
        let beside = closed(self.server.address, beside, span);
        let both = async { tokio::try_join!(views, beside) };
        let ((views, beside), cores) = self.timed(both)?;
        for (scenario, driven) in [
            (Scenario::Javascript, views),
            (Scenario::RawBesideJavascript, beside),
        ] {
            self.keep(scenario, driven.scripts.len(), driven.figures, cores);
        }
        Ok(())
    }
}

/// Scripts that save small pastes without end.
pub(crate) fn saving(texts: &Arc<Texts>, connections: usize) -> Vec<Saving> {
    let script = |_| Saving::new(texts, Kind::Small, usize::MAX);
    (0..connections).map(script).collect()
}

fn reading(saved: &Arc<Vec<Saved>>, view: View, turns: Vec<Turn>) -> Vec<Reading> {
    let script = |turn| Reading {
        saved: Arc::clone(saved),
        view,
        turn,
    };
    turns.into_iter().map(script).collect()
}
