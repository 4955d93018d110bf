//! One 404 for whatever is not there: missing, expired, deleted, never an id.

use crate::harness::{TestServer, fresh_key};
use reqwest::Method;
use std::time::Duration;

const HTML: &str = "text/html";

#[tokio::test(flavor = "multi_thread")]
async fn missing_expired_deleted_and_malformed_ids_look_alike() {
    let server = TestServer::start().await;
    let expired = server
        .save_with(&fresh_key(), "?expires_in=60", &[], "expired")
        .await
        .created()
        .id;
    let living = server.save_new("living").await.created().id;
    let deleted = server.save_new("deleted").await.created();
    assert_eq!(
        server
            .delete(&deleted.id, &deleted.delete_token)
            .await
            .status,
        204
    );
    server.advance(Duration::from_secs(61)).await;

    let swapped: String = living
        .chars()
        .map(|c| {
            if c.is_ascii_lowercase() {
                c.to_ascii_uppercase()
            } else {
                c.to_ascii_lowercase()
            }
        })
        .collect();
    let encoded: String = living.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let first_encoded = format!("%{:02x}{}", living.as_bytes()[0], &living[1..]);
    let other_slot = format!(
        "{}{}",
        if living.starts_with("00") { "01" } else { "00" },
        &living[2..]
    );
    let ids = [
        "2w0123456789AB",
        &expired,
        &deleted.id,
        &swapped,
        &encoded,
        &first_encoded,
        &other_slot,
        "48aaaaaaaaaaaa",
        "zzaaaaaaaaaaaa",
        "4800000000000000",
        "00000000000000",
        "short",
        &living[..13],
        &format!("{living}0"),
        &format!("{living}."),
        "2w0123456789A-",
        "2w0123456789A_",
        "2w0123456789~+",
        "2w0123456789%C3%A9",
        "%00%00%00%00%00%00",
        "%ff",
        &"a".repeat(5000),
    ];
    for (path, rest) in [
        ("/", ""),
        ("/", "/raw"),
        ("/", "/download"),
        ("/", "/markdown"),
        ("/", "/qr.svg"),
        ("/api/pastes/", ""),
    ] {
        for (method, accept) in [
            (Method::GET, HTML),
            (Method::GET, "*/*"),
            (Method::HEAD, "*/*"),
        ] {
            let mut seen = Vec::new();
            for id in ids {
                let lines = [
                    ("accept", accept),
                    ("if-none-match", "*"),
                    ("range", "bytes=0-1"),
                ];
                let reply = server
                    .ask(method.clone(), &format!("{path}{id}{rest}"), &lines)
                    .await;
                assert_eq!(
                    (reply.status, reply.header("cache-control")),
                    (404, "no-store"),
                    "{id}"
                );
                seen.push((reply.lines(), reply.body));
            }
            assert!(
                seen.windows(2).all(|pair| pair[0] == pair[1]),
                "{path}{rest} {accept}"
            );
        }
    }
    assert_eq!(server.get(&format!("/{living}/raw")).await.text(), "living");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_paste_is_not_confirmed_to_whoever_has_a_copy() {
    let server = TestServer::start().await;
    let created = server.save_new("text").await.created();
    let mut copies = Vec::new();
    for path in ["", "/raw", "/download", "/markdown", "/qr.svg"] {
        for accept in [HTML, "*/*"] {
            let path = format!("/{}{path}", created.id);
            let etag = server
                .get_with(&path, &[("accept", accept)])
                .await
                .header("etag")
                .to_owned();
            copies.push((path, accept, etag));
        }
    }
    assert_eq!(
        server
            .delete(&created.id, &created.delete_token)
            .await
            .status,
        204
    );
    for (path, accept, etag) in copies {
        for condition in [
            ("if-none-match", &*etag),
            ("if-range", &etag),
            ("if-match", &etag),
        ] {
            for query in ["", "?x=1"] {
                let lines = [("accept", accept), condition, ("range", "bytes=0-0")];
                assert_eq!(
                    server
                        .get_with(&format!("{path}{query}"), &lines)
                        .await
                        .status,
                    404
                );
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paste_ends_with_its_last_second() {
    let server = TestServer::start().await;
    let id = server
        .save_with(&fresh_key(), "?expires_in=3600", &[], "text")
        .await
        .created()
        .id;
    server.advance(Duration::from_secs(3500)).await;
    assert_eq!(server.get(&format!("/{id}")).await.status, 200);
    server.advance(Duration::from_secs(100)).await;
    assert_eq!(server.get(&format!("/{id}")).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn paths_around_an_id_lead_nowhere() {
    let server = TestServer::start().await;
    let id = server.save_new("text").await.created().id;
    for path in [
        format!("/{id}/"),
        format!("//{id}"),
        format!("/{id}/raw/"),
        format!("/{id}/raw/x.css"),
        format!("/{id}/raw.js"),
        format!("/{id};x"),
        format!("/{id}.txt"),
        format!("/raw/{id}"),
        format!("/{id}/RAW"),
        format!("/{id}/r%61w"),
        format!("/api/pastes/{id}/"),
        format!("/api/pastes/{id}/x.js"),
        format!("/api/pastes//{id}"),
        format!("/API/pastes/{id}"),
        format!("/{id}%2Fraw"),
        format!("/{id}%00"),
        format!("/delete/{id}"),
    ] {
        let answer = server
            .connect()
            .await
            .ask(format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n"))
            .await;
        assert_eq!(
            (answer.status, answer.header("cache-control")),
            (404, "no-store"),
            "{path}"
        );
        assert_eq!(answer.header("location"), "");
    }
}
