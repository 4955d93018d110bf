//! The parts of the Rust toolchain that rustup leaves out by default.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::process::{cargo, run, run_quietly};

/// The compiler's target for the browser.
pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Adds the standard library for the browser.
pub(crate) fn add_wasm_target() -> Result<()> {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "target-libdir", "--target", WASM_TARGET]);
    let output = rustc.output().context("rustc cannot be started")?;
    let folder = String::from_utf8(output.stdout)?;
    if Path::new(folder.trim()).is_dir() {
        return Ok(());
    }
    println!("xtask: rustup target add {WASM_TARGET}");
    run(Command::new("rustup").args(["target", "add", WASM_TARGET]))
}

/// Adds rustfmt and clippy, which rustup's minimal profile lacks.
pub(crate) fn add_lints() -> Result<()> {
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if run_quietly(cargo(subcommand).arg("--version")).is_err() {
            println!("xtask: rustup component add {component}");
            run(Command::new("rustup").args(["component", "add", component]))?;
        }
    }
    Ok(())
}
