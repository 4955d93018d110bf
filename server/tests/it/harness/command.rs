//! The real binary's commands that end by themselves.

use std::path::Path;
use std::process::Command;

/// What a command printed, and how it ended.
#[derive(Debug)]
pub(crate) struct Printed {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The binary. The settings of whoever runs the tests, for it and for AWS, are none of a test's.
pub(crate) fn binary() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_oncebin"));
    for (name, _) in std::env::vars_os() {
        let setting = name.to_string_lossy();
        if setting.starts_with("ONCEBIN_") || setting.starts_with("AWS_") {
            command.env_remove(name);
        }
    }
    command
}

/// Runs a command of the operator on a data folder.
pub(crate) fn operate(command: &str, data: &Path, arguments: &[&str]) -> Printed {
    let output = binary()
        .args([command, "--log=error", "--data"])
        .arg(data)
        .args(arguments)
        .output()
        .unwrap();
    let printed = Printed {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    };
    assert!(!format!("{printed:?}").contains(super::postgres::PASSWORD));
    printed
}

impl Printed {
    /// The lines of `check` that do not say that all is well.
    pub(crate) fn not_ok(&self) -> Vec<&str> {
        let lines = self.out.lines();
        lines.filter(|line| !line.starts_with("ok    ")).collect()
    }

    /// Whether a line begins and goes on as said.
    #[track_caller]
    pub(crate) fn assert_line(&self, start: &str, part: &str) {
        let is_so = |line: &str| line.starts_with(start) && line.contains(part);
        assert!(self.out.lines().any(is_so), "{start} … {part}: {self:#?}");
    }
}
