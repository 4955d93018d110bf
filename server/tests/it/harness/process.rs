//! The real binary as a process that can be killed.

use super::{Host, TurnedClock, binary, until};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::ops::Deref;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// A running `oncebin serve`, asked as its [`Host`].
#[derive(Debug)]
pub(crate) struct Process {
    host: Host,
    admin: Host,
    child: Child,
    log: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
}

/// A process that has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    /// Everything it logged.
    pub(crate) log: String,
}

impl Process {
    /// Starts the binary on a data folder and returns once it listens.
    pub(crate) fn start(data: &Path, flags: &[&str]) -> Self {
        Self::start_with(data, flags, &BTreeMap::new())
    }

    /// [`Self::start`] with variables in the environment.
    pub(crate) fn start_with(
        data: &Path,
        flags: &[&str],
        variables: &BTreeMap<String, String>,
    ) -> Self {
        let mut command = Self::command(data, flags);
        command.envs(variables);
        Self::run(command)
    }

    /// [`Self::start`] with a wall clock that the test turns.
    pub(crate) fn start_on(clock: &TurnedClock, data: &Path, flags: &[&str]) -> Self {
        let mut command = Self::command(data, flags);
        command.envs(clock.variables());
        Self::run(command)
    }

    /// Starts the binary on a data folder with a listener that outlives it, as systemd does.
    pub(crate) fn start_inheriting(listener: &TcpListener, data: &Path) -> Self {
        let command = Self::command(data, &[]);
        let mut shell = Command::new("sh");
        // The first descriptor that is passed is 3, and the process must have the id that is named.
        let become_it = r#"exec 3<&0 0</dev/null; LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" "$@""#;
        shell.arg("-c").arg(become_it).arg(command.get_program());
        let listener = OwnedFd::from(listener.try_clone().unwrap());
        shell.args(command.get_args()).stdin(listener);
        shell.stderr(Stdio::piped());
        Self::run(shell)
    }

    /// Starts the binary with a limit on open files that it cannot raise.
    pub(crate) fn start_with_files(data: &Path, files_max: u32) -> Self {
        let command = Self::command(data, &["--workers=off"]);
        let mut shell = Command::new("sh");
        let become_it = format!(r#"ulimit -n {files_max}; exec "$0" "$@""#);
        shell.arg("-c").arg(become_it).arg(command.get_program());
        shell.args(command.get_args()).stderr(Stdio::piped());
        Self::run(shell)
    }

    fn run(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let log = Arc::new(Mutex::new(String::new()));
        let mut address = |word: &str| loop {
            let line = lines.next().expect("the process says where it listens");
            let line = line.unwrap();
            keep(&log, &line);
            if let Some((_, rest)) = line.split_once(word) {
                let address = rest.split(['"', ' ']).next().unwrap();
                break Host::new(address.parse().unwrap());
            }
        };
        let host = address("listening on http://");
        let admin = address("operator's pages on http://");
        let kept = Arc::clone(&log);
        let reader = std::thread::spawn(move || {
            lines
                .map_while(Result::ok)
                .for_each(|line| keep(&kept, &line));
        });
        Self {
            host,
            admin,
            child,
            log,
            reader: Some(reader),
        }
    }

    /// Starts a service that must not start; the one line it ends with.
    pub(crate) fn refused(data: &Path, flags: &[&str]) -> String {
        let [line] = Self::refusal(data, flags).try_into().expect("one line");
        line
    }

    /// The last line of a service that must not start, with variables in the environment, and its exit code.
    pub(crate) fn refused_with(
        data: &Path,
        flags: &[&str],
        variables: &BTreeMap<String, String>,
        code: i32,
    ) -> String {
        let mut command = Self::command(data, flags);
        let mut lines = Self::refusal_of(command.envs(variables), code);
        lines.pop().expect("a line")
    }

    /// Starts a service that must not start; everything it says.
    pub(crate) fn refusal(data: &Path, flags: &[&str]) -> Vec<String> {
        Self::refusal_of(&mut Self::command(data, flags), 1)
    }

    /// [`Self::refusal`] of a wrong setting.
    pub(crate) fn refusal_of_setting(data: &Path, flags: &[&str]) -> Vec<String> {
        Self::refusal_of(&mut Self::command(data, flags), 2)
    }

    fn refusal_of(command: &mut Command, code: i32) -> Vec<String> {
        let mut child = command.spawn().unwrap();
        let lines: Vec<_> = BufReader::new(child.stderr.take().unwrap())
            .lines()
            .map(Result::unwrap)
            .take_while(|line| !line.contains("listening"))
            .collect();
        child.kill().ok();
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(code), "{lines:?}");
        lines
    }

    /// The command that `start` runs.
    fn command(data: &Path, flags: &[&str]) -> Command {
        let mut command = binary();
        command
            .args([
                "serve",
                "--listen=127.0.0.1:0",
                "--admin-listen=127.0.0.1:0",
            ])
            .args(unset(flags))
            .arg("--data")
            .arg(data)
            .args(flags)
            .stderr(Stdio::piped());
        command
    }

    /// Runs `oncebin check`; what it says, and whether nothing is wrong.
    pub(crate) fn check(flags: &[&str], variables: &BTreeMap<String, String>) -> (String, bool) {
        let mut command = binary();
        command.arg("check").args(flags).envs(variables);
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        (said, output.status.success())
    }

    /// The operator's pages.
    pub(crate) fn admin(&self) -> &Host {
        &self.admin
    }

    /// Everything it has logged so far.
    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// The process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has not ended.
    pub(crate) fn is_alive(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// `kill -9`, and waits until it is gone.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Sends SIGTERM.
    pub(crate) fn ask_to_stop(&self) {
        self.signal("-TERM");
    }

    /// Stops it in its tracks (SIGSTOP), and returns once every thread of it stands still.
    pub(crate) fn freeze(&self) {
        self.signal("-STOP");
        while !self.stands_still() {
            std::thread::yield_now();
        }
    }

    fn stands_still(&self) -> bool {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.id())).unwrap();
        threads.flatten().all(|thread| {
            let stat = std::fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
            let state = stat.rsplit_once(") ").map(|(_, state)| state);
            state.is_some_and(|state| state.starts_with('T'))
        })
    }

    /// Lets it go on after [`Self::freeze`].
    pub(crate) fn thaw(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status().unwrap();
        assert!(sent.success());
    }

    /// Returns once it has ended, although nobody waits for it yet.
    pub(crate) async fn until_it_ends(&self) {
        let stat = format!("/proc/{}/stat", self.id());
        until("the process has ended", async || {
            let stat = std::fs::read_to_string(&stat).unwrap();
            stat.rsplit_once(") ").unwrap().1.starts_with('Z')
        })
        .await;
    }

    /// Waits for the exit.
    pub(crate) fn wait(mut self) -> Ended {
        let status = self.child.wait().unwrap();
        self.reader.take().unwrap().join().unwrap();
        Ended {
            status,
            log: self.log(),
        }
    }
}

impl Deref for Process {
    type Target = Host;

    fn deref(&self) -> &Host {
        &self.host
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// No limits but those that a test is about.
fn unset<'a>(flags: &[&str]) -> impl Iterator<Item = &'a str> {
    let limits = ["--create-rate=off", "--miss-rate=off"].into_iter();
    limits.filter(|limit| {
        let name = limit.strip_suffix("off").unwrap_or(limit);
        !flags.iter().any(|flag| flag.starts_with(name))
    })
}

fn keep(log: &Mutex<String>, line: &str) {
    let mut log = log.lock().unwrap();
    log.push_str(line);
    log.push('\n');
}
