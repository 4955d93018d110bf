//! Logs: ours as loud as asked for, those of libraries never louder than info.
//!
//! Libraries log statements, headers and paths at debug and trace; a secret could be in any of them.

use std::io::{IsTerminal, stderr};
use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

/// The targets of our own events.
const OURS: &str = "oncebin";

/// Starts logging to standard error: for people on a terminal, else JSON, one event a line.
pub fn start(level: Level) {
    let filter = Targets::new()
        .with_default(level.min(Level::INFO))
        // Its info is PostgreSQL's notices, such as that a table of migrations exists.
        .with_target("sqlx", level.min(Level::WARN))
        .with_target(OURS, level);
    let lines = fmt::layer().with_writer(stderr);
    let layer = if stderr().is_terminal() {
        lines.boxed()
    } else {
        lines.json().boxed()
    };
    // The filter is for everything, not the layer's own: of a layer's own filter, sqlx's question whether a notice would
    // be logged leaves a "no" behind, which takes the next event of the same thread.
    tracing_subscriber::registry()
        .with(layer)
        .with(filter)
        .init();
}
