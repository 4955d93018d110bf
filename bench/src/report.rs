//! The results, for people and as JSON.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

use crate::facts::Facts;
use crate::goals::{Bound, Goal, Results, goals};
use crate::limits::Limits;
use crate::scenarios::Row;

/// Everything a run has found.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    at_unix_seconds: u64,
    machine: Machine,
    /// How many PostgreSQL primaries; none is the embedded default.
    primaries: usize,
    rows: Vec<Row>,
    limits: Vec<Limits>,
    facts: Facts,
    goals: Vec<Goal>,
}

/// Where it was measured.
#[derive(Debug, Serialize)]
struct Machine {
    cores: usize,
    processor: String,
    kernel: String,
    /// The system's load averages at the end.
    load_averages: String,
}

impl Report {
    pub(crate) fn new(
        shards: &[String],
        rows: Vec<Row>,
        limits: Vec<Limits>,
        facts: Facts,
    ) -> Self {
        let results = Results {
            rows: &rows,
            limits: &limits,
            facts: &facts,
            postgres: !shards.is_empty(),
        };
        let goals = goals(results);
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            at_unix_seconds: now.map_or(0, |since| since.as_secs()),
            machine: Machine::this(),
            primaries: shards.len(),
            rows,
            limits,
            facts,
            goals,
        }
    }

    /// Everything but the rows, which were shown as they came.
    pub(crate) fn print(&self) {
        println!("\nlimits of this machine, a second  before    after");
        for Limits {
            limit,
            before,
            after,
        } in &self.limits
        {
            let name = name(limit);
            println!("{name:<31} {before:>9.0} {after:>8.0}");
        }
        self.print_facts();
        println!("\ngoals                                       reached      goal");
        for goal in &self.goals {
            print_goal(goal);
        }
        let Machine {
            cores,
            processor,
            kernel,
            load_averages,
        } = &self.machine;
        println!("\n{cores} cores, {processor}, Linux {kernel}, load {load_averages}");
    }

    fn print_facts(&self) {
        let facts = &self.facts;
        println!(
            "\nstart: {:.1} ms on an empty folder, then {:.1} ms",
            facts.starts.first_ms, facts.starts.later_ms
        );
        println!(
            "memory: {:.1} MB idle, {:.1} MB after {} creates and {} reads, {:.1} MB (peak {:.1}) after first views",
            facts.idle.resident_mb,
            facts.used.memory.resident_mb,
            facts.used.creates,
            facts.used.reads,
            facts.memory.resident_mb,
            facts.memory.peak_mb,
        );
        println!(
            "bytes: binary {}, form page {}, 2 kB page {}, 100 kB page {}",
            facts.binary_bytes, facts.form_bytes, facts.page_bytes, facts.large_page_bytes
        );
    }
}

impl Machine {
    fn this() -> Self {
        let read = |path| fs::read_to_string(path).unwrap_or_default();
        let processors = read("/proc/cpuinfo");
        let model = processors
            .lines()
            .find_map(|line| line.strip_prefix("model name")?.split_once(": "));
        let averages = read("/proc/loadavg");
        let averages: Vec<_> = averages.split(' ').take(3).collect();
        Self {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            processor: model.map_or_else(String::new, |(_, model)| model.to_owned()),
            kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(),
            load_averages: averages.join(" "),
        }
    }
}

/// What stands above the rows.
pub(crate) fn print_head() {
    println!(
        "scenario              connections  a second   p50 ms   p99 ms   max ms errors  server    load  us/answer"
    );
}

/// One row. The last column is the server's CPU for one answer.
pub(crate) fn print_row(row: &Row) {
    let (figures, cores) = (&row.figures, &row.cores);
    println!(
        "{:<22} {:>10} {:>9.0} {:>8.2} {:>8.2} {:>8.1} {:>6} {:>7.2} {:>7.2} {:>10.0}",
        name(&row.scenario),
        row.connections,
        figures.per_second,
        figures.p50_ms,
        figures.p99_ms,
        figures.max_ms,
        figures.errors,
        cores.server_cores,
        cores.load_cores,
        cores.server_cores / figures.per_second * 1e6,
    );
}

fn print_goal(goal: &Goal) {
    let sign = match goal.bound {
        Bound::AtLeast => ">=",
        Bound::AtMost => "<=",
    };
    let met = if goal.met { "met" } else { "MISSED" };
    println!(
        "{:<42} {:>8.2} {sign} {:>7.2}  {met}",
        goal.figure, goal.reached, goal.goal
    );
}

/// The name a value has in JSON.
fn name(value: &impl Serialize) -> String {
    let json = serde_json::to_value(value).unwrap_or_default();
    json.as_str().unwrap_or_default().to_owned()
}
