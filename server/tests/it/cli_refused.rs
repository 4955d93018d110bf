//! A final no ends `oncebin put` at once, with the server's own words, and no text is lost.

use crate::harness::{ClientHome, Network, RunningClient, TestServer, Turn, mode};
use std::fs;

#[tokio::test(flavor = "multi_thread")]
async fn the_server_has_the_last_word() {
    let service = TestServer::start_with(&["--max-paste-bytes=1000"], |_| {}).await;
    let server = format!("--server={}", service.url(""));
    for (flag, text, words) in [
        ("--syntax=nope", "text".to_owned(), "Name a syntax"),
        (
            "--expires=59",
            "text".to_owned(),
            "A paste lives from 1 minute",
        ),
        ("--expires=soon", "text".to_owned(), "Write whole seconds"),
        ("--title=a\nb", "text".to_owned(), "A title is one line"),
        ("--title=t", String::new(), "A paste has at least 1 byte."),
        ("--title=t", "x".repeat(1_001), "A paste has at most"),
        ("--title=t", "x".repeat(20 << 20), "A paste has at most"),
    ] {
        let home = ClientHome::new();
        let put = home.run(&["put", &server, flag], text.clone()).await;
        assert!(put.refusal(1).contains(words), "{put:?}");
        assert!(home.files("saves").is_empty());
        let aside = home.files("set-aside");
        let kept = aside.iter().map(|file| fs::read_to_string(file).unwrap());
        assert!(kept.eq(Some(text).filter(|text| !text.is_empty())));
        assert!(
            aside
                .iter()
                .all(|file| put.stderr.contains(file.to_str().unwrap()))
        );
    }
    assert!(service.rows().await.keys.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn each_final_no_is_asked_for_once() {
    for (status, body, words) in [
        (400, "", "did not take it (status 400)"),
        (403, "<h1>Forbidden</h1>", "did not take it (status 403)"),
        (
            409,
            r#"{"detail":"Another request was saved."}"#,
            "Another request was saved.",
        ),
        (413, r#"{"detail":"Too long."}"#, "Too long."),
        (422, r#"{"detail":"No."}"#, "No."),
        (404, "", "is http://127.0.0.1:"),
        (404, r#"{"detail":"Gone."}"#, "the address of an oncebin?"),
        (405, "<h1>No</h1>", "the address of an oncebin?"),
    ] {
        let answer = format!(
            "HTTP/1.1 {status} X\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let network = Network::to("127.0.0.1:1".parse().unwrap(), [Turn::Answer(answer)]).await;
        let home = ClientHome::new();
        let file = home.state().with_extension("txt");
        fs::write(&file, "still in its file").unwrap();
        let put = home
            .run(&["put", &network.server(), file.to_str().unwrap()], "")
            .await;
        assert!(put.refusal(1).contains(words), "{put:?}");
        assert_eq!(network.connections(), 1);
        assert!(home.files("set-aside").is_empty() && home.files("saves").is_empty());
        let again = home.run(&["put", "--resume"], "").await;
        assert_eq!((again.code, network.connections()), (Some(0), 1));
    }
}

/// One byte that is no UTF-8, and the log of an hour's work would be gone with its pipe.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_piped_in_and_cannot_be_sent_is_kept_as_it_came() {
    let network = Network::to("127.0.0.1:1".parse().unwrap(), []).await;
    let server = network.server();
    let long = vec![b'x'; (64 << 20) + 1];
    for (arguments, input, kept, words) in [
        (
            &[][..],
            &b"ab\xff\n"[..],
            &b"ab\xff\n"[..],
            "byte 2 belongs to no character. The text is in ",
        ),
        (
            &["-"],
            b"\xe9",
            b"\xe9",
            "byte 0 belongs to no character. The text is in ",
        ),
        (
            &["--token-file=/nowhere/t"],
            b"text",
            b"text",
            "(os error 2). The text is in ",
        ),
        (
            &[],
            &long,
            &long[1..],
            "which no server takes. Its first 67108864 bytes are in ",
        ),
    ] {
        let home = ClientHome::new();
        let put = home
            .run(&[&["put", &server], arguments].concat(), input)
            .await;
        let line = put.refusal(1);
        assert!(line.contains(words), "{line}");
        let aside = home.files("set-aside");
        let [file] = &aside[..] else {
            panic!("{arguments:?}: {aside:?}");
        };
        assert!(line.ends_with(file.to_str().unwrap()), "{line}");
        assert!(fs::read(file).unwrap() == kept, "{arguments:?}");
        assert_eq!(mode(file), 0o600);
    }
    assert_eq!(network.connections(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_kept_or_need_not_be_is_not() {
    let home = ClientHome::new();
    let file = home.state().with_extension("txt");
    fs::write(&file, b"\xff").unwrap();
    let put = home.run(&["put", file.to_str().unwrap()], "").await;
    assert!(put.refusal(1).ends_with("byte 0 belongs to no character"));
    let put = home.run(&["put", "--token-file=/nowhere/t"], "").await;
    assert!(put.refusal(1).ends_with("(os error 2)"));
    assert!(home.files("set-aside").is_empty());
    let mut command = home.command(&["put"]);
    command.env("XDG_STATE_HOME", &file);
    let put = RunningClient::start(command, b"\xff".into()).end().await;
    assert!(put.refusal(1).contains(". It cannot be kept: "), "{put:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_address_is_asked_about() {
    let service = TestServer::start().await;
    for path in ["/wrongpath", "/api"] {
        let server = service.url(path);
        let home = ClientHome::new();
        let put = home
            .run(&["put", &format!("--server={server}")], "text")
            .await;
        let words = format!("(status 404): is {server} the address of an oncebin?");
        assert!(put.refusal(1).contains(&words), "{put:?}");
        assert_eq!(home.files("set-aside").len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_or_sent_is_said_before_anything_is_sent() {
    let network = Network::to("127.0.0.1:1".parse().unwrap(), []).await;
    let home = ClientHome::new();
    let server = network.server();
    for (arguments, input, code, words) in [
        (
            vec!["put", &server, "/nowhere"],
            &b""[..],
            1,
            "cannot read /nowhere: No such file",
        ),
        (
            vec!["put", &server, "/"],
            b"",
            1,
            "cannot read /: Is a directory",
        ),
        (
            vec!["put", &server],
            b"ab\xff",
            1,
            "is not UTF-8 text: byte 2",
        ),
        (
            vec!["put", &server, "--token-file=/nowhere/t"],
            b"x",
            1,
            "cannot write /nowhere/t",
        ),
        (vec!["put", "--server=example.org"], b"x", 2, "--server"),
        (vec!["put", "--resume", "file"], b"", 2, "--resume"),
        (vec!["put", "--resume", "--title=t"], b"", 2, "--resume"),
        (vec!["put", "a", "b"], b"", 2, "'b'"),
        (vec!["get"], b"", 2, "<ID_OR_URL>"),
        (vec!["completions", "tcsh"], b"", 2, "possible values: bash"),
        (vec!["get", "nonsense"], b"", 2, "\"nonsense\" is neither"),
        (vec!["rm", "nonsense"], b"", 2, "\"nonsense\" is neither"),
    ] {
        let ran = home.run(&arguments, input).await;
        assert_eq!((ran.code, ran.stdout.len()), (Some(code), 0), "{ran:?}");
        assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
    let mut command = home.command(&["put", &server]);
    command.env("ONCEBIN_SEVER", "https://secret.example");
    let put = RunningClient::start(command, "x".into());
    let said = put.end().await.refusal(2).to_owned();
    assert!(
        said.contains("ONCEBIN_SEVER") && !said.contains("secret"),
        "{said}"
    );
    assert_eq!(network.connections(), 0);
}
