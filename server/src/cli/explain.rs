//! What explains the program to a shell and to `man`.

use super::exit::Failed;
use crate::config::Cli;
use clap::CommandFactory;
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use std::io::{Write, stdout};

/// Prints the completions of a shell.
pub(super) fn completions(shell: Shell) -> Result<(), Failed> {
    let mut script = Vec::new();
    generate(shell, &mut Cli::command(), "oncebin", &mut script);
    print(&script)
}

/// Prints the manual page of the program, or of one of its commands.
pub(super) fn manual(command: Option<&str>) -> Result<(), Failed> {
    let mut program = Cli::command();
    // Names the commands `oncebin put` and so on.
    program.build();
    let page = match command {
        None => &program,
        Some(name) => program
            .find_subcommand(name)
            .ok_or_else(|| Failed::usage(format!("there is no command {name:?}")))?,
    };
    let mut roff = Vec::new();
    let rendered = Man::new(page.clone()).render(&mut roff);
    rendered.map_err(|error| Failed::refused(error.to_string()))?;
    print(&roff)
}

fn print(text: &[u8]) -> Result<(), Failed> {
    let written = stdout().lock().write_all(text);
    written.map_err(|error| Failed::refused(format!("standard output cannot be written: {error}")))
}
