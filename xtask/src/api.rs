//! The API's description held against the service: it is sound, and the service is as it says.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;

use anyhow::{Context, Result};

use crate::process::{self, target};
use crate::root;
use crate::setup::{npm, pypi};

/// Requests that are made up for each call and phase: half a minute in all.
const EXAMPLES: &str = "20";

/// [`check`] alone, with what it needs.
pub(crate) fn run() -> Result<()> {
    npm::install()?;
    pypi::install()?;
    check()
}

/// Lints the description that the built oncebin serves, and asks the service whatever schemathesis can think of.
///
/// # Errors
/// The description is not sound, or the service is not as it says.
pub(crate) fn check() -> Result<()> {
    let folder = target()?.join("api");
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder)?;
    let service = Service::start(&folder)?;
    let description = folder.join("openapi.json");
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--show-error", "--fail", "--output"])
        .arg(&description)
        .arg(format!("{}/api/openapi.json", service.url));
    process::run(&mut curl)?;
    let end2end = root().join("end2end");
    let mut redocly = Command::new(npm::program("redocly"));
    redocly
        .args(["lint", "--config=redocly.yaml"])
        .arg(&description)
        .current_dir(&end2end)
        .env("REDOCLY_TELEMETRY", "off")
        .env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
    process::run(&mut redocly)?;
    let mut schemathesis = Command::new(pypi::program("st")?);
    schemathesis
        .args(["--no-color", "--config-file=schemathesis.toml", "run"])
        .arg(&description)
        .args([
            "--url",
            &service.url,
            "--seed=1",
            "--max-examples",
            EXAMPLES,
        ])
        .current_dir(&end2end);
    process::run(&mut schemathesis)
}

/// A running oncebin; it ends when this is dropped.
struct Service {
    process: Child,
    url: String,
}

impl Service {
    fn start(folder: &std::path::Path) -> Result<Self> {
        let mut process = Command::new(target()?.join("debug/oncebin"))
            .args(["--listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0"])
            .args(["--create-rate=off", "--data"])
            .arg(folder.join("data"))
            .stderr(Stdio::piped())
            .spawn()
            .context("oncebin cannot be started")?;
        let log = process.stderr.take().context("oncebin has no log")?;
        let mut lines = BufReader::new(log).lines().map_while(Result::ok);
        let url = lines.find_map(|line| {
            let (_, rest) = line.split_once("listening on ")?;
            Some(rest.split(['"', ' ']).next()?.to_owned())
        });
        // Its log is read to the end, so that it never waits for a reader.
        thread::spawn(move || lines.for_each(drop));
        Ok(Self {
            process,
            url: url.context("oncebin did not say where it listens")?,
        })
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}
