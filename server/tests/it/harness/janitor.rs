//! Ends a server of a test and removes its folder when the test process lets go of it, or is gone.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Waits for the end of its input, which the system closes whatever ends the test process; then kills every process
/// whose working folder is the server's `data`, frozen ones too, until none is left.
const CLEAN: &str = r#"
trap '' INT TERM HUP
read -r _
left=yes
while [ "$left" ]; do
  left=
  for process in /proc/[0-9]*; do
    if [ "$process/cwd" -ef "$0/data" ]; then
      kill -KILL "${process#/proc/}" && left=yes
    fi
  done
done
rm -rf "$0" "$@"
"#;

/// A waiting process. Dropping it has it clean, and returns when that is done.
#[derive(Debug)]
pub(crate) struct Janitor(Child);

impl Janitor {
    pub(crate) fn of(folder: &Path) -> Self {
        Self::of_all(folder, &[])
    }

    /// One that removes more than the folder.
    pub(crate) fn of_all(folder: &Path, more: &[PathBuf]) -> Self {
        let mut janitor = Command::new("sh");
        janitor
            .args(["-c", CLEAN])
            .arg(folder)
            .args(more)
            .current_dir("/");
        janitor
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // In a group of its own, an interrupt from the keyboard does not reach it.
        Self(janitor.process_group(0).spawn().unwrap())
    }
}

impl Drop for Janitor {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        self.0.wait().ok();
    }
}
