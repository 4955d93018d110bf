//! The workers: whether they get on, and what they did.

use super::register::Register;
use prometheus::{Gauge, GaugeVec, IntCounterVec, IntGaugeVec};
use std::time::{SystemTime, UNIX_EPOCH};

/// Every worker, by the name it has in logs and in labels.
const WORKERS: [(&str, &str); 4] = [
    ("relay of objects", "relay_objects"),
    ("relay of purges", "relay_purges"),
    ("sweeper", "sweeper"),
    ("reaper", "reaper"),
];

/// How a pass ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassEnd {
    /// It did what there was to do.
    Complete,
    /// A shard or a store did not answer: some of it is left.
    InDoubt,
    /// It panicked: a bug.
    Panicked,
}

impl PassEnd {
    const ALL: [Self; 3] = [Self::Complete, Self::InDoubt, Self::Panicked];

    const fn label(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::InDoubt => "in_doubt",
            Self::Panicked => "panicked",
        }
    }
}

/// What workers do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkItem {
    /// A step of a deletion that was carried out.
    StepDone,
    /// A step of a deletion that failed and will be tried again.
    StepFailed,
    /// An expired paste that was replaced by its outbox row.
    PasteSwept,
    /// An expired idempotency row that was removed.
    KeySwept,
    /// An orphan that was removed.
    OrphanRemoved,
    /// A staging file that was removed.
    StagingRemoved,
}

impl WorkItem {
    const ALL: [Self; 6] = [
        Self::StepDone,
        Self::StepFailed,
        Self::PasteSwept,
        Self::KeySwept,
        Self::OrphanRemoved,
        Self::StagingRemoved,
    ];

    /// The workers that deal with it, and its name.
    const fn label(self) -> (&'static [&'static str], &'static str) {
        const RELAYS: &[&str] = &["relay_objects", "relay_purges"];
        match self {
            Self::StepDone => (RELAYS, "step_done"),
            Self::StepFailed => (RELAYS, "step_failed"),
            Self::PasteSwept => (&["sweeper"], "paste"),
            Self::KeySwept => (&["sweeper"], "key"),
            Self::OrphanRemoved => (&["reaper"], "orphan"),
            Self::StagingRemoved => (&["reaper"], "staging"),
        }
    }
}

/// Counts passes. Clones count together; the default is in no registry.
#[derive(Clone, Debug, Default)]
pub struct WorkerMetrics(Option<Vectors>);

#[derive(Clone, Debug)]
struct Vectors {
    passes: IntCounterVec,
    last_pass: GaugeVec,
    items: IntCounterVec,
    objects: IntGaugeVec,
    orphans: IntGaugeVec,
    braked: IntGaugeVec,
}

/// The instruments of one worker of one shard.
#[derive(Clone, Debug, Default)]
pub struct PassMetrics(Option<(Vectors, &'static str, String)>);

impl WorkerMetrics {
    pub(super) fn new(register: Register<'_>, shards: usize) -> prometheus::Result<Self> {
        let vectors = Vectors::new(register)?;
        for shard in 0..shards {
            vectors.begin(&shard.to_string());
        }
        Ok(Self(Some(vectors)))
    }

    /// The instruments of a worker, by its name in logs.
    #[must_use]
    pub fn of(&self, name: &str, shard: usize) -> PassMetrics {
        let worker = WORKERS.iter().find(|(known, _)| *known == name);
        let counted = self.0.as_ref().zip(worker);
        PassMetrics(
            counted.map(|(vectors, (_, label))| (vectors.clone(), *label, shard.to_string())),
        )
    }
}

impl PassMetrics {
    /// The worker was started.
    pub fn started(&self) {
        self.last_pass(|gauge| gauge.set(now()));
    }

    /// A pass ended.
    pub fn ended(&self, how: PassEnd) {
        if let Some((vectors, worker, shard)) = &self.0 {
            let labels = [*worker, shard.as_str(), how.label()];
            vectors.passes.with_label_values(&labels).inc();
        }
        if how == PassEnd::Complete {
            self.last_pass(|gauge| gauge.set(now()));
        }
    }

    /// The worker did so many of these.
    pub fn did(&self, item: WorkItem, count: u64) {
        let (workers, label) = item.label();
        if let Some((vectors, worker, shard)) = &self.0
            && workers.contains(worker)
        {
            let labels = [*worker, shard.as_str(), label];
            vectors.items.with_label_values(&labels).inc_by(count);
        }
    }

    /// What the reaper saw, and whether its brake kept the orphans.
    pub fn saw_objects(&self, objects: u64, orphans: u64, braked: bool) {
        if let Some((vectors, _, shard)) = &self.0 {
            let whole = |number| i64::try_from(number).unwrap_or(i64::MAX);
            let shard = [shard.as_str()];
            vectors
                .objects
                .with_label_values(&shard)
                .set(whole(objects));
            vectors
                .orphans
                .with_label_values(&shard)
                .set(whole(orphans));
            vectors
                .braked
                .with_label_values(&shard)
                .set(i64::from(braked));
        }
    }

    fn last_pass(&self, set: impl FnOnce(Gauge)) {
        if let Some((vectors, worker, shard)) = &self.0 {
            set(vectors
                .last_pass
                .with_label_values(&[*worker, shard.as_str()]));
        }
    }
}

impl Vectors {
    fn new(register: Register<'_>) -> prometheus::Result<Self> {
        Ok(Self {
            passes: register.counters(
                "oncebin_worker_passes_total",
                "Passes by how they ended; in_doubt means that a shard or store did not answer and some of it is left.",
                &["worker", "shard", "result"],
            )?,
            last_pass: register.gauges(
                "oncebin_worker_last_pass_timestamp_seconds",
                "When a worker last completed a pass, or was started; 0 where it was not.",
                &["worker", "shard"],
            )?,
            items: register.counters(
                "oncebin_worker_items_total",
                "What workers did: steps of deletions, expired rows, orphans.",
                &["worker", "shard", "item"],
            )?,
            objects: register.numbers(
                "oncebin_reaper_objects",
                "Objects the reaper saw in its last pass.",
                &["shard"],
            )?,
            orphans: register.numbers(
                "oncebin_reaper_orphans",
                "Those of them, old enough, that no row names.",
                &["shard"],
            )?,
            braked: register.numbers(
                "oncebin_reaper_braked",
                "Whether the reaper removes nothing because too many objects have no row.",
                &["shard"],
            )?,
        })
    }

    fn begin(&self, shard: &str) {
        for (_, worker) in WORKERS {
            self.last_pass.with_label_values(&[worker, shard]);
            for how in PassEnd::ALL {
                self.passes.with_label_values(&[worker, shard, how.label()]);
            }
        }
        for item in WorkItem::ALL {
            let (workers, label) = item.label();
            for worker in workers {
                self.items.with_label_values(&[*worker, shard, label]);
            }
        }
        for gauges in [&self.objects, &self.orphans, &self.braked] {
            gauges.with_label_values(&[shard]);
        }
    }
}

fn now() -> f64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.unwrap_or_default().as_secs_f64()
}
