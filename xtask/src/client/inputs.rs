//! What the served files are made from.

use std::env;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use super::WasmOpt;
use super::hashed_name::hex;
use crate::root;

/// The contents of every source but the compiled client, and one hash over them all.
pub(crate) struct Inputs {
    pub(crate) style: Vec<u8>,
    pub(crate) view: Vec<u8>,
    pub(crate) start: Vec<u8>,
    hash: Sha256,
}

impl Inputs {
    pub(crate) fn read(compiled: &Path, wasm_opt: WasmOpt) -> Result<Self> {
        let style = read(&root().join("style/main.css"))?;
        let view = read(&root().join("app/view.js"))?;
        let start = read(&root().join("app/start.js"))?;
        // xtask itself stands for the tools it is linked with and the flags it gives them.
        let xtask = read(&env::current_exe()?)?;
        let mut hash = Sha256::new_with_prefix(format!("{wasm_opt:?}"));
        for content in [&style, &view, &start, &xtask, &read(compiled)?] {
            hash.update(content.len().to_be_bytes());
            hash.update(content);
        }
        hash.update(mine()?);
        Ok(Self {
            style,
            view,
            start,
            hash,
        })
    }

    /// Equal fingerprints mean equal files.
    pub(crate) fn fingerprint(&self) -> String {
        hex(&self.hash.clone().finalize())
    }
}

/// The script of the list of pastes.
pub(crate) fn mine() -> Result<Vec<u8>> {
    read(&root().join("app/mine.js"))
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("{} cannot be read", path.display()))
}
