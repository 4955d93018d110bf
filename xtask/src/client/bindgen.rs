//! wasm-bindgen: from what rustc made to WASM and the JavaScript that calls it, the glue.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use wasm_bindgen_cli_support::Bindgen;

use crate::process::target;

/// The glue and the WASM of the compiled client.
///
/// The glue holds no name of the WASM file: the loader, `app/start.js`, passes it.
///
/// # Errors
/// wasm-bindgen's own, or JavaScript snippets in a dependency: nothing here would serve those.
pub(crate) fn bind(compiled: &Path) -> Result<(Vec<u8>, Vec<u8>)> {
    let folder = target()?.join("xtask/bindgen");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    Bindgen::new()
        .input_path(compiled)
        .out_name("app")
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .omit_default_module_path(true)
        .generate(&folder)?;
    ensure!(
        !folder.join("snippets").exists(),
        "a dependency brings JavaScript snippets, which nothing serves"
    );
    Ok((
        fs::read(folder.join("app.js"))?,
        fs::read(folder.join("app_bg.wasm"))?,
    ))
}
