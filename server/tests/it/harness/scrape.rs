//! What `/metrics` says, series by series, and Prometheus' own judge of it.

use super::Host;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

/// The series of one look, by their names as they stand there.
#[derive(Debug)]
pub(crate) struct Scrape {
    pub(crate) text: String,
    pub(crate) series: BTreeMap<String, f64>,
}

impl Scrape {
    /// Asks the operator's address.
    pub(crate) async fn of(admin: &Host) -> Self {
        let reply = admin.get("/metrics").await;
        assert_eq!(reply.status, 200);
        assert_eq!(reply.header("content-type"), "text/plain; version=0.0.4");
        let text = reply.text();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let series = lines.map(|line| {
            let (name, value) = line.rsplit_once(' ').expect(line);
            (name.to_owned(), value.parse().expect(line))
        });
        Self {
            series: series.collect(),
            text,
        }
    }

    /// The value of a series that must be there.
    #[track_caller]
    pub(crate) fn value(&self, series: &str) -> f64 {
        let value = self.series.get(series);
        *value.unwrap_or_else(|| panic!("no series {series}"))
    }

    /// [`Self::value`] of what is counted in whole numbers.
    #[track_caller]
    pub(crate) fn count(&self, series: &str) -> i64 {
        let value = self.value(series);
        assert!(value.fract() == 0.0, "{series} is {value}");
        format!("{value}").parse().unwrap()
    }
}

/// Runs promtool, which must be content; what it says.
#[track_caller]
pub(crate) fn promtool(arguments: &[&str], input: &str) -> String {
    let mut promtool = Command::new("promtool")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("promtool, from Debian's package prometheus");
    let mut stdin = promtool.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    let done = promtool.wait_with_output().unwrap();
    let said = String::from_utf8([done.stdout, done.stderr].concat()).unwrap();
    assert!(done.status.success(), "promtool {arguments:?}: {said}");
    said
}
