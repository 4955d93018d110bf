//! The Debian packages the tests need.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::pypi;
use crate::process::{is_installed, run_quietly};

/// The programs the tests start, and the packages they are in.
const PROGRAMS: &[(&str, &str)] = &[
    // In full, because `end2end/support` starts these very files.
    ("/usr/bin/chromium", "chromium"),
    ("/usr/bin/firefox-esr", "firefox-esr"),
    ("/usr/bin/python3", "python3"),
    ("node", "nodejs"),
    ("npm", "npm"),
    ("curl", "curl"),
    ("kill", "procps"),
    ("uuidgen", "uuid-runtime"),
    ("promtool", "prometheus"),
    // The tests preload its library.
    ("faketime", "faketime"),
    // The README's back-up.
    ("sqlite3", "sqlite3"),
    ("/usr/sbin/varnishd", "varnish"),
    ("/usr/sbin/nginx", "nginx-light"),
    ("caddy", "caddy"),
    ("openssl", "openssl"),
];

/// Where Debian keeps each release of PostgreSQL, off the path.
const POSTGRESQL_RELEASES: &str = "/usr/lib/postgresql";

const INSTALL: &str = "apt-get install -y --no-install-recommends";

/// The packages that are missing and can be installed by this user.
///
/// # Errors
/// Something is missing, and only root may install it: the error holds the one line to type.
pub(crate) fn missing_packages() -> Result<Vec<&'static str>> {
    let missing = PROGRAMS
        .iter()
        .filter(|(program, _)| !is_installed(program));
    let mut missing: Vec<_> = missing.map(|(_, package)| *package).collect();
    if !has_postgresql() {
        missing.push("postgresql");
    }
    if !pypi::has_venv() {
        missing.push("python3-venv");
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
    keep_postgresql_from_making_a_cluster()?;
    run_quietly(apt_get().arg("update"))?;
    let words = INSTALL.split_whitespace().skip(1);
    without_starting_services(|| run_quietly(apt_get().args(words).args(packages)))
}

fn has_postgresql() -> bool {
    let releases = fs::read_dir(POSTGRESQL_RELEASES)
        .into_iter()
        .flatten()
        .flatten();
    let mut servers = releases.map(|release| release.path().join("bin/postgres"));
    servers.any(|server| server.is_file()) || is_installed("postgres")
}

/// The tests start clusters of their own; Debian would also make one when it installs the package.
fn keep_postgresql_from_making_a_cluster() -> Result<()> {
    let settings = Path::new("/etc/postgresql-common/createcluster.conf");
    if has_postgresql() || settings.exists() {
        return Ok(());
    }
    fs::create_dir_all("/etc/postgresql-common")?;
    Ok(fs::write(settings, "create_main_cluster = false\n")?)
}

/// Asked by Debian's packages before they start their services, where it exists; 101 forbids it.
const POLICY: &str = "/usr/sbin/policy-rc.d";

/// The tests start the servers they need; nginx and the others would also run as services of the machine.
fn without_starting_services(install: impl FnOnce() -> Result<()>) -> Result<()> {
    let policy = Path::new(POLICY);
    if policy.exists() {
        return install();
    }
    fs::write(policy, "#!/bin/sh\nexit 101\n")?;
    fs::set_permissions(policy, fs::Permissions::from_mode(0o755))?;
    let installed = install();
    fs::remove_file(policy)?;
    installed
}

fn apt_get() -> Command {
    let mut apt_get = Command::new("apt-get");
    apt_get.env("DEBIAN_FRONTEND", "noninteractive");
    apt_get
}

fn is_root() -> Result<bool> {
    let process = fs::metadata("/proc/self").context("the tests need Linux")?;
    Ok(process.uid() == 0)
}
