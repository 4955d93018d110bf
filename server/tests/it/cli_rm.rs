//! `oncebin rm`: the token that was kept, or one that is given in a way no list of processes shows.

use crate::harness::{ClientHome, Network, RunningClient, TestServer, Turn, id_of};
use std::fs;

#[tokio::test(flavor = "multi_thread")]
async fn a_paste_saved_from_here_is_deleted_by_its_link_or_its_id() {
    let service = TestServer::start().await;
    let home = ClientHome::new();
    let server = format!("--server={}", service.url(""));
    for by_id in [false, true] {
        let link = home.run(&["put", &server], "to be deleted").await.link();
        let name = if by_id { id_of(&link) } else { &link };
        let deleted = home.run(&["rm", name], "").await;
        assert_eq!((deleted.code, deleted.stdout.len()), (Some(0), 0));
        assert_eq!(
            deleted.stderr,
            format!("oncebin: deleted {}\n", id_of(&link))
        );
        assert!(home.files("tokens").is_empty());
        assert_eq!(home.run(&["get", &link], "").await.code, Some(1));
        let again = home.run(&["rm", &link], "").await;
        assert!(again.refusal(1).contains("no delete token"), "{again:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_comes_from_a_file_from_standard_input_or_from_the_variable() {
    let service = TestServer::start().await;
    let home = ClientHome::new();
    let file = home.state().with_extension("token");
    let from_file = format!("--token-file={}", file.display());
    for way in ["file", "input", "variable"] {
        let paste = service.save_new("text").await.created();
        let link = service.url(&format!("/{}", paste.id));
        let attempt = async |token: &str| {
            fs::write(&file, token).unwrap();
            let mut arguments = vec!["rm", &link];
            arguments.extend(match way {
                "file" => Some(from_file.as_str()),
                "input" => Some("--token-file=-"),
                _ => None,
            });
            let mut command = home.command(&arguments);
            if way == "variable" {
                command.env("ONCEBIN_DELETE_TOKEN", token);
            }
            RunningClient::start(command, token.into()).end().await
        };
        let malformed = attempt("once_short").await;
        assert!(malformed.refusal(1).contains("holds no delete token"));
        assert!(!malformed.stderr.contains("once_short"));
        let wrong = attempt("once_abcdefghijklmnopqrstuvwxyz").await;
        assert!(
            wrong
                .refusal(1)
                .contains("is not there, or the token is not its own")
        );
        assert!(!wrong.stderr.contains("once_"));
        assert_eq!(service.get(&format!("/{}", paste.id)).await.status, 200);
        let right = format!("{}\n", paste.delete_token);
        assert_eq!(attempt(&right).await.code, Some(0));
        assert_eq!(attempt(&right).await.refusal(1), wrong.refusal(1));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kept_token_is_told_to_its_own_service_alone() {
    let service = TestServer::start().await;
    let home = ClientHome::new();
    let network = Network::to(service.address, []).await;
    let server = format!("--server={}", service.url(""));
    let link = home.run(&["put", &server], "text").await.link();
    let foreign = format!("http://{}/{}", network.address, id_of(&link));
    for arguments in [
        vec!["rm", &foreign],
        vec!["rm", id_of(&link), &network.server()],
    ] {
        let refused = home.run(&arguments, "").await;
        assert!(
            refused.refusal(1).contains("no delete token"),
            "{refused:?}"
        );
    }
    assert_eq!(network.connections(), 0);
    assert_eq!(home.run(&["rm", &link], "").await.code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delete_without_an_answer_is_open_and_asking_again_settles_it() {
    let service = TestServer::start().await;
    let home = ClientHome::new();
    let redirect = "HTTP/1.1 307 X\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n";
    let turns = [
        Turn::Pass,
        Turn::Answer(redirect.into()),
        Turn::CutAnswer(0),
    ];
    let network = Network::to(service.address, turns).await;
    let link = home.run(&["put", &network.server()], "text").await.link();
    let remove = ["rm", id_of(&link)];
    assert_eq!(
        home.run(&remove, "").await.code,
        Some(1),
        "a token follows no redirect"
    );
    let lost = home.run(&remove, "").await;
    assert!(
        lost.refusal(3).contains("may be deleted or not; ask again"),
        "{lost:?}"
    );
    let again = home.run(&remove, "").await;
    assert!(again.refusal(1).contains("is not there"), "{again:?}");
    assert_eq!(network.connections(), 4);
}
