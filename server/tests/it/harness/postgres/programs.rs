//! PostgreSQL's programs, and the user they run as: the server refuses to run as root.

use std::env;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// Where a system keeps the releases of PostgreSQL, when not on the path.
const RELEASES: &str = "/usr/lib/postgresql";

/// Short, since a socket's path has room for 107 bytes, and open to the user the server runs as.
const FOLDERS: &str = "/tmp";

/// Who runs them: user and group ids, or oneself.
type User = Option<(u32, u32)>;

#[derive(Debug)]
pub(super) struct Programs {
    folder: PathBuf,
    user: User,
}

impl Programs {
    /// The newest release there is.
    pub(super) fn found() -> &'static Self {
        static FOUND: LazyLock<Programs> = LazyLock::new(|| Programs {
            folder: newest().expect("PostgreSQL is installed (`cargo xtask test` does that)"),
            user: user(),
        });
        &FOUND
    }

    /// A program to be run as the right user, in a folder which that user may enter.
    pub(super) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.folder.join(program));
        command.current_dir("/");
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        command
    }
}

/// Runs a program to its end, which must be a good one.
pub(super) fn run(mut command: Command) {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
}

/// A new folder which the server's user owns.
pub(super) fn folder() -> PathBuf {
    let folder = tempfile::Builder::new()
        .prefix("oncebin-")
        .tempdir_in(FOLDERS);
    let folder = fs::canonicalize(folder.unwrap().keep()).unwrap();
    fs::set_permissions(&folder, Permissions::from_mode(0o700)).unwrap();
    own(&folder);
    folder
}

/// Gives a file to the server's user.
pub(super) fn own(path: &Path) {
    if let Some((user, group)) = Programs::found().user {
        chown(path, Some(user), Some(group)).unwrap();
    }
}

fn newest() -> Option<PathBuf> {
    let releases = fs::read_dir(RELEASES).into_iter().flatten().flatten();
    let newest = releases
        .filter_map(|release| Some((release.file_name().to_str()?.parse::<u32>().ok()?, release)))
        .map(|(number, release)| (number, release.path().join("bin")))
        .filter(|(_, folder)| folder.join("postgres").exists())
        .max();
    let path = env::var_os("PATH").unwrap_or_default();
    newest
        .map(|(_, folder)| folder)
        .or_else(|| env::split_paths(&path).find(|folder| folder.join("postgres").exists()))
}

/// Root lends the server its user; anybody else runs it as oneself.
fn user() -> User {
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    is_root.then(|| (id("-u"), id("-g")))
}

fn id(which: &str) -> u32 {
    let output = Command::new("id")
        .args([which, "postgres"])
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    said.trim().parse().expect("there is a user postgres")
}
