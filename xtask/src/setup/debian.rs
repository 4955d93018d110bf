//! The Debian packages the tests need.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{is_installed, run_quietly};

/// Where Debian puts the browser; `end2end/playwright.config.ts` starts the same file.
const CHROMIUM: &str = "/usr/bin/chromium";

/// The packages that are missing and can be installed by this user.
///
/// # Errors
/// Something is missing, and only root may install it: the error holds the one line to type.
pub(crate) fn missing_packages() -> Result<Vec<&'static str>> {
    let mut missing = Vec::new();
    if !Path::new(CHROMIUM).exists() {
        missing.push("chromium");
    }
    if !is_installed("node") {
        missing.push("nodejs");
    }
    if !is_installed("npm") {
        missing.push("npm");
    }
    if !missing.is_empty() && !is_root()? {
        bail!(
            "the tests need packages that only root can install:\n{INSTALL} {}",
            missing.join(" ")
        );
    }
    Ok(missing)
}

/// Installs `packages`, silently unless it fails.
pub(crate) fn install(packages: &[&str]) -> Result<()> {
    if packages.is_empty() {
        return Ok(());
    }
    println!(
        "xtask: {INSTALL} {} (in the background)",
        packages.join(" ")
    );
    run_quietly(apt_get().arg("update"))?;
    let words = INSTALL.split_whitespace().skip(1);
    run_quietly(apt_get().args(words).args(packages))
}

const INSTALL: &str = "apt-get install -y --no-install-recommends";

fn apt_get() -> Command {
    let mut apt_get = Command::new("apt-get");
    apt_get.env("DEBIAN_FRONTEND", "noninteractive");
    apt_get
}

fn is_root() -> Result<bool> {
    let process = fs::metadata("/proc/self").context("the tests need Linux")?;
    Ok(process.uid() == 0)
}
