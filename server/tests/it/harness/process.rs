//! The real binary as a process that can be killed.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};

/// A running `oncebin serve`.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    /// `127.0.0.1:PORT`.
    pub(crate) address: String,
    log: Arc<Mutex<String>>,
}

impl Process {
    /// Starts the binary on a data folder and returns once it listens.
    pub(crate) fn start(data: &Path, flags: &[&str]) -> Self {
        let mut child = Self::command(data, flags).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let log = Arc::new(Mutex::new(String::new()));
        let address = loop {
            let line = lines
                .next()
                .expect("the process says where it listens")
                .unwrap();
            keep(&log, &line);
            if let Some((_, rest)) = line.split_once("listening on http://") {
                break rest.split(['"', ' ']).next().unwrap().to_owned();
            }
        };
        let kept = Arc::clone(&log);
        std::thread::spawn(move || {
            lines
                .map_while(Result::ok)
                .for_each(|line| keep(&kept, &line))
        });
        Self {
            child,
            address,
            log,
        }
    }

    /// The command that `start` runs.
    pub(crate) fn command(data: &Path, flags: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_oncebin"));
        command
            .args([
                "serve",
                "--listen=127.0.0.1:0",
                "--admin-listen=127.0.0.1:0",
            ])
            .args(["--create-rate=off", "--data"])
            .arg(data)
            .args(flags)
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Everything logged so far.
    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// `kill -9`, and waits until it is gone.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// SIGTERM, and waits for the exit.
    pub(crate) fn terminate(mut self) -> ExitStatus {
        let id = self.child.id().to_string();
        Command::new("kill").args(["-TERM", &id]).status().unwrap();
        self.child.wait().unwrap()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn keep(log: &Mutex<String>, line: &str) {
    let mut log = log.lock().unwrap();
    log.push_str(line);
    log.push('\n');
}
