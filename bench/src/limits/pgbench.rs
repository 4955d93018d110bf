//! pgbench of the server's own statements, on all primaries at the same time.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::selects::ROWS;
use super::{Place, statement};
use crate::postgres::program;

/// Clients of all primaries together.
const CLIENTS: usize = 64;

const SLOTS: usize = 256;

/// What the session of oncebin runs with and a statement's cost depends on.
const SESSION: &str = r"-c default_transaction_isolation=repeatable\ read -c random_page_cost=1.1 -c plan_cache_mode=force_generic_plan";

/// Creates a second.
pub(super) fn creates(place: Place<'_>) -> Result<f64> {
    let statement = statement::postgres_create()?;
    run(place, |shard| {
        let slot = set_slot(place, shard);
        format!(
            "{slot}\\set a random(1, 9000000000000000000)\n\
             \\set b random(1, 9000000000000000000)\n{};\n",
            with_values(statement)
        )
    })
}

/// Selects a second.
pub(super) fn selects(place: Place<'_>) -> Result<f64> {
    let statement = statement::postgres_read()?
        .replace("$2", "array['bench-' || lpad(:n::text, 8, '0')]")
        .replace("$1", "array[:slot]");
    run(place, |shard| {
        let slot = set_slot(place, shard);
        format!("{slot}\\set n random(0, {})\n{statement};\n", ROWS - 1)
    })
}

/// Chooses one of the slots a shard owns.
fn set_slot(place: Place<'_>, shard: usize) -> String {
    let shards = place.primaries.len();
    let (first, end) = (shard * SLOTS / shards, (shard + 1) * SLOTS / shards);
    format!("\\set slot random({first}, {})\n", end - 1)
}

/// The create with values of the sizes it has in oncebin, different each time.
fn with_values(statement: &str) -> String {
    let values = [
        ("$16", "9000000000000000"),
        ("$15", "0"),
        ("$14", "sha256(int8send(:b))"),
        ("$13", "2048"),
        ("$12", "'rust'"),
        ("$11", "null"),
        ("$10", "sha256(int8send(:b))"),
        ("$9", "'000/' || repeat(substr(md5(:b::text), 1, 18), 2)"),
        ("$8", "substr(md5(:a::text), 1, 14)"),
        ("$7", "90000000"),
        ("$6", "convert_to(repeat(md5(:a::text), 12), 'UTF8')"),
        ("$5", "sha256(int8send(:b))"),
        ("$4", "1"),
        ("$3", "sha256(int8send(:a))"),
        ("$2", "9000000000000000"),
        ("$1", ":slot"),
    ];
    values
        .iter()
        .fold(statement.to_owned(), |statement, (parameter, value)| {
            statement.replace(parameter, value)
        })
}

/// Runs a script for each shard, all at the same time; the sum of what they reach.
fn run(place: Place<'_>, script: impl Fn(usize) -> String) -> Result<f64> {
    let mut running = Vec::new();
    for (shard, url) in place.primaries.iter().enumerate() {
        let file = place.folder.join(format!("pgbench-{shard}.sql"));
        fs::write(&file, script(shard))?;
        running.push(start(place, url, &file)?);
    }
    running.into_iter().map(finish).sum()
}

fn start(place: Place<'_>, url: &str, script: &Path) -> Result<Child> {
    let clients = (CLIENTS / place.primaries.len()).max(1).to_string();
    let seconds = place.within.as_secs().max(1).to_string();
    let mut pgbench = Command::new(program("pgbench")?);
    pgbench
        .args(["--no-vacuum", "--protocol=prepared", "--client", &clients])
        .args(["--time", &seconds, "--file"])
        .arg(script)
        .arg(url)
        .env("PGOPTIONS", SESSION)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    pgbench.spawn().context("pgbench cannot be started")
}

/// The transactions a second that pgbench reports.
fn finish(pgbench: Child) -> Result<f64> {
    let output = pgbench.wait_with_output()?;
    let (said, complained) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    ensure!(output.status.success(), "pgbench failed: {complained}");
    let tps = said.lines().find_map(|line| line.strip_prefix("tps = "));
    let tps = tps.and_then(|tps| tps.split(' ').next()?.parse().ok());
    tps.with_context(|| format!("pgbench says no tps: {said}"))
}
