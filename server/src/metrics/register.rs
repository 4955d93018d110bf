//! Making instruments that are in the registry.

use prometheus::core::Collector;
use prometheus::{
    Gauge, GaugeVec, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec,
    Opts, Registry,
};

/// Upper bounds of durations, in seconds: from a read out of memory to a create's deadline.
const DURATIONS: [f64; 14] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
];

/// Puts every instrument it makes into one registry.
#[derive(Clone, Copy)]
pub(super) struct Register<'a>(pub(super) &'a Registry);

impl Register<'_> {
    pub(super) fn counter(self, name: &str, help: &str) -> prometheus::Result<IntCounter> {
        self.keep(IntCounter::new(name, help)?)
    }

    pub(super) fn counters(
        self,
        name: &str,
        help: &str,
        labels: &[&str],
    ) -> prometheus::Result<IntCounterVec> {
        self.keep(IntCounterVec::new(Opts::new(name, help), labels)?)
    }

    pub(super) fn gauge(self, name: &str, help: &str) -> prometheus::Result<IntGauge> {
        self.keep(IntGauge::new(name, help)?)
    }

    pub(super) fn fraction(self, name: &str, help: &str) -> prometheus::Result<Gauge> {
        self.keep(Gauge::new(name, help)?)
    }

    pub(super) fn numbers(
        self,
        name: &str,
        help: &str,
        labels: &[&str],
    ) -> prometheus::Result<IntGaugeVec> {
        self.keep(IntGaugeVec::new(Opts::new(name, help), labels)?)
    }

    pub(super) fn gauges(
        self,
        name: &str,
        help: &str,
        labels: &[&str],
    ) -> prometheus::Result<GaugeVec> {
        self.keep(GaugeVec::new(Opts::new(name, help), labels)?)
    }

    pub(super) fn durations(
        self,
        name: &str,
        help: &str,
        labels: &[&str],
    ) -> prometheus::Result<HistogramVec> {
        let opts = HistogramOpts::new(name, help).buckets(DURATIONS.to_vec());
        self.keep(HistogramVec::new(opts, labels)?)
    }

    fn keep<C: Collector + Clone + 'static>(self, instrument: C) -> prometheus::Result<C> {
        self.0.register(Box::new(instrument.clone()))?;
        Ok(instrument)
    }
}
