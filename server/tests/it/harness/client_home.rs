//! The client's commands as processes, with a state folder of their own.

use super::binary;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use tempfile::TempDir;

/// Somebody's home: what one run of a client keeps, the next one finds.
#[derive(Debug)]
pub(crate) struct ClientHome {
    folder: TempDir,
}

/// A command that has ended.
#[derive(Debug)]
pub(crate) struct Ran {
    /// None when a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

/// A command under way. Dropping it kills it.
#[derive(Debug)]
pub(crate) struct RunningClient {
    child: Option<Child>,
    stderr: BufReader<ChildStderr>,
    said: String,
}

impl ClientHome {
    pub(crate) fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
        }
    }

    /// Where the client keeps things.
    pub(crate) fn state(&self) -> PathBuf {
        self.folder.path().join("oncebin")
    }

    /// What lies in a folder of the state; nothing when there is no such folder.
    pub(crate) fn files(&self, folder: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.state().join(folder));
        let entries = entries.into_iter().flatten();
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    /// The one unsettled save.
    #[track_caller]
    pub(crate) fn save(&self) -> PathBuf {
        let is_save = |path: &PathBuf| path.extension().is_some_and(|is| is == "json");
        let mut saves = self.files("saves").into_iter().filter(is_save);
        let save = saves.next().expect("an unsettled save");
        assert!(saves.next().is_none());
        save
    }

    /// The binary with these arguments and nothing of our own environment that would change what it does.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = binary();
        command
            .args(arguments)
            .env("XDG_STATE_HOME", self.folder.path())
            .env("NO_PROXY", "*")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Starts a command and gives it its standard input.
    pub(crate) fn start(&self, arguments: &[&str], input: impl Into<Vec<u8>>) -> RunningClient {
        RunningClient::start(self.command(arguments), input.into())
    }

    /// Runs a command to its end.
    pub(crate) async fn run(&self, arguments: &[&str], input: impl Into<Vec<u8>>) -> Ran {
        self.start(arguments, input).end().await
    }
}

impl RunningClient {
    pub(crate) fn start(mut command: Command, input: Vec<u8>) -> Self {
        let mut child = command.spawn().unwrap();
        let stdin = child.stdin.take();
        // A client that reads no input, or not all of it, is not at fault here.
        std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&input).ok()));
        Self {
            stderr: BufReader::new(child.stderr.take().unwrap()),
            child: Some(child),
            said: String::new(),
        }
    }

    /// The process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.as_ref().unwrap().id()
    }

    /// Its standard output, to be read or closed by the test.
    pub(crate) fn take_stdout(&mut self) -> impl Read {
        self.child.as_mut().unwrap().stdout.take().unwrap()
    }

    /// Reads standard error until it has said this.
    pub(crate) fn until_it_says(&mut self, words: &str) {
        while !self.said.contains(words) {
            let read = self.stderr.read_line(&mut self.said).unwrap();
            assert_ne!(read, 0, "it never said {words:?}: {}", self.said);
        }
    }

    /// `kill -9`, and waits until it is gone.
    pub(crate) fn kill(mut self) {
        self.end_now();
    }

    /// Ctrl+C.
    pub(crate) fn interrupt(&self) {
        let id = self.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits for its end.
    pub(crate) async fn end(mut self) -> Ran {
        let ended = tokio::task::spawn_blocking(move || {
            let mut child = self.child.take().unwrap();
            let stdout = child.stdout.take().map(|mut stdout| {
                std::thread::spawn(move || {
                    let mut bytes = Vec::new();
                    stdout.read_to_end(&mut bytes).unwrap();
                    bytes
                })
            });
            self.stderr.read_to_string(&mut self.said).unwrap();
            Ran {
                code: child.wait().unwrap().code(),
                stdout: stdout.map_or_else(Vec::new, |reader| reader.join().unwrap()),
                stderr: std::mem::take(&mut self.said),
            }
        });
        ended.await.unwrap()
    }

    fn end_now(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().ok();
            child.wait().ok();
        }
    }
}

impl Drop for RunningClient {
    fn drop(&mut self) {
        self.end_now();
    }
}

impl Ran {
    /// The one link on standard output of a command that succeeded.
    #[track_caller]
    pub(crate) fn link(&self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        let text = String::from_utf8(self.stdout.clone()).unwrap();
        let link = text.strip_suffix('\n').expect("a link and a newline");
        assert!(
            link.starts_with("http://") && !link.contains('\n'),
            "{text}"
        );
        link.to_owned()
    }

    /// The sentence of a command that ended with this code and gave no link.
    #[track_caller]
    pub(crate) fn refusal(&self, code: i32) -> &str {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert!(self.stdout.is_empty(), "{self:?}");
        assert!(self.stderr.ends_with('\n'));
        let last = self.stderr.lines().last().unwrap();
        last.strip_prefix("oncebin: ").expect("the program's name")
    }
}

/// The id at the end of a link.
pub(crate) fn id_of(link: &str) -> &str {
    link.rsplit('/').next().unwrap()
}

/// The permission bits of a file or folder.
pub(crate) fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}
