//! The `oncebin` command.

use clap::Parser;
use oncebin::clock::Clock;
use oncebin::config::{Cli, Command, Inherited, ServeFlags, Settings};
use oncebin::{cli, service, telemetry};
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};

/// Threads for file work. Durable writes gain nothing past this (performance.md).
const FILE_THREADS: usize = 64;

/// The exit code for a command line that cannot be read.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(answer) => return explain(&answer),
    };
    let done = match cli.command {
        None => serve(&cli.serve),
        Some(Command::Serve(flags)) => serve(&flags),
        Some(Command::Config(flags)) => config(&flags),
        Some(Command::Client(command)) => return cli::run(&command),
        Some(Command::Operator(command)) => return cli::operate(&command),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("oncebin: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Prints the help that was asked for, or one line on what is wrong with the command line.
fn explain(answer: &clap::Error) -> ExitCode {
    if !answer.use_stderr() {
        answer.print().ok();
        return ExitCode::SUCCESS;
    }
    let text = answer.to_string();
    // What is missing, or possible, stands on lines of its own below the first.
    let lines: Vec<_> = text.lines().take_while(|line| !line.is_empty()).collect();
    let line = lines.join(" ");
    let line = line.strip_prefix("error: ").unwrap_or(&line);
    eprintln!("oncebin: {line}; see oncebin --help");
    ExitCode::from(USAGE)
}

fn serve(flags: &ServeFlags) -> anyhow::Result<()> {
    let mut settings = Settings::from_flags(flags)?;
    settings.inherited = Inherited::take()?;
    telemetry::start(settings.log);
    telemetry::watch_panics(|| ());
    Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(FILE_THREADS)
        .build()?
        .block_on(run(settings))
}

async fn run(settings: Settings) -> anyhow::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let running = service::start(settings, Clock::system()).await?;
    let metrics = Arc::clone(&running.metrics);
    telemetry::watch_panics(move || metrics.panics.inc());
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    running.stop().await;
    Ok(())
}

fn config(flags: &ServeFlags) -> anyhow::Result<()> {
    let settings = Settings::from_flags(flags)?;
    writeln!(std::io::stdout(), "{settings}")?;
    Ok(())
}
