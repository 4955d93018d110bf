//! From a command to its exit code.

use super::exit::Failed;
use super::{explain, get, put, resume, rm};
use crate::config::{ClientCommand, ClientEnvironment};
use std::process::ExitCode;
use tokio::runtime::Builder;

/// Carries a client command out. What it found goes to standard output, everything else to standard error.
#[must_use]
pub fn run(command: &ClientCommand) -> ExitCode {
    match carry_out(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failed) => {
            eprintln!("oncebin: {}", failed.line);
            failed.exit.into()
        }
    }
}

fn carry_out(command: &ClientCommand) -> Result<(), Failed> {
    let environment = || ClientEnvironment::read().map_err(|wrong| Failed::usage(wrong.0));
    match command {
        ClientCommand::Put(flags) if flags.resume => wait_for(resume::resume(&environment()?)),
        ClientCommand::Put(flags) => wait_for(put::put(flags, &environment()?)),
        ClientCommand::Get(flags) => {
            environment()?;
            wait_for(get::get(flags))
        }
        ClientCommand::Rm(flags) => wait_for(rm::rm(flags, &environment()?)),
        ClientCommand::Completions { shell } => explain::completions(*shell),
        ClientCommand::Man { command } => explain::manual(command.as_deref()),
    }
}

/// One thread is enough: a client waits for the network.
fn wait_for(task: impl Future<Output = Result<(), Failed>>) -> Result<(), Failed> {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failed::refused(format!("cannot start: {error}")))?;
    runtime.block_on(task)
}
