//! `kill -9` and Ctrl+C in the middle of `oncebin put`: `put --resume` settles the save, with its own key.

use crate::harness::{ClientHome, Network, TestServer, Turn, id_of, until};
use std::fs;

/// Puts a text, ends the client when the network has come so far, and resumes: one paste, its link printed.
async fn cut_short_at(turn: Turn, is_there: impl Fn(&Network) -> bool, is_killed: bool) {
    let service = TestServer::start().await;
    let network = Network::to(service.address, [turn]).await;
    let home = ClientHome::new();
    let put = home.start(
        &["put", "--syntax=rs", &network.server()],
        "cut short\r\n\0",
    );
    until("the client is as far", async || is_there(&network)).await;
    let save = fs::read_to_string(home.save()).unwrap();
    assert!(
        save.contains(r"cut short\r\n\u0000"),
        "on disk before it is sent"
    );
    if is_killed {
        put.kill();
    } else {
        put.interrupt();
        let ended = put.end().await;
        assert!(
            ended.refusal(3).contains("oncebin put --resume"),
            "{ended:?}"
        );
    }
    network.release();
    let link = home.run(&["put", "--resume"], "").await.link();
    let seen = network.seen();
    let keys: Vec<_> = seen
        .iter()
        .map(|seen| seen.header("idempotency-key"))
        .collect();
    assert!(keys.iter().all(|key| *key == keys[0]) && save.contains(keys[0]));
    let rows = service.rows().await;
    assert_eq!((rows.pastes.len(), rows.keys.len()), (1, 1));
    assert_eq!(rows.pastes[0].id, id_of(&link));
    let raw = service.get(&format!("/{}/raw", id_of(&link))).await;
    assert_eq!(raw.text(), "cut short\r\n\0");
    let again = home.run(&["put", "--resume"], "").await;
    assert_eq!((again.code, again.stdout.len()), (Some(0), 0));
    assert!(again.stderr.contains("nothing to resume"));
    assert_eq!(
        home.run(&["rm", &link], "").await.code,
        Some(0),
        "its token is kept"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn before_a_byte_was_read() {
    for is_killed in [true, false] {
        cut_short_at(
            Turn::HoldRequest,
            |network| network.connections() == 1,
            is_killed,
        )
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn after_the_service_has_saved_it() {
    for is_killed in [true, false] {
        cut_short_at(
            Turn::HoldAnswer,
            |network| network.answered() == 1,
            is_killed,
        )
        .await;
    }
}

/// Kills come when they come: in every round the client gets as far as luck has it.
#[tokio::test(flavor = "multi_thread")]
async fn at_any_moment() {
    let service = TestServer::start().await;
    let network = Network::to(service.address, []).await;
    let home = ClientHome::new();
    let mut printed = Vec::new();
    for round in 0..24 {
        let (connections, answered) = (network.connections(), network.answered());
        let put = home.start(&["put", &network.server()], format!("round {round}"));
        // A third each: once the save is on disk, once it is on its way, once it is answered. A client that was faster
        // than we could look has come further.
        let how_far = async || {
            let is_answered = network.answered() > answered;
            is_answered
                || match round % 3 {
                    0 => !home.files("saves").is_empty(),
                    1 => network.connections() > connections,
                    _ => false,
                }
        };
        until("the client is as far", how_far).await;
        put.kill();
        let resumed = home.run(&["put", "--resume"], "").await;
        assert_eq!(resumed.code, Some(0), "{resumed:?}");
        let links = String::from_utf8(resumed.stdout).unwrap();
        printed.extend(links.lines().map(|link| id_of(link).to_owned()));
        assert!(home.files("saves").is_empty());
    }
    let rows = service.rows().await;
    let mut keys: Vec<_> = network
        .seen()
        .iter()
        .map(|seen| seen.header("idempotency-key").to_owned())
        .collect();
    keys.sort();
    keys.dedup();
    assert_eq!(rows.pastes.len(), keys.len(), "one paste a key");
    assert!(
        printed
            .iter()
            .all(|id| rows.pastes.iter().any(|paste| paste.id == *id))
    );
    assert_eq!(home.files("tokens").len(), rows.pastes.len());
}
