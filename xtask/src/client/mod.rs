//! The browser client: compiled, bound to JavaScript, shrunk, compressed and laid into `target/client/`, where the
//! server's build script finds it.
//!
//! Every tool is a library of this workspace's lock file, wasm-opt apart: no version can drift, nothing is downloaded.

mod bindgen;
mod compress;
mod folder;
mod hashed_name;
mod inputs;
mod paths;
mod short_names;
mod wasm_opt;
mod weight;

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::process::{self, cargo, step, target};
use crate::setup::rust::WASM_TARGET;
use folder::{Folder, Part, Role};
use inputs::Inputs;
pub(crate) use wasm_opt::WasmOpt;
pub(crate) use weight::check_weight;

/// What selects the client, for `cargo rustc` and `cargo clippy`. Never `--all-features`: with `ssr` and `hydrate`
/// together every event handler is lost.
pub(crate) const CARGO_FLAGS: &[&str] = &[
    "--package=app",
    "--lib",
    "--features=hydrate",
    "--profile=wasm-release",
    "--target",
    WASM_TARGET,
];

/// Makes `target/client/` agree with the sources. Quick when it already does.
pub(crate) fn build(wasm_opt: WasmOpt) -> Result<()> {
    let compiled = compile()?;
    package(&compiled, wasm_opt)
}

/// Compiles the client; the answer is its WASM as rustc leaves it.
///
/// As a `cdylib` alone: beside an `rlib` there is no link-time optimisation, and the WASM is a third larger.
pub(crate) fn compile() -> Result<PathBuf> {
    let mut rustc = cargo("rustc --crate-type=cdylib");
    rustc.env(RUSTFLAGS, remapped_paths()?);
    step("client: compile", || process::run(rustc.args(CARGO_FLAGS)))?;
    Ok(target()?.join(WASM_TARGET).join("wasm-release/app.wasm"))
}

/// Flags for rustc, for the client's target alone.
const RUSTFLAGS: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";

/// Keeps this machine's folders out of the WASM's panic messages: it is served to everybody, and equal sources shall
/// give equal files.
fn remapped_paths() -> Result<String> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home
        .or_else(|| env::home_dir().map(|home| home.join(".cargo")))
        .context("neither CARGO_HOME nor a home folder")?;
    let (home, root) = (home.display(), crate::root().display());
    Ok(format!(
        "--remap-path-prefix={home}=cargo --remap-path-prefix={root}=oncebin"
    ))
}

/// Makes the files that are served from what [`compile`] made, unless they are there already.
pub(crate) fn package(compiled: &Path, wasm_opt: WasmOpt) -> Result<()> {
    let inputs = Inputs::read(compiled, wasm_opt)?;
    let fingerprint = inputs.fingerprint();
    let folder = Folder::served();
    if folder.fingerprint().as_ref() == Some(&fingerprint) {
        return Ok(());
    }
    step("client: bind, shrink, compress", || {
        let (glue, bound) = bindgen::bind(compiled)?;
        let wasm = wasm_opt.shrink(bound)?;
        let parts = [
            Part {
                role: Role::Style,
                content: inputs.style,
            },
            Part {
                role: Role::View,
                content: inputs.view,
            },
            Part {
                role: Role::Start,
                content: inputs.start,
            },
            Part {
                role: Role::Glue,
                content: glue,
            },
            Part {
                role: Role::Wasm,
                content: wasm,
            },
            Part {
                role: Role::Mine,
                content: inputs::mine()?,
            },
        ];
        folder.write(&fingerprint, &parts)
    })
}
