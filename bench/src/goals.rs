//! The goals: ratios to limits of the same run where there is one, else figures.
//!
//! A goal whose scenario was left out is left out.

use serde::Serialize;

use crate::facts::Facts;
use crate::limits::{Limit, Limits};
use crate::scenarios::{Row, Scenario};

/// wastebin's durable creates a second and what it took them to (performance.md): 254/s. A goal is ten times that.
const TEN_WASTEBINS: f64 = 2540.0;

/// A goal and what came of it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Goal {
    pub(crate) figure: &'static str,
    pub(crate) reached: f64,
    pub(crate) goal: f64,
    pub(crate) bound: Bound,
    pub(crate) met: bool,
}

/// On which side of the goal it is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Bound {
    AtLeast,
    AtMost,
}

/// What goals are computed from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Results<'a> {
    pub(crate) rows: &'a [Row],
    pub(crate) limits: &'a [Limits],
    pub(crate) facts: &'a Facts,
    /// Whether the shards are PostgreSQL primaries.
    pub(crate) postgres: bool,
}

/// Every goal that the results say something of.
pub(crate) fn goals(results: Results<'_>) -> Vec<Goal> {
    let mut goals = if results.postgres {
        on_postgres(results)
    } else {
        on_sqlite(results)
    };
    goals.extend(on_both(results));
    goals.into_iter().flatten().collect()
}

fn on_sqlite(results: Results<'_>) -> Vec<Option<Goal>> {
    let creates = |connections| results.rate(Scenario::Create, connections);
    let p99 = |connections| Some(results.row(Scenario::Create, connections)?.figures.p99_ms);
    vec![
        at_least(
            "creates at 32 / durable PUTs",
            results.over(creates(32), Limit::DurablePuts),
            0.5,
        ),
        at_least(
            "creates at 64 / durable PUTs",
            results.over(creates(64), Limit::DurablePuts),
            0.5,
        ),
        at_least(
            "creates a second at 32 (10 x wastebin)",
            creates(32),
            TEN_WASTEBINS,
        ),
        at_most("creates at 8, p99 ms", p99(8), 20.0),
        at_most("creates at 32, p99 ms", p99(32), 50.0),
        at_least(
            "raw at 32 / fixed answers",
            results.over(results.rate(Scenario::Raw, 32), Limit::FixedAnswers),
            0.3,
        ),
        at_least(
            "raw a second at 32",
            results.rate(Scenario::Raw, 32),
            20_000.0,
        ),
        at_most(
            "memory MB",
            Some(results.facts.used.memory.resident_mb),
            128.0,
        ),
        at_most("start ms", Some(results.facts.starts.later_ms), 25.0),
    ]
}

fn on_postgres(results: Results<'_>) -> Vec<Option<Goal>> {
    let (creates, raw) = (
        results.rate(Scenario::Create, 64),
        results.rate(Scenario::Raw, 64),
    );
    vec![
        at_least(
            "creates at 64 / pgbench",
            results.over(creates, Limit::PgbenchCreates),
            0.25,
        ),
        at_least(
            "raw at 64 / selects through pools",
            results.over(raw, Limit::PoolSelects),
            0.5,
        ),
        at_most(
            "memory MB",
            Some(results.facts.used.memory.resident_mb),
            64.0,
        ),
        at_most("start ms", Some(results.facts.starts.later_ms), 60.0),
    ]
}

fn on_both(results: Results<'_>) -> Vec<Option<Goal>> {
    let facts = results.facts;
    let at_rate = results.row(Scenario::CreateAtRate, 64);
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    let replays = results.rate(Scenario::Replay, 32);
    let replays = replays.zip(results.rate(Scenario::Create, 32));
    let view = results.row(Scenario::FirstView, 1);
    let javascript = results.row(Scenario::Javascript, 4);
    let beside = results.row(Scenario::RawBesideJavascript, 8);
    let beside = beside.zip(results.row(Scenario::Raw, 8));
    vec![
        at_most(
            "350 creates a second, p50 ms",
            at_rate.map(|row| row.figures.p50_ms),
            4.0,
        ),
        at_most(
            "350 creates a second, p99 ms",
            at_rate.map(|row| row.figures.p99_ms),
            20.0,
        ),
        at_most(
            "350 creates a second, errors",
            at_rate.map(|row| row.figures.errors as f64),
            0.0,
        ),
        at_most(
            "350 creates a second, share of all cores",
            at_rate.map(|row| row.cores.server_cores / cores),
            0.5,
        ),
        at_least(
            "replays / creates, at 32",
            replays.map(|(replays, creates)| replays / creates),
            2.0,
        ),
        at_least(
            "pages at 32 / Leptos alone",
            results.over(results.rate(Scenario::Page, 32), Limit::LeptosPages),
            0.65,
        ),
        at_least(
            "100 kB pages a second at 32",
            results.rate(Scenario::LargePage, 32),
            2_000.0,
        ),
        at_most(
            "first view of 100 kB, p99 ms",
            view.map(|row| row.figures.p99_ms),
            10.0,
        ),
        at_most(
            "first view of 1 MB of JavaScript, p99 ms",
            javascript.map(|row| row.figures.p99_ms),
            50.0,
        ),
        at_most(
            "raw p99 beside it / alone",
            beside.map(|(beside, alone)| beside.figures.p99_ms / alone.figures.p99_ms),
            1.5,
        ),
        at_most("binary MB", Some(facts.binary_bytes as f64 / 1e6), 25.0),
        at_most("form page kB", Some(facts.form_bytes as f64 / 1e3), 15.0),
        at_most(
            "100 kB page on the wire, kB",
            Some(facts.large_page_bytes as f64 / 1e3),
            75.0,
        ),
    ]
}

impl Results<'_> {
    fn row(&self, scenario: Scenario, connections: usize) -> Option<&Row> {
        let mut rows = self.rows.iter();
        rows.find(|row| row.scenario == scenario && row.connections == connections)
    }

    fn rate(&self, scenario: Scenario, connections: usize) -> Option<f64> {
        Some(self.row(scenario, connections)?.figures.per_second)
    }

    fn over(&self, rate: Option<f64>, limit: Limit) -> Option<f64> {
        let limits = self.limits.iter().find(|limits| limits.limit == limit)?;
        Some(rate? / limits.mean())
    }
}

fn at_least(figure: &'static str, reached: Option<f64>, goal: f64) -> Option<Goal> {
    reached.map(|reached| Goal {
        figure,
        reached,
        goal,
        bound: Bound::AtLeast,
        met: reached >= goal,
    })
}

fn at_most(figure: &'static str, reached: Option<f64>, goal: f64) -> Option<Goal> {
    reached.map(|reached| Goal {
        figure,
        reached,
        goal,
        bound: Bound::AtMost,
        met: reached <= goal,
    })
}
