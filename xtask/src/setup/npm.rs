//! The npm packages of `end2end/`: Playwright and Lighthouse for the tests and binaryen's wasm-opt for the client.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::process::run_quietly;
use crate::root;

/// The program of an npm package.
pub(crate) fn program(name: &str) -> PathBuf {
    root().join("end2end/node_modules/.bin").join(name)
}

/// Installs the packages of the lock file, silently unless it fails; the browser comes from Debian.
pub(crate) fn install() -> Result<()> {
    let end2end = root().join("end2end");
    let lock = fs::read(end2end.join("package-lock.json"))?;
    let installed = end2end.join("node_modules/.installed-lock.json");
    if fs::read(&installed).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    println!("xtask: npm ci in end2end");
    let mut npm = Command::new("npm");
    npm.args(["ci", "--no-audit", "--no-fund"])
        .current_dir(&end2end);
    run_quietly(npm.env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"))?;
    Ok(fs::write(installed, lock)?)
}
