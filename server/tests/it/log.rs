//! The log: a line for every request that says what it was and how it ended, and never what it was about.

use crate::harness::{Ended, Host, Process, Reply, fresh_key, text_files};
use reqwest::Method;
use serde_json::Value;
use std::process::Command;
use tempfile::TempDir;

/// The lines of answered requests.
fn answered(ended: &Ended) -> Vec<Value> {
    let lines = ended
        .log
        .lines()
        .map(|line| serde_json::from_str(line).expect(line));
    lines
        .filter(|line: &Value| line["target"] == "oncebin::http::access")
        .collect()
}

/// The one line of an answer, found by the id on it.
#[track_caller]
fn line_of<'a>(lines: &'a [Value], reply: &Reply) -> &'a Value {
    let id = reply.header("x-request-id");
    assert_eq!(id.len(), 32, "{reply:?}");
    let mut named = lines
        .iter()
        .filter(|line| line["fields"]["request_id"] == id);
    let line = named.next().expect(id);
    assert!(named.next().is_none());
    line
}

fn stop(server: Process) -> Ended {
    server.ask_to_stop();
    server.wait()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_request_leaves_one_line_that_its_answer_names() {
    let data = TempDir::new().unwrap();
    let server = Process::start(data.path(), &[]);
    let key = fresh_key();
    let saved = server.save(&key, "text").await;
    let paste = saved.created();
    let read = server.get(&format!("/{}/raw", paste.id)).await;
    let conflict = server.save(&key, "other").await;
    let missing = server.get("/2w0123456789AB").await;
    let nowhere = server.get("/no/such/path").await;
    let unread = server
        .ask(Method::from_bytes(b"ODD").unwrap(), "/", &[])
        .await;
    let foreign = [("x-request-id", "of-the-client")];
    let invented = server.ask(Method::GET, "/saved", &foreign).await;
    server.get("/livez").await;
    server.get("/readyz").await;
    assert_eq!(read.header("x-request-id"), "", "a cache would keep it");
    let ended = stop(server);
    let lines = answered(&ended);
    assert_eq!(lines.len(), 7, "{}", ended.log);
    for (reply, method, route, status) in [
        (&saved, "POST", "/api/pastes", 201),
        (&conflict, "POST", "/api/pastes", 409),
        (&missing, "GET", "/{id}", 404),
        (&nowhere, "GET", "none", 404),
        (&unread, "other", "/", 405),
        (&invented, "GET", "/saved", 200),
    ] {
        let line = line_of(&lines, reply);
        assert_eq!(line["level"], "INFO");
        let fields = &line["fields"];
        assert_eq!(fields["message"], "answered", "{line}");
        assert_eq!(
            (&fields["method"], &fields["route"]),
            (&method.into(), &route.into())
        );
        assert_eq!(fields["status"], status);
        assert_eq!(fields["bytes"], reply.body.len());
        assert!(fields["ms"].as_f64().unwrap() > 0.0);
        let is_about_a_shard = ["/api/pastes", "/{id}"].contains(&route);
        assert_eq!(fields["shard"].is_u64(), is_about_a_shard, "{line}");
    }
    let raw = lines
        .iter()
        .find(|line| line["fields"]["route"] == "/{id}/raw")
        .unwrap();
    assert_eq!(raw["fields"]["bytes"], 4);
    assert!(!ended.log.contains(&paste.id) && !ended.log.contains("of-the-client"));
    assert!(!ended.log.contains("ODD") && !ended.log.contains("such"));
}

#[tokio::test(flavor = "multi_thread")]
async fn probes_are_debug_and_a_quiet_log_keeps_to_failures() {
    let data = TempDir::new().unwrap();
    let server = Process::start(data.path(), &["--log=debug"]);
    server.get("/livez").await;
    let lines = answered(&stop(server));
    assert_eq!((lines.len(), &lines[0]["level"]), (1, &"DEBUG".into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_logged_for_a_request_stands_under_its_id() {
    let data = TempDir::new().unwrap();
    let server = Process::start(data.path(), &[]);
    let id = server.save_new("text").await.created().id;
    let text = &text_files(&data.path().join("objects"))[0];
    std::fs::remove_file(text).unwrap();
    let failed = server.get(&format!("/{id}/raw")).await;
    let request_id = failed.header("x-request-id").to_owned();
    let ended = stop(server);
    let lines: Vec<Value> = ended
        .log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let why = lines.iter().find(|line| line["level"] == "ERROR").unwrap();
    assert_eq!(
        why["fields"]["message"],
        "the object of a live paste is missing"
    );
    assert_eq!(why["span"]["id"], request_id);
    let answered = answered(&ended);
    assert_eq!(line_of(&answered, &failed)["level"], "WARN");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_leaves_its_answer_is_told_from_one_that_reads_it() {
    let data = TempDir::new().unwrap();
    let server = Process::start(data.path(), &[]);
    // More than the sockets of both sides take up by themselves.
    let id = server.save_new("x".repeat(10 << 20)).await.created().id;
    let path = format!("/{id}/raw");
    assert_eq!(server.get(&path).await.body.len(), 10 << 20);
    let mut leaver = server.connect().await;
    leaver
        .write(format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n"))
        .await;
    assert!(leaver.read_head().await.starts_with("HTTP/1.1 200 "));
    drop(leaver);
    let lines = answered(&stop(server));
    let of_reads: Vec<_> = lines
        .iter()
        .filter(|line| line["fields"]["route"] == "/{id}/raw")
        .collect();
    assert_eq!(of_reads[0]["fields"]["message"], "answered");
    assert_eq!(of_reads[0]["fields"]["bytes"], 10 << 20);
    assert_eq!(
        of_reads[1]["fields"]["message"],
        "the client left its answer unread"
    );
    assert!(of_reads[1]["fields"]["bytes"].as_u64().unwrap() < 10 << 20);
}

/// `script` gives the binary a terminal.
#[tokio::test(flavor = "multi_thread")]
async fn on_a_terminal_lines_are_for_people() {
    let data = TempDir::new().unwrap();
    let command = format!(
        "echo process $$; exec {} serve --listen=127.0.0.1:0 --admin-listen=127.0.0.1:0 --data={}",
        env!("CARGO_BIN_EXE_oncebin"),
        data.path().display()
    );
    let mut terminal = Command::new("script")
        .args([
            "--quiet",
            "--flush",
            "--return",
            "--command",
            &command,
            "/dev/null",
        ])
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines =
        std::io::BufRead::lines(std::io::BufReader::new(terminal.stdout.take().unwrap()));
    let mut next = |word: &str| {
        lines
            .by_ref()
            .map(Result::unwrap)
            .find(|line| line.contains(word))
            .unwrap()
    };
    let process = next("process ");
    let listening = next("listening on http://");
    let (_, address) = listening.split_once("http://").unwrap();
    let address: String = address
        .chars()
        .take_while(|c| c.is_ascii_digit() || ".:".contains(*c))
        .collect();
    Host::new(address.parse().unwrap()).get("/saved").await;
    let line = next("answered");
    assert!(
        line.contains("INFO") && line.contains("/saved") && !line.contains('{'),
        "{line}"
    );
    // Whoever runs the tests may have had SIGHUP ignored, so the end of the terminal alone does not end it.
    let (_, process) = process.trim().split_once(' ').unwrap();
    let kill = Command::new("kill").arg(process).status();
    assert!(kill.unwrap().success());
    assert!(terminal.wait().unwrap().success());
}
