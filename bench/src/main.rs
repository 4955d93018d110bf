//! Measures oncebin against this machine's own limits, in one run: `cargo xtask bench`.
//!
//! It knows oncebin as its clients do, over HTTP, and as the operating system does. It reads the server's SQL only to
//! have databases run the same statements alone.

#![expect(
    clippy::print_stdout,
    reason = "the results are for the person who started it"
)]

mod facts;
mod goals;
mod limits;
mod load;
mod ports;
mod postgres;
mod proc;
mod report;
mod scenarios;
mod server;
mod sizes;
mod sweep;
mod text;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::{Parser, ValueEnum};
use tokio::runtime::{Builder, Runtime};

use facts::{Facts, Used};
use limits::{Limits, Place};
use postgres::Primaries;
use report::Report;
use scenarios::{Bench, Scenario};
use server::Program;
use sizes::Sizes;
use sweep::Comparison;
use text::Texts;

/// The folder of the workspace.
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Measure oncebin against this machine's own limits
#[derive(Debug, Parser)]
#[command(name = "bench")]
struct Flags {
    /// The oncebin to measure, built for release
    #[arg(long, value_name = "FILE")]
    server: PathBuf,

    /// Folder for everything that is written; it is emptied first
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,

    /// PostgreSQL databases, separated by commas, that may be filled with rubbish [default: the embedded SQLite]
    #[arg(long, value_name = "URLS", conflicts_with = "postgres")]
    shards: Option<String>,

    /// Start four PostgreSQL primaries for the run
    #[arg(long)]
    postgres: bool,

    /// Half a minute instead of seven: shows that everything works
    #[arg(long)]
    quick: bool,

    /// Instead of all that: creates beside the sweep of so many expired rows, on the first shard alone
    #[arg(long, value_name = "ROWS", conflicts_with = "only")]
    sweep: Option<u32>,

    /// Creates a second beside the sweep, fewer than this machine can take
    #[arg(long, value_name = "NUMBER", requires = "sweep")]
    rate: Option<u32>,

    /// Only these scenarios, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<Scenario>,

    /// Write the results as JSON, too
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Flags::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(flags: &Flags) -> Result<()> {
    if flags.folder.exists() {
        fs::remove_dir_all(&flags.folder).context("the folder cannot be emptied")?;
    }
    fs::create_dir_all(&flags.folder)?;
    let primaries = flags.postgres.then(Primaries::start).transpose()?;
    let shards = match &primaries {
        Some(primaries) => primaries.urls.clone(),
        None => flags
            .shards
            .iter()
            .flat_map(|urls| urls.split(','))
            .map(str::to_owned)
            .collect(),
    };
    let json = if let Some(rows) = flags.sweep {
        serde_json::to_string_pretty(&beside_sweep(flags, &shards, rows)?)?
    } else {
        let report = measure(flags, &shards)?;
        report.print();
        serde_json::to_string_pretty(&report)?
    };
    if let Some(file) = &flags.json {
        fs::write(file, json)?;
    }
    fs::remove_dir_all(&flags.folder)?;
    Ok(())
}

fn beside_sweep(flags: &Flags, shards: &[String], rows: u32) -> Result<Comparison> {
    let file = flags.folder.join("shard.sqlite");
    let shard = match shards.first() {
        Some(url) => url.clone(),
        None => format!("sqlite://{}", file.display()),
    };
    let program = Program {
        binary: flags.server.clone(),
        folder: flags.folder.clone(),
        shards: Some(shard.clone()),
    };
    let texts = Arc::new(Texts::read()?);
    let mut schedule = sizes(flags).sweep;
    schedule.per_second = flags.rate.unwrap_or(schedule.per_second);
    sweep::compare(&program, &shard, rows, schedule, &texts, &load_runtime()?)
}

fn sizes(flags: &Flags) -> Sizes {
    if flags.quick {
        Sizes::QUICK
    } else {
        Sizes::FULL
    }
}

fn measure(flags: &Flags, shards: &[String]) -> Result<Report> {
    let sizes = sizes(flags);
    let program = Program {
        binary: flags.server.clone(),
        folder: flags.folder.clone(),
        shards: (!shards.is_empty()).then(|| shards.join(",")),
    };
    let runtime = load_runtime()?;
    let texts = Arc::new(Texts::read()?);
    let place = Place {
        folder: &flags.folder,
        primaries: shards,
        within: sizes.limit,
    };
    let starts = facts::starts(&program, &runtime, sizes.starts)?;
    let before = limits::measure(place, &texts, &runtime)?;
    let server = program.start(&runtime)?;
    let mut bench = Bench {
        runtime: &runtime,
        server: &server,
        sizes,
        texts: Arc::clone(&texts),
        saved: Vec::new(),
        rows: Vec::new(),
    };
    let idle = server.memory()?;
    report::print_head();
    bench.prepare()?;
    let is_asked = |scenario: &&Scenario| flags.only.is_empty() || flags.only.contains(scenario);
    let (first_views, others): (Vec<&Scenario>, Vec<&Scenario>) = Scenario::value_variants()
        .iter()
        .filter(is_asked)
        .partition(|scenario| scenario.is_first_view());
    for scenario in others {
        bench.run(*scenario)?;
    }
    if flags.only.is_empty() {
        bench.finish()?;
    }
    let used = Used::of(&bench)?;
    for scenario in first_views {
        bench.run(*scenario)?;
    }
    let facts = Facts::collect(&program, &bench, starts, (idle, used))?;
    let rows = bench.rows;
    server.stop()?;
    let after = limits::measure(place, &texts, &runtime)?;
    Ok(Report::new(
        shards,
        rows,
        Limits::of(&before, &after),
        facts,
    ))
}

/// One thread drives the load: what it does not take is oncebin's.
fn load_runtime() -> Result<Runtime> {
    let mut builder = Builder::new_multi_thread();
    Ok(builder.worker_threads(1).enable_all().build()?)
}
