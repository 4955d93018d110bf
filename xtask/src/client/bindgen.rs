//! wasm-bindgen: from what rustc made to WASM and the JavaScript that calls it, the glue.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use wasm_bindgen_cli_support::{Bindgen, Output};

use super::paths;
use super::short_names::ShortNames;
use crate::process::target;

/// Exports of a dependency's streams between Rust and JavaScript. Nothing here makes such a stream, but exports are
/// never taken for unused: they would cost more than a kilobyte.
const UNUSED_EXPORTS: [&str; 2] = ["intounderlying", "__wbg_intounderlying"];

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
    let mut output = Bindgen::new()
        .input_path(compiled)
        .out_name("app")
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .omit_default_module_path(true)
        .generate_output()?;
    drop_unused_exports(&mut output);
    blank_paths(&mut output);
    let names = shorten(&mut output);
    output.emit(&folder)?;
    ensure!(
        !folder.join("snippets").exists(),
        "a dependency brings JavaScript snippets, which nothing serves"
    );
    let glue = fs::read_to_string(folder.join("app.js"))?;
    Ok((
        names.apply(&glue).into_bytes(),
        fs::read(folder.join("app_bg.wasm"))?,
    ))
}

fn drop_unused_exports(output: &mut Output) {
    let exports = &mut output.wasm_mut().exports;
    let is_unused = |name: &str| UNUSED_EXPORTS.iter().any(|start| name.starts_with(start));
    let mut unused = Vec::new();
    for export in exports.iter() {
        if is_unused(&export.name) {
            unused.push(export.id());
        }
    }
    for id in unused {
        exports.delete(id);
    }
}

fn blank_paths(output: &mut Output) {
    let data = &mut output.wasm_mut().data;
    let mut ids = Vec::new();
    for segment in data.iter() {
        ids.push(segment.id());
    }
    for id in ids {
        paths::blank(&mut data.get_mut(id).value);
    }
}

/// Gives every import and export with a hash in its name a short name, in the WASM; the answer is what the glue must
/// call them.
fn shorten(output: &mut Output) -> ShortNames {
    let mut names = ShortNames::default();
    let wasm = output.wasm_mut();
    for import in wasm.imports.iter_mut() {
        names.shorten(&mut import.name);
    }
    for export in wasm.exports.iter_mut() {
        names.shorten(&mut export.name);
    }
    names
}
