//! The operator's commands: `check` and `takedown`. They work on shards and objects themselves, beside a running service,
//! and bring no schema up to date, make no folder and claim no slot.

mod audit;
mod backlog;
mod check;
mod findings;
mod objects;
mod report;
mod shards;
mod takedown;
mod textless;

use super::exit::Failed;
use crate::config::{OperatorCommand, ServeFlags, Settings, TakedownFlags};
use crate::telemetry;
use std::process::ExitCode;
use tokio::runtime::Builder;

/// Carries an operator's command out. What it found goes to standard output, everything else to standard error.
#[must_use]
pub fn operate(command: &OperatorCommand) -> ExitCode {
    let done = match command {
        OperatorCommand::Check(flags) => settings(&flags.serve)
            .and_then(|settings| wait_for(check::check(&settings, flags.deep))),
        OperatorCommand::Takedown(flags) => {
            settings(&flags.serve).and_then(|settings| wait_for(take_down(&settings, flags)))
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failed) => {
            eprintln!("oncebin: {}", failed.line);
            failed.exit.into()
        }
    }
}

async fn take_down(settings: &Settings, flags: &TakedownFlags) -> Result<(), Failed> {
    match (&flags.paste, flags.without_text) {
        (Some(paste), _) => takedown::take_down(settings, paste).await,
        (None, Some(at_most)) => textless::take_down_textless(settings, at_most).await,
        (None, None) => Err(Failed::usage("name a paste")),
    }
}

fn settings(flags: &ServeFlags) -> Result<Settings, Failed> {
    let settings = Settings::from_flags(flags).map_err(|wrong| Failed::usage(wrong.0))?;
    telemetry::start(settings.log);
    Ok(settings)
}

fn wait_for(task: impl Future<Output = Result<(), Failed>>) -> Result<(), Failed> {
    let runtime = Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failed::refused(format!("cannot start: {error}")))?;
    runtime.block_on(task)
}
