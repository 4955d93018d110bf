//! The `oncebin` command.

use clap::Parser;
use oncebin::clock::Clock;
use oncebin::config::{Cli, Command, ConfigError, Inherited, ServeFlags, Settings};
use oncebin::{cli, service, telemetry};
use std::io::Write;
use std::pin::pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};

/// glibc keeps what large texts took and grows with every burst of them; see "Memory" in ARCHITECTURE.md.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Threads for file work. Durable writes gain nothing past this (performance.md).
const FILE_THREADS: usize = 64;

/// How long work on files that hangs may hold the exit up: nobody waits for its end any more.
const FILES_WITHIN: Duration = Duration::from_secs(1);

/// The exit code for a command line that cannot be read, or a setting that cannot be.
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
            eprintln!("oncebin: {}", in_one_line(&error));
            // As from `check` and `takedown`: what is wrong with a setting is wrong with the command line.
            if error.is::<ConfigError>() {
                ExitCode::from(USAGE)
            } else {
                ExitCode::FAILURE
            }
        }
    }
}

/// What happened, and why. Some errors say their cause themselves; it is not said again.
fn in_one_line(error: &anyhow::Error) -> String {
    let causes = error.chain().skip(1).map(ToString::to_string);
    causes.fold(error.to_string(), |line, cause| {
        if line.ends_with(&cause) {
            return line;
        }
        format!("{line}: {cause}")
    })
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
    let runtime = Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(FILE_THREADS)
        .build()?;
    let done = runtime.block_on(run(settings));
    runtime.shutdown_timeout(FILES_WITHIN);
    done
}

/// Runs the service until a signal. One that comes during the start ends it there, which is as safe as being killed.
async fn run(settings: Settings) -> anyhow::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut asked_to_stop = pin!(async {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    });
    let running = tokio::select! {
        started = service::start(settings, Clock::system()) => started?,
        () = asked_to_stop.as_mut() => return Ok(()),
    };
    let metrics = Arc::clone(&running.metrics);
    telemetry::watch_panics(move || metrics.panics.inc());
    asked_to_stop.await;
    running.stop().await;
    Ok(())
}

fn config(flags: &ServeFlags) -> anyhow::Result<()> {
    let settings = Settings::from_flags(flags)?;
    writeln!(std::io::stdout(), "{settings}")?;
    Ok(())
}
