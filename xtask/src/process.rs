//! Running the programs the build is made of.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

/// Does one step of the build, and says which and how long it took.
pub(crate) fn step<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("xtask: {what}");
    let start = Instant::now();
    let done = work().with_context(|| format!("{what} failed"))?;
    println!(
        "xtask: {what}: done in {:.1} s",
        start.elapsed().as_secs_f64()
    );
    Ok(done)
}

/// The cargo that runs this xtask, with the arguments of `line` (separated by blanks).
pub(crate) fn cargo(line: &str) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(line.split_whitespace())
        .current_dir(crate::root());
    forget_cargo_run(&mut cargo);
    cargo
}

/// Takes away what `cargo run` told xtask about itself: build scripts that look at it would otherwise run again,
/// and rebuild what depends on them, whenever xtask and a person take turns.
pub(crate) fn forget_cargo_run(command: &mut Command) {
    let about_xtask = [
        "CARGO_PKG_",
        "CARGO_MANIFEST_",
        "CARGO_BIN_",
        "CARGO_CRATE_",
        "CARGO_PRIMARY_",
    ];
    for (name, _) in env::vars_os() {
        if about_xtask
            .iter()
            .any(|prefix| name.to_string_lossy().starts_with(prefix))
        {
            command.env_remove(name);
        }
    }
}

/// Where cargo puts what it builds: this xtask lies in its `debug/`.
pub(crate) fn target() -> Result<PathBuf> {
    let xtask = env::current_exe()?;
    let target = xtask
        .ancestors()
        .nth(2)
        .context("xtask was not started by cargo")?;
    Ok(target.to_owned())
}

/// Runs a program whose output the person sees.
///
/// # Errors
/// It cannot be started, or reports failure.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("{} cannot be started", name(command)))?;
    if !status.success() {
        bail!("{} ended with {status}", name(command));
    }
    Ok(())
}

/// Runs a program in the background of other work: its output is shown only when it fails.
///
/// # Errors
/// It cannot be started, or reports failure; then the error holds its output.
pub(crate) fn run_quietly(command: &mut Command) -> Result<()> {
    let output = command.stdin(Stdio::null()).output();
    let Output {
        status,
        stdout,
        stderr,
    } = output.with_context(|| format!("{} cannot be started", name(command)))?;
    if !status.success() {
        let said = [stdout, stderr].concat();
        bail!(
            "{} ended with {status}:\n{}",
            name(command),
            String::from_utf8_lossy(&said)
        );
    }
    Ok(())
}

/// Whether a program is there: a name to look for on the path, or a file.
pub(crate) fn is_installed(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// The program and its arguments, as a person would type them.
fn name(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy()];
    words.extend(
        command
            .get_args()
            .map(|argument| argument.to_string_lossy()),
    );
    words.join(" ")
}
