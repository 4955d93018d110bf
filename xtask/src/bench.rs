//! `cargo xtask bench`: oncebin against its own load generator, both built for release.

use std::process::Command;

use anyhow::Result;

use crate::build;
use crate::process::{self, cargo, forget_cargo_run, step, target};

/// Both at once, so that they share one set of dependencies.
const COMPILE: &str = "build --release --package server --bin oncebin --package bench --bin bench";

/// Builds both, then measures with the flags of bench. What it writes lies in the target folder until it ends.
///
/// # Errors
/// A build fails, or the run does.
pub(crate) fn run(flags: &[String]) -> Result<()> {
    build::run(true)?;
    step("bench: compile", || process::run(&mut cargo(COMPILE)))?;
    let target = target()?;
    let mut bench = Command::new(target.join("release/bench"));
    bench.arg("--server").arg(target.join("release/oncebin"));
    bench.arg("--folder").arg(target.join("bench")).args(flags);
    forget_cargo_run(&mut bench);
    process::run(&mut bench)
}
