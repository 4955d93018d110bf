//! The build, as `cargo xtask COMMAND`: from a fresh clone to a running, a tested, a released oncebin.
//!
//! It knows cargo, npm, apt and the browser client's tools, and must know nothing about pastes.

#![expect(
    clippy::print_stdout,
    reason = "a build tool talks to the person who started it"
)]

mod api;
mod bench;
mod build;
mod client;
mod process;
mod serve;
mod setup;
mod test;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask serve [-- FLAGS]   build everything and run oncebin with FLAGS
cargo xtask test [-- FILTER]   set up what is missing, then lint, build and test everything;
                               with FILTER only `cargo test` with that filter
cargo xtask build [--release]  build the browser client and the oncebin that carries it
cargo xtask api                hold the API's description against the oncebin that is built
cargo xtask bench [-- FLAGS]   measure a release against this machine's limits (docs/performance.md)";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some(command) = Command::parse(&words) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Command<'a> {
    Serve { flags: &'a [String] },
    Test { filter: &'a [String] },
    Build { release: bool },
    Api,
    Bench { flags: &'a [String] },
}

impl<'a> Command<'a> {
    /// The command these words ask for, or `None` when they ask for nothing known.
    fn parse(words: &'a [String]) -> Option<Self> {
        let (name, rest) = words.split_first()?;
        let after_dashes = || rest.strip_prefix(&["--".to_owned()]).unwrap_or(rest);
        match (name.as_str(), rest) {
            ("serve", _) => Some(Self::Serve {
                flags: after_dashes(),
            }),
            ("test", _) => Some(Self::Test {
                filter: after_dashes(),
            }),
            ("build", []) => Some(Self::Build { release: false }),
            ("build", [flag]) if flag == "--release" => Some(Self::Build { release: true }),
            ("api", []) => Some(Self::Api),
            ("bench", _) => Some(Self::Bench {
                flags: after_dashes(),
            }),
            _ => None,
        }
    }

    fn run(&self) -> anyhow::Result<()> {
        match self {
            Self::Serve { flags } => serve::run(flags),
            Self::Test { filter: [] } => test::everything(),
            Self::Test { filter } => test::matching(filter),
            Self::Build { release } => build::run(*release),
            Self::Api => api::run(),
            Self::Bench { flags } => bench::run(flags),
        }
    }
}

/// The folder of the workspace.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask/ lies in the workspace")
}

#[cfg(test)]
mod tests {
    use super::Command;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn flags_come_with_and_without_dashes() {
        let flags = words("--listen 127.0.0.1:0");
        for line in [
            "serve --listen 127.0.0.1:0",
            "serve -- --listen 127.0.0.1:0",
        ] {
            assert_eq!(
                Command::parse(&words(line)),
                Some(Command::Serve { flags: &flags })
            );
        }
    }

    #[test]
    fn anything_unknown_asks_for_the_usage() {
        for line in ["", "tests", "build --releas", "build --release now"] {
            assert_eq!(Command::parse(&words(line)), None, "{line}");
        }
    }
}
