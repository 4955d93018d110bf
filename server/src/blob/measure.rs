//! What is counted of the object store, where somebody counts.

use super::Blob;
use super::trouble::Trouble;
use crate::metrics::{
    Deadline, DeadlineMetrics, Metrics, ObjectFailure, ObjectMetrics, ObjectOperation,
};
use std::time::Instant;

/// The instruments of a service, or none.
#[derive(Clone, Debug, Default)]
pub(super) struct Measure(Option<(ObjectMetrics, DeadlineMetrics)>);

impl Blob {
    /// The same store, its requests counted.
    #[must_use]
    pub fn measured_by(mut self, metrics: &Metrics) -> Self {
        let instruments = (metrics.objects.clone(), metrics.deadlines.clone());
        self.measure = Measure(Some(instruments));
        self
    }
}

impl Measure {
    /// One attempt ended.
    pub(super) fn attempt(
        &self,
        operation: ObjectOperation,
        asked: Instant,
        trouble: Option<&Trouble>,
    ) {
        let Some((objects, deadlines)) = &self.0 else {
            return;
        };
        let failure = match trouble {
            None | Some(Trouble::Missing) => None,
            Some(Trouble::Slow) => {
                deadlines.missed(Deadline::Objects);
                Some(ObjectFailure::Timeout)
            }
            Some(_) => Some(ObjectFailure::Error),
        };
        objects.asked(operation, asked.elapsed(), failure);
    }
}
