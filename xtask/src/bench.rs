//! `cargo xtask bench`: oncebin against its own load generator, both built for release.

use std::process::Command;

use anyhow::Result;

use crate::build;
use crate::process::{self, cargo, forget_cargo_run, step, target};

/// Both at once, so that they share one set of dependencies.
const COMPILE: &str = "build --release --package server --bin oncebin --package bench --bin bench";

/// What says which flags there are: bench itself, and nothing is measured.
const HELP: &str = "run --quiet --package bench --bin bench -- --help";

/// Builds both, then measures with the flags of bench. What it writes lies in the target folder until it ends. Asked for
/// help it builds no release and measures nothing.
///
/// # Errors
/// A build fails, or the run does.
pub(crate) fn run(flags: &[String]) -> Result<()> {
    if asks_for_help(flags) {
        return process::run(&mut cargo(HELP));
    }
    build::run(true)?;
    step("bench: compile", || process::run(&mut cargo(COMPILE)))?;
    let target = target()?;
    let mut bench = Command::new(target.join("release/bench"));
    bench.arg("--server").arg(target.join("release/oncebin"));
    bench.arg("--folder").arg(target.join("bench")).args(flags);
    forget_cargo_run(&mut bench);
    process::run(&mut bench)
}

fn asks_for_help(flags: &[String]) -> bool {
    flags.iter().any(|flag| flag == "--help" || flag == "-h")
}

#[cfg(test)]
mod tests {
    use super::asks_for_help;

    #[test]
    fn help_is_asked_for_by_either_flag_wherever_it_stands() {
        let words = |line: &str| -> Vec<String> { line.split(' ').map(str::to_owned).collect() };
        assert!(asks_for_help(&words("--help")));
        assert!(asks_for_help(&words("--quick -h")));
        assert!(!asks_for_help(&words("--quick --only raw")));
    }
}
