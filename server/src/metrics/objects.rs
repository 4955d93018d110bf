//! The object store: how long it takes, how it fails, what it has lost.

use super::register::Register;
use prometheus::{HistogramVec, IntCounter, IntCounterVec};
use std::time::Duration;

/// What the object store is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectOperation {
    /// To keep an object.
    Put,
    /// For an object, or part of one.
    Get,
    /// To remove an object.
    Delete,
    /// For the names of objects.
    List,
    /// What is known of an object.
    Head,
}

impl ObjectOperation {
    const ALL: [Self; 5] = [Self::Put, Self::Get, Self::Delete, Self::List, Self::Head];

    const fn label(self) -> &'static str {
        match self {
            Self::Put => "put",
            Self::Get => "get",
            Self::Delete => "delete",
            Self::List => "list",
            Self::Head => "head",
        }
    }
}

/// Why the object store did not do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectFailure {
    /// It said so, or could not be reached.
    Error,
    /// It did not answer in time.
    Timeout,
}

impl ObjectFailure {
    const fn label(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Timeout => "timeout",
        }
    }
}

/// Measures the object store. Clones count together.
#[derive(Clone, Debug)]
pub struct ObjectMetrics {
    durations: HistogramVec,
    failures: IntCounterVec,
    lost: IntCounter,
}

impl ObjectMetrics {
    pub(super) fn new(register: Register<'_>) -> prometheus::Result<Self> {
        let metrics = Self {
            durations: register.durations(
                "oncebin_object_store_request_duration_seconds",
                "Requests to the object store, each attempt of its own, failed ones included.",
                &["operation"],
            )?,
            failures: register.counters(
                "oncebin_object_store_failures_total",
                "Requests to the object store that failed. An object that is not there is no failure.",
                &["operation", "failure"],
            )?,
            lost: register.counter(
                "oncebin_objects_lost_total",
                "Reads of a live paste whose object is gone: the store has lost a text.",
            )?,
        };
        for operation in ObjectOperation::ALL {
            metrics.durations.with_label_values(&[operation.label()]);
            for failure in [ObjectFailure::Error, ObjectFailure::Timeout] {
                let labels = [operation.label(), failure.label()];
                metrics.failures.with_label_values(&labels);
            }
        }
        Ok(metrics)
    }

    /// A request ended, well or not.
    pub fn asked(
        &self,
        operation: ObjectOperation,
        took: Duration,
        failure: Option<ObjectFailure>,
    ) {
        let durations = self.durations.with_label_values(&[operation.label()]);
        durations.observe(took.as_secs_f64());
        if let Some(failure) = failure {
            let labels = [operation.label(), failure.label()];
            self.failures.with_label_values(&labels).inc();
        }
    }

    /// The object of a live paste was not there.
    pub fn lost(&self) {
        self.lost.inc();
    }
}
