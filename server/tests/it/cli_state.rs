//! What `oncebin put` keeps, what it says when it cannot, and that no secret leaves by another way.

use crate::harness::{ClientHome, Network, RunningClient, TestServer, Turn, id_of, mode, until};
use std::fs;
use std::process::Stdio;

#[tokio::test(flavor = "multi_thread")]
async fn without_a_place_to_keep_it_the_save_works_and_says_so() {
    let service = TestServer::start().await;
    let home = ClientHome::new();
    let token_file = home.state().with_extension("token");
    let server = format!("--server={}", service.url(""));
    let token_flag = format!("--token-file={}", token_file.display());
    for (name, value) in [("XDG_STATE_HOME", "/dev/null"), ("HOME", "relative")] {
        let mut command = home.command(&["put", &server, &token_flag]);
        command
            .env_remove("XDG_STATE_HOME")
            .env_remove("HOME")
            .env(name, value);
        let put = RunningClient::start(command, "homeless".into()).end().await;
        let link = put.link();
        assert!(put.stderr.contains("cannot be kept on disk"), "{put:?}");
        assert!(put.stderr.contains("token cannot be kept"), "{put:?}");
        assert_eq!(mode(&token_file), 0o600);
        let deleted = home.run(&["rm", &link, &token_flag], "").await;
        assert_eq!(deleted.code, Some(0), "{deleted:?}");
    }
}

/// As in an image that holds the binary and nothing else.
#[tokio::test(flavor = "multi_thread")]
async fn plain_http_needs_no_certificates() {
    let service = TestServer::start().await;
    let home = ClientHome::new();
    let server = format!("--server={}", service.url(""));
    let bare = |arguments: &[&str]| {
        let mut command = home.command(arguments);
        command
            .env("SSL_CERT_FILE", "/nowhere")
            .env("SSL_CERT_DIR", "/nowhere");
        RunningClient::start(command, "text".into()).end()
    };
    let link = bare(&["put", &server]).await.link();
    assert_eq!(bare(&["get", &link]).await.stdout, b"text");
    assert_eq!(bare(&["rm", &link]).await.code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_file_is_written_for_its_owner_alone() {
    let service = TestServer::start().await;
    let home = ClientHome::new();
    let server = format!("--server={}", service.url(""));
    let file = home.state().with_extension("token");
    fs::write(
        &file,
        "an older and much longer text than any token is, for everybody",
    )
    .unwrap();
    let flag = format!("--token-file={}", file.display());
    let link = home.run(&["put", &server, &flag], "text").await.link();
    let token = fs::read_to_string(&file).unwrap();
    assert_eq!(mode(&file), 0o600);
    assert_eq!(
        service.delete(id_of(&link), token.trim_end()).await.status,
        204
    );
}

/// The link must not be lost with the pipe it was written to.
#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_cannot_be_printed_can_be_had_again() {
    let service = TestServer::start().await;
    let home = ClientHome::new();
    let server = format!("--server={}", service.url(""));
    let mut command = home.command(&["put", &server]);
    command.stdout(Stdio::from(
        fs::File::options().write(true).open("/dev/full").unwrap(),
    ));
    let put = RunningClient::start(command, "text".into()).end().await;
    assert_eq!(put.code, Some(3), "{put:?}");
    let link = home.run(&["put", "--resume"], "").await.link();
    assert!(put.stderr.contains(&link));
    assert_eq!(service.rows().await.pastes.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_printed_or_seen_in_a_list_of_processes() {
    let service = TestServer::start().await;
    let turns = [Turn::HoldAnswer, Turn::CutAnswer(100), Turn::Refuse];
    let network = Network::to(service.address, turns).await;
    let home = ClientHome::new();
    let put = home.start(&["put", &network.server()], "hush");
    until("it is carried out", async || network.answered() == 1).await;
    let listed = fs::read(format!("/proc/{}/cmdline", put.id())).unwrap();
    let names: Vec<_> = home
        .files("saves")
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    put.interrupt();
    let ended = put.end().await;
    let resumed = home.run(&["put", "--resume"], "").await;
    let link = resumed.link();
    let kept = fs::read_to_string(home.state().join("tokens").join(id_of(&link))).unwrap();
    let token = &kept[kept.find("once_").unwrap()..][..31];
    let deleted = home.run(&["rm", &link], "").await;
    assert_eq!(deleted.code, Some(0));
    let seen = network.seen();
    let key = seen[0].header("idempotency-key").to_owned();
    let urls: String = seen
        .iter()
        .map(|seen| seen.head.lines().next().unwrap_or_default())
        .collect();
    let all = [
        ended.stderr,
        resumed.stderr,
        link,
        deleted.stderr,
        urls,
        names.concat(),
        String::from_utf8_lossy(&listed).into_owned(),
    ]
    .concat();
    for secret in [key.as_str(), token, "hush"] {
        assert!(!all.contains(secret), "{all}");
    }
}
