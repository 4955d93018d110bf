//! Answers that are given before the body has been read reach the clients people have, and not as a broken connection.

use crate::harness::{Host, TestServer, fresh_key};
use std::process::{Command, Output};

const MIB: usize = 1024 * 1024;

async fn run(program: &'static str, arguments: Vec<String>) -> Output {
    let run = move || Command::new(program).args(arguments).output().unwrap();
    tokio::task::spawn_blocking(run).await.unwrap()
}

/// `http.client` and `urllib`, which says `Connection: close`; both send their whole body before they read.
const PYTHON: &str = r#"
import http.client, sys, urllib.error, urllib.request
address, key, how = sys.argv[1:]
headers = {"Idempotency-Key": key}
body = b"x" * (30 << 20)
if how == "urllib":
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    request = urllib.request.Request(f"http://{address}/api/pastes", body, headers)
    try:
        answer = opener.open(request, timeout=15)
    except urllib.error.HTTPError as error:
        answer = error
else:
    client = http.client.HTTPConnection(address, timeout=15)
    if how == "old":
        client._http_vsn, client._http_vsn_str = 10, "HTTP/1.0"
    if how == "expect":
        headers["Expect"] = "100-continue"
    if how == "chunked":
        client.request("POST", "/api/pastes", iter([body]), headers, encode_chunked=True)
    else:
        client.request("POST", "/api/pastes", body, headers)
    answer = client.getresponse()
print(answer.status, answer.read().decode())
"#;

/// `fetch`, and `http.request` with a connection that is kept, that is closed, and that does not wait for what it
/// expects.
const NODE: &str = r#"
const http = require("node:http");
const [address, key, how] = process.argv.slice(1);
const url = `http://${address}/api/pastes`;
const headers = { "Idempotency-Key": key };
const body = Buffer.alloc(30 << 20, "x");
if (how === "fetch") {
  fetch(url, { method: "POST", headers, body }).then(async (answer) => {
    console.log(answer.status, await answer.text());
  });
} else {
  if (how === "expect") headers.Expect = "100-continue";
  if (how !== "chunked") headers["Content-Length"] = body.length;
  const agent = new http.Agent({ keepAlive: how !== "close" });
  const request = http.request(url, { method: "POST", headers, agent }, (answer) => {
    let text = "";
    answer.on("data", (part) => (text += part));
    answer.on("end", () => {
      console.log(answer.statusCode, text);
      process.exit();
    });
  });
  request.end(body);
}
"#;

async fn asked(program: &'static str, arguments: [&str; 5]) -> String {
    let output = run(program, arguments.map(str::to_owned).to_vec()).await;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{program} {}: {}",
        arguments[4],
        String::from_utf8_lossy(&output.stderr)
    );
    text
}

/// A program that saves 30 MiB gets the refusal by the limit, and that of a key that is none.
async fn assert_gets_refusals(program: &'static str, flag: &str, script: &str, ways: &[&str]) {
    let server = TestServer::start_with(&["--max-paste-bytes=29MiB"], |_| {}).await;
    let host: &Host = &server;
    let (address, key) = (host.address.to_string(), fresh_key());
    for &how in ways {
        for (key, status, code) in [
            (&*key, "413 ", "\"paste_too_large\""),
            ("no key", "400 ", "\"idempotency_key_invalid\""),
        ] {
            let answer = asked(program, [flag, script, &address, key, how]).await;
            assert!(
                answer.starts_with(status) && answer.contains(code),
                "{program} {how}: {answer}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn python_gets_the_refusal_of_30_mib() {
    let ways = ["", "chunked", "urllib", "old", "expect"];
    assert_gets_refusals("python3", "-c", PYTHON, &ways).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn node_gets_the_refusal_of_30_mib() {
    let ways = ["fetch", "kept", "chunked", "close", "expect"];
    assert_gets_refusals("node", "-e", NODE, &ways).await;
}

/// curl reads while it sends, so it gets the answer however long its body is.
#[tokio::test(flavor = "multi_thread")]
async fn curl_gets_the_refusal_of_30_mib() {
    let server = TestServer::start().await;
    let file = tempfile::NamedTempFile::new().unwrap();
    file.as_file().set_len(30 * MIB as u64).unwrap();
    let data = format!("@{}", file.path().display());
    let key = format!("Idempotency-Key: {}", fresh_key());
    let url = server.url("/api/pastes");
    for (lines, status) in [
        (vec![key.as_str()], "413"),
        (vec![key.as_str(), "Expect:"], "413"),
        (vec![key.as_str(), "Transfer-Encoding: chunked"], "413"),
        (vec!["Idempotency-Key: 1"], "400"),
        (vec![], "400"),
    ] {
        let mut arguments = vec![
            "--silent",
            "--show-error",
            "--noproxy",
            "*",
            "--write-out",
            "\n%{http_code}",
            "--data-binary",
            &data,
            &url,
        ];
        arguments.extend(lines.iter().flat_map(|line| ["-H", *line]));
        let output = run("curl", arguments.into_iter().map(str::to_owned).collect()).await;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            text.ends_with(&format!("\n{status}")),
            "{lines:?}: {text} {}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(
            text.contains("\"type\":\"urn:oncebin:problem:"),
            "{lines:?}: {text}"
        );
    }
}
