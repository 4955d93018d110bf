//! Requests by endpoint, connections, and bodies in flight.

use super::register::Register;
use prometheus::{HistogramVec, IntCounterVec, IntGauge, IntGaugeVec};
use std::time::Duration;

/// A method and the pattern of a route, as in `GET` and `/{id}`.
pub type Endpoint = (&'static str, &'static str);

/// Whatever is no endpoint: unknown paths, other methods.
const ELSEWHERE: Endpoint = ("other", "none");

/// The statuses this service answers with.
const STATUSES: [(u16, &str); 20] = [
    (200, "200"),
    (201, "201"),
    (204, "204"),
    (206, "206"),
    (304, "304"),
    (400, "400"),
    (401, "401"),
    (403, "403"),
    (404, "404"),
    (405, "405"),
    (408, "408"),
    (409, "409"),
    (412, "412"),
    (413, "413"),
    (415, "415"),
    (416, "416"),
    (422, "422"),
    (429, "429"),
    (500, "500"),
    (503, "503"),
];

/// Any other status: none is expected.
const OTHER_STATUS: &str = "other";

/// The client had gone before there was an answer.
const HUNG_UP: &str = "hung_up";

/// Who listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listener {
    /// Everybody's address.
    Public,
    /// The operator's address.
    Admin,
}

impl Listener {
    const fn label(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Admin => "admin",
        }
    }
}

/// Counts the connections of a listener.
#[derive(Clone, Debug)]
pub struct Connections(IntGauge);

/// A connection: counted until it is dropped.
#[derive(Debug)]
pub struct OpenConnection(IntGauge);

impl Connections {
    /// One more.
    #[must_use]
    pub fn open(&self) -> OpenConnection {
        self.0.inc();
        OpenConnection(self.0.clone())
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Requests, connections and bodies. Clones count together.
#[derive(Clone, Debug)]
pub struct HttpMetrics {
    endpoints: &'static [Endpoint],
    requests: IntCounterVec,
    durations: HistogramVec,
    connections: IntGaugeVec,
    connections_limit: IntGaugeVec,
    in_flight: IntGauge,
    in_flight_limit: IntGauge,
}

impl HttpMetrics {
    pub(super) fn new(
        register: Register<'_>,
        endpoints: &'static [Endpoint],
    ) -> prometheus::Result<Self> {
        let metrics = Self {
            endpoints,
            requests: register.counters(
                "oncebin_http_requests_total",
                "Requests by endpoint and status. HEAD counts as GET; hung_up means that the client left before the answer.",
                &["method", "route", "status"],
            )?,
            durations: register.durations(
                "oncebin_http_request_duration_seconds",
                "From the head of a request to the head of its answer, by endpoint.",
                &["method", "route"],
            )?,
            connections: register.numbers(
                "oncebin_http_connections",
                "Connections that are open.",
                &["listener"],
            )?,
            connections_limit: register.numbers(
                "oncebin_http_connections_limit",
                "Connections at once; past it new ones wait in the system's queue.",
                &["listener"],
            )?,
            in_flight: register.gauge(
                "oncebin_http_bodies_in_flight_bytes",
                "What the bodies of requests take up, as the limit counts it.",
            )?,
            in_flight_limit: register.gauge(
                "oncebin_http_bodies_in_flight_limit_bytes",
                "What all bodies of requests together may take up; past it saves get 503.",
            )?,
        };
        for listener in [Listener::Public, Listener::Admin] {
            drop(metrics.connections(listener, 0));
        }
        for (method, route) in endpoints.iter().copied().chain([ELSEWHERE]) {
            metrics.durations.with_label_values(&[method, route]);
            let statuses = STATUSES.iter().map(|(_, label)| *label);
            for status in statuses.chain([OTHER_STATUS, HUNG_UP]) {
                metrics.requests.with_label_values(&[method, route, status]);
            }
        }
        Ok(metrics)
    }

    /// A request was answered.
    pub fn answered(&self, method: &str, route: Option<&str>, status: u16, took: Duration) {
        let (method, route) = self.endpoint(method, route);
        let known = STATUSES.iter().find(|(number, _)| *number == status);
        let status = known.map_or(OTHER_STATUS, |(_, label)| *label);
        let durations = self.durations.with_label_values(&[method, route]);
        durations.observe(took.as_secs_f64());
        self.requests
            .with_label_values(&[method, route, status])
            .inc();
    }

    /// A client left before it was answered.
    pub fn hung_up(&self, method: &str, route: Option<&str>) {
        let (method, route) = self.endpoint(method, route);
        self.requests
            .with_label_values(&[method, route, HUNG_UP])
            .inc();
    }

    /// The connections of one listener, and how many there may be.
    #[must_use]
    pub fn connections(&self, listener: Listener, limit: usize) -> Connections {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.connections_limit
            .with_label_values(&[listener.label()])
            .set(limit);
        Connections(self.connections.with_label_values(&[listener.label()]))
    }

    /// What bodies take up now, and may take up, in bytes.
    pub fn set_in_flight(&self, bytes: u64, limit_bytes: u64) {
        self.in_flight.set(i64::try_from(bytes).unwrap_or(i64::MAX));
        self.in_flight_limit
            .set(i64::try_from(limit_bytes).unwrap_or(i64::MAX));
    }

    fn endpoint(&self, method: &str, route: Option<&str>) -> Endpoint {
        let method = if method == "HEAD" { "GET" } else { method };
        let known = self.endpoints.iter().copied();
        let mut known = known.filter(|endpoint| Some(endpoint.1) == route);
        known
            .find(|endpoint| endpoint.0 == method)
            .unwrap_or(ELSEWHERE)
    }
}
