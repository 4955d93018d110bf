//! `oncebin get`: the whole text, or an error.

use crate::harness::{ClientHome, Network, Process, Seeded, TestServer, Turn};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Read;
use std::process::Stdio;
use tempfile::TempDir;

#[tokio::test(flavor = "multi_thread")]
async fn a_paste_that_is_not_there_is_said_and_nothing_is_written() {
    let service = TestServer::start().await;
    let home = ClientHome::new();
    let got = home
        .run(&["get", &service.url("/2w0123456789AB")], "")
        .await;
    assert!(got.refusal(1).starts_with("2w0123456789AB is not there"));
    let server = format!("--server={}", service.url("/nowhere"));
    assert_eq!(
        home.run(&["get", &server, "2w0123456789AB"], "").await.code,
        Some(1)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_comes_short_or_changed_is_an_error() {
    let home = ClientHome::new();
    let digest = |text: &str| data_encoding::HEXLOWER.encode(&Sha256::digest(text));
    let head = |lines: &str| format!("HTTP/1.1 200 OK\r\n{lines}\r\n");
    let (whole, other) = (digest("whole text"), digest("another"));
    for (answer, words) in [
        (
            head("Content-Length: 10\r\n") + "whole",
            "cut short after 5 bytes",
        ),
        (
            head("Transfer-Encoding: chunked\r\n") + "5\r\nwhole\r\n",
            "cut short after 5 bytes",
        ),
        (
            head(&format!("ETag: \"{whole}\"\r\nConnection: close\r\n")) + "whole",
            "is not what was saved",
        ),
        (
            head(&format!("Content-Length: 10\r\nETag: \"{other}\"\r\n")) + "whole text",
            "is not what was saved",
        ),
    ] {
        let network = Network::to(
            "127.0.0.1:1".parse().unwrap(),
            [Turn::Answer(answer.clone())],
        )
        .await;
        let got = home
            .run(&["get", &network.server(), "2w0123456789AB"], "")
            .await;
        assert_eq!(got.code, Some(3), "{answer}: {got:?}");
        assert!(got.stderr.contains(words), "{got:?}");
    }
    for tag in [
        format!("ETag: \"{whole}\"\r\n"),
        format!("ETag: W/\"{other}\"\r\n"),
        String::new(),
    ] {
        let answer = head(&format!("Content-Length: 10\r\n{tag}")) + "whole text";
        let network = Network::to("127.0.0.1:1".parse().unwrap(), [Turn::Answer(answer)]).await;
        let got = home
            .run(&["get", &network.server(), "2w0123456789AB"], "")
            .await;
        assert_eq!(
            (got.code, &*got.stdout),
            (Some(0), &b"whole text"[..]),
            "{tag}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_gone_or_busy_leaves_it_open() {
    let home = ClientHome::new();
    let busy = "HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n";
    let turns = [Turn::Answer(busy.into()), Turn::Refuse];
    let network = Network::to("127.0.0.1:1".parse().unwrap(), turns).await;
    for words in ["(status 503)", "cannot be reached"] {
        let got = home
            .run(&["get", &network.server(), "2w0123456789AB"], "")
            .await;
        assert!(got.refusal(3).contains(words), "{got:?}");
    }
}

/// `oncebin get URL | head`
#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_has_enough_is_no_error_and_a_full_disk_is_one() {
    let data = TempDir::new().unwrap();
    let service = Process::start(data.path(), &[]);
    let text = Seeded::new(3).text(10 << 20);
    let id = service.save_new(text.clone()).await.created().id;
    let home = ClientHome::new();
    let link = service.url(&format!("/{id}"));
    let mut get = home.start(&["get", &link], "");
    let mut stdout = get.take_stdout();
    let mut start = [0; 100];
    stdout.read_exact(&mut start).unwrap();
    drop(stdout);
    let ended = get.end().await;
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    assert_eq!(start, text.as_bytes()[..100]);
    let mut command = home.command(&["get", &link]);
    command.stdout(Stdio::from(
        fs::File::options().write(true).open("/dev/full").unwrap(),
    ));
    let full = crate::harness::RunningClient::start(command, Vec::new())
        .end()
        .await;
    assert_eq!(full.code, Some(1));
    assert!(full.stderr.contains("No space left"), "{full:?}");
}
