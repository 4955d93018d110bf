//! What `oncebin put --resume` does with saves that others work on, that are old, or that it cannot read.

use crate::harness::{ClientHome, Network, TestServer, Turn, id_of, until};
use serde_json::{Value, json};
use std::fs;

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// A save that was killed after the service had carried it out, and the network that still holds its answer.
async fn left_behind(service: &TestServer, home: &ClientHome) -> Network {
    let network = Network::to(service.address, [Turn::HoldAnswer]).await;
    let put = home.start(&["put", &network.server()], "left behind");
    until("it is carried out", async || network.answered() == 1).await;
    put.kill();
    network
}

/// Changes what is on disk, as time would.
fn change_save(home: &ClientHome, change: impl FnOnce(&mut Value)) {
    let path = home.save();
    let mut record: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut record["save"]);
    fs::write(path, record.to_string()).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_sends_a_save_that_another_process_sends() {
    let service = TestServer::start().await;
    let network = Network::to(service.address, [Turn::HoldRequest, Turn::HoldRequest]).await;
    let home = ClientHome::new();
    let put = home.start(&["put", &network.server()], "mine");
    until("it is under way", async || network.connections() == 1).await;
    let other = home.run(&["put", "--resume"], "").await;
    assert!(
        other.refusal(3).contains("under way in another"),
        "{other:?}"
    );
    put.kill();
    let first = home.start(&["put", "--resume"], "");
    until("it is resumed", async || network.connections() == 2).await;
    let second = home.run(&["put", "--resume"], "").await;
    assert!(
        second.refusal(3).contains("under way in another"),
        "{second:?}"
    );
    assert_eq!(network.connections(), 2);
    network.release();
    first.end().await.link();
    assert_eq!(service.rows().await.pastes.len(), 1);
}

/// Many at once over many saves: each save is taken by one of them.
#[tokio::test(flavor = "multi_thread")]
async fn many_that_resume_at_once_share_the_work() {
    let service = TestServer::start().await;
    let home = ClientHome::new();
    let network = Network::to(service.address, vec![Turn::HoldRequest; 6]).await;
    let puts: Vec<_> = (0..6)
        .map(|_| home.start(&["put", &network.server()], "one of six"))
        .collect();
    until("all are under way", async || network.connections() == 6).await;
    puts.into_iter()
        .for_each(crate::harness::RunningClient::kill);
    let resuming = (0..4).map(|_| home.run(&["put", "--resume"], ""));
    let ended = futures_util::future::join_all(resuming).await;
    let links: Vec<String> = ended
        .iter()
        .flat_map(|ran| {
            String::from_utf8_lossy(&ran.stdout)
                .lines()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(links.len(), 6, "{ended:?}");
    assert_eq!(network.connections(), 12, "each was sent once");
    assert_eq!(service.rows().await.pastes.len(), 6);
    assert!(home.files("saves").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_sent_after_24_hours() {
    let service = TestServer::start().await;
    for change in [
        (|save| save["age_ms"] = json!(DAY_MS)) as fn(&mut Value),
        |save| save["seen_ms"] = json!(save["seen_ms"].as_u64().unwrap() - DAY_MS),
        // The clock was set back: nobody can tell how old it is.
        |save| save["seen_ms"] = json!(save["seen_ms"].as_u64().unwrap() + DAY_MS),
    ] {
        let home = ClientHome::new();
        let network = left_behind(&service, &home).await;
        change_save(&home, change);
        let resumed = home.run(&["put", "--resume"], "").await;
        assert!(
            resumed.refusal(3).contains("may exist already"),
            "{resumed:?}"
        );
        assert_eq!(network.connections(), 1);
        let [aside] = home.files("set-aside").try_into().expect("its text");
        assert!(resumed.stderr.contains(aside.to_str().unwrap()));
        assert_eq!(fs::read_to_string(aside).unwrap(), "left behind");
        assert!(home.files("saves").is_empty(), "the key is gone");
        assert_eq!(home.run(&["put", "--resume"], "").await.code, Some(0));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn just_before_24_hours_it_is_sent() {
    let service = TestServer::start().await;
    let home = ClientHome::new();
    let network = left_behind(&service, &home).await;
    let minute = 60_000;
    change_save(&home, |save| save["age_ms"] = json!(DAY_MS - minute));
    let link = home.run(&["put", "--resume"], "").await.link();
    assert_eq!(service.rows().await.pastes[0].id, id_of(&link));
    assert_eq!(network.connections(), 2);
}

/// The process died between noting the link and printing it, and nobody came back for a day.
#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_is_known_is_printed_at_any_age() {
    let service = TestServer::start().await;
    let home = ClientHome::new();
    let network = left_behind(&service, &home).await;
    change_save(&home, |save| {
        save["age_ms"] = json!(DAY_MS);
        save["id"] = json!("00abcdefghijkl");
        save["url"] = json!("http://127.0.0.1:1/00abcdefghijkl");
        save["expires_at"] = json!("2099-01-01T00:00:00Z");
    });
    let resumed = home.run(&["put", "--resume"], "").await;
    assert_eq!(resumed.link(), "http://127.0.0.1:1/00abcdefghijkl");
    assert!(resumed.stderr.contains("token cannot be had any more"));
    assert_eq!(network.connections(), 1);
    assert!(home.files("saves").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resumed_save_that_is_refused_keeps_its_text() {
    let home = ClientHome::new();
    let _network = left_to_be_refused(&home, 1).await;
    let resumed = home.run(&["put", "--resume"], "").await;
    assert!(resumed.refusal(1).starts_with("Too long. The text is in /"));
    let [aside] = home.files("set-aside").try_into().expect("its text");
    assert_eq!(fs::read_to_string(aside).unwrap(), "too long");
}

/// The folder for texts cannot be made: the save has the only copy.
#[tokio::test(flavor = "multi_thread")]
async fn a_refused_save_whose_text_cannot_be_set_aside_stays() {
    let home = ClientHome::new();
    let _network = left_to_be_refused(&home, 2).await;
    let in_the_way = home.state().join("set-aside");
    fs::write(&in_the_way, "").unwrap();
    let resumed = home.run(&["put", "--resume"], "").await;
    let line = resumed.refusal(1);
    assert!(
        line.starts_with("Too long. Its text cannot be set aside ("),
        "{line}"
    );
    fs::remove_file(in_the_way).unwrap();
    let resumed = home.run(&["put", "--resume"], "").await;
    assert!(resumed.refusal(1).starts_with("Too long. The text is in /"));
    let [aside] = home.files("set-aside").try_into().expect("its text");
    assert_eq!(fs::read_to_string(aside).unwrap(), "too long");
}

/// A save that was killed under way, and a server that will refuse it so many times.
async fn left_to_be_refused(home: &ClientHome, times: usize) -> Network {
    let refusal = "HTTP/1.1 413 X\r\nContent-Length: 22\r\n\r\n{\"detail\":\"Too long.\"}";
    let answers = (0..times).map(|_| Turn::Answer(refusal.into()));
    let turns = std::iter::once(Turn::HoldRequest).chain(answers);
    let network = Network::to("127.0.0.1:1".parse().unwrap(), turns).await;
    let put = home.start(&["put", &network.server()], "too long");
    until("it is under way", async || network.connections() == 1).await;
    put.kill();
    network
}

/// A newer version's save is left alone, and holds up none of ours.
#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_stays() {
    let service = TestServer::start().await;
    let home = ClientHome::new();
    let network = left_behind(&service, &home).await;
    let foreign = home.state().join("saves/ffff.json");
    fs::write(&foreign, r#"{"server":"http://a","save":{"v":2}}"#).unwrap();
    let leftover = home.state().join("saves/eeee.tmp");
    fs::write(&leftover, "half of a sa").unwrap();
    let resumed = home.run(&["put", "--resume"], "").await;
    assert_eq!(resumed.code, Some(3));
    assert!(
        resumed
            .stderr
            .contains("ffff.json is no save that this version reads")
    );
    assert_eq!(
        String::from_utf8(resumed.stdout).unwrap().lines().count(),
        1
    );
    assert!(foreign.exists() && !leftover.exists());
    assert_eq!(network.connections(), 2);
}
