//! wasm-opt, from the npm package binaryen: Debian's is too old for what rustc emits.

use std::fs;
use std::process::Command;

use anyhow::Result;

use crate::process::{is_installed, run, target};
use crate::setup::npm;

/// Whether the client is shrunk by wasm-opt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WasmOpt {
    Run,
    /// There is no Node.js to run it: the client works, but is larger.
    Skip,
}

/// The WASM features that rustc uses beyond the first version.
const FEATURES: &[&str] = &[
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-multivalue",
    "--enable-sign-ext",
    "--enable-mutable-globals",
];

/// What it does, in this order. Control flow is taken apart and built anew, which makes it smaller; nothing uses the
/// lowest kilobyte of the memory but the end of a stack that is about to overflow.
const PASSES: &[&str] = &[
    "--low-memory-unused",
    "--generate-global-effects",
    "--flatten",
    "--rereloop",
    "-Oz",
    "--converge",
];

impl WasmOpt {
    /// Installs wasm-opt where Node.js is there to run it.
    pub(crate) fn set_up() -> Result<Self> {
        if !is_installed("node") || !is_installed("npm") {
            println!("xtask: no Node.js and npm: the client is not shrunk by wasm-opt");
            return Ok(Self::Skip);
        }
        npm::install()?;
        Ok(Self::Run)
    }

    /// The same WASM, smaller if wasm-opt is there.
    pub(crate) fn shrink(self, wasm: Vec<u8>) -> Result<Vec<u8>> {
        if self == Self::Skip {
            return Ok(wasm);
        }
        let folder = target()?.join("xtask");
        let (bound, shrunk) = (folder.join("bound.wasm"), folder.join("shrunk.wasm"));
        fs::write(&bound, wasm)?;
        let mut wasm_opt = Command::new(npm::program("wasm-opt"));
        wasm_opt
            .args(PASSES)
            .args(FEATURES)
            .arg(bound)
            .arg("-o")
            .arg(&shrunk);
        run(&mut wasm_opt)?;
        Ok(fs::read(shrunk)?)
    }
}
