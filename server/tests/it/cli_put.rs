//! `oncebin put` and `oncebin get` when nothing goes wrong: bytes come back as they went, wherever the service is.

use crate::harness::{ClientHome, Process, Seeded, TestServer, id_of, mode};
use futures_util::future::join_all;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use tempfile::TempDir;

/// Texts that programs like to change on their way.
fn texts() -> Vec<Vec<u8>> {
    vec![
        b"a".to_vec(),
        b"\0".to_vec(),
        b"a\0b\r\nc\rd\n\n\t ".to_vec(),
        "\u{feff}mark, é, 𝄞, \u{202e}reversed".into(),
        b" \n".to_vec(),
        Seeded::new(7).text(10 << 20).into_bytes(),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_piped_in_comes_out_byte_for_byte() {
    let data = TempDir::new().unwrap();
    let flags = ["--base-url=http://127.0.0.1:1/paste"];
    for flags in [&[][..], &flags] {
        let service = Process::start(data.path(), flags);
        let path = if flags.is_empty() { "" } else { "/paste" };
        let server = format!("--server={}", service.url(path));
        for text in texts() {
            let home = ClientHome::new();
            let put = home.run(&["put", &server], text.clone()).await;
            assert_eq!(put.stderr, "");
            let link = put.link();
            let got = home.run(&["get", &server, id_of(&link)], "").await;
            assert_eq!((got.code, got.stderr.as_str()), (Some(0), ""));
            assert!(got.stdout == text, "{} bytes", text.len());
        }
        service.kill();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_a_link_and_the_variable_do_the_same() {
    let service = TestServer::start().await;
    let home = ClientHome::new();
    let file = home.state().with_extension("txt");
    fs::write(&file, "from a file\r\n").unwrap();
    let server = service.url("");
    let mut links = BTreeSet::new();
    for (arguments, input) in [
        (vec!["put", file.to_str().unwrap()], ""),
        (vec!["put", "-"], "from a file\r\n"),
        (vec!["put"], "from a file\r\n"),
    ] {
        let mut command = home.command(&arguments);
        command.env("ONCEBIN_SERVER", &server);
        let put = crate::harness::RunningClient::start(command, input.into());
        let link = put.end().await.link();
        for name in [link.clone(), format!("{link}/raw"), format!("{link}#L1")] {
            let got = home.run(&["get", &name], "").await;
            assert_eq!((got.code, &*got.stdout), (Some(0), &b"from a file\r\n"[..]));
        }
        links.insert(link);
    }
    assert_eq!(links.len(), 3, "equal texts are different pastes");
}

#[tokio::test(flavor = "multi_thread")]
async fn title_syntax_and_expiry_arrive() {
    let service = TestServer::start().await;
    let home = ClientHome::new();
    let server = format!("--server={}", service.url(""));
    let flags = ["--title=A & é+%?#", "--syntax=rs", "--expires=1h"];
    let arguments: Vec<_> = ["put", &server].into_iter().chain(flags).collect();
    let link = home.run(&arguments, "fn main() {}").await.link();
    let reply = service.get(&format!("/api/pastes/{}", id_of(&link))).await;
    let paste: Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!(paste["title"], "A & é+%?#");
    assert_eq!(paste["syntax"], "rs");
    let time = |name: &str| paste[name].as_str().unwrap().parse().unwrap();
    let (from, to): (jiff::Timestamp, jiff::Timestamp) = (time("created_at"), time("expires_at"));
    assert_eq!(to.duration_since(from).as_secs(), 3_600);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_at_once_share_nothing_and_leave_nothing_but_tokens() {
    let service = TestServer::start().await;
    let home = ClientHome::new();
    let server = format!("--server={}", service.url(""));
    let arguments = ["put", server.as_str()];
    let puts = (0..8).map(|_| home.run(&arguments, "the same text"));
    let links: BTreeSet<_> = join_all(puts)
        .await
        .iter()
        .map(crate::harness::Ran::link)
        .collect();
    assert_eq!(links.len(), 8);
    assert_eq!(service.rows().await.pastes.len(), 8);
    assert!(home.files("saves").is_empty());
    let tokens: BTreeSet<_> = home
        .files("tokens")
        .iter()
        .map(|path| {
            assert_eq!(mode(path), 0o600);
            path.file_name().unwrap().to_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(
        tokens,
        links.iter().map(|link| id_of(link).to_owned()).collect()
    );
    for folder in ["", "saves", "tokens"] {
        assert_eq!(mode(&home.state().join(folder)), 0o700, "{folder}");
    }
}
