//! `cargo xtask build`: the one file that runs anywhere.

use anyhow::{Result, ensure};

use crate::client::{self, WasmOpt, check_weight};
use crate::process::{self, cargo, step, target};
use crate::setup::rust;

/// Builds the client and the oncebin that carries it, for development or for release.
///
/// # Errors
/// A tool fails or the client is too heavy; for a release also: wasm-opt cannot run.
pub(crate) fn run(release: bool) -> Result<()> {
    rust::add_wasm_target()?;
    let wasm_opt = WasmOpt::set_up()?;
    ensure!(
        !release || wasm_opt == WasmOpt::Run,
        "a release needs Node.js and npm, to run wasm-opt"
    );
    client::build(wasm_opt)?;
    if wasm_opt == WasmOpt::Run {
        check_weight()?;
    }
    let (profile, folder) = if release {
        ("release", "release")
    } else {
        ("dev", "debug")
    };
    let mut build = cargo("build --package server --bin oncebin --profile");
    step("server: compile", || process::run(build.arg(profile)))?;
    let oncebin = target()?.join(folder).join("oncebin");
    println!(
        "xtask: {}: {} bytes",
        oncebin.display(),
        oncebin.metadata()?.len()
    );
    Ok(())
}
