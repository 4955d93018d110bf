//! Clients that hang up at any moment: in the head, in the body, after it, in the answer. Nothing of it may leave the
//! server or its rows in another state than a whole request or none.

use crate::harness::{Host, Process, Rows, Seeded, fresh_key};
use app::wire::created::Created;
use futures_util::stream::{StreamExt, iter};
use std::collections::BTreeSet;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

const CLIENTS: u64 = 16;
const REQUESTS_EACH: usize = 200;

/// What a client's requests were about.
#[derive(Default)]
struct Touched {
    saves: Vec<(String, String)>,
    deletes: Vec<Created>,
}

#[tokio::test(flavor = "multi_thread")]
async fn three_thousand_hang_ups_leave_whole_saves_and_whole_deletes() {
    let data = TempDir::new().unwrap();
    // The relay would take away the outbox rows that are counted here.
    let mut server = Process::start(data.path(), &["--workers=off"]);
    let large = server.save_new("large ".repeat(200_000)).await.created();
    let mut clients = JoinSet::new();
    for seed in 0..CLIENTS {
        clients.spawn(hang_up_often(server.clone(), large.id.clone(), seed));
    }
    let touched = clients.join_all().await;
    assert!(server.is_alive());
    let saves: Vec<_> = touched.iter().flat_map(|client| &client.saves).collect();
    let deletes: Vec<_> = touched.iter().flat_map(|client| &client.deletes).collect();
    assert!(saves.len() > 1000 && deletes.len() > 50);
    let host: &Host = &server;
    let settled = iter(&saves).map(|(key, content)| settle_save(host, key, content));
    let ids: BTreeSet<_> = settled.buffer_unordered(16).collect().await;
    assert_eq!(ids.len(), saves.len());
    let settled = iter(&deletes).map(|paste| settle_delete(host, paste));
    settled.buffer_unordered(16).collect::<()>().await;
    assert_eq!(host.get("/readyz").await.status, 200);
    let rows = Rows::of(data.path()).await;
    rows.assert_paired(data.path());
    assert_eq!(rows.pastes.len(), saves.len() + 1);
    assert_eq!(rows.outbox.len(), deletes.len());
    server.ask_to_stop();
    let ended = server.wait();
    assert!(ended.status.success());
    assert!(!ended.log.contains("panicked"), "{}", ended.log);
}

async fn hang_up_often(host: Host, large: String, seed: u64) -> Touched {
    let mut chance = Seeded::new(seed);
    let mut touched = Touched::default();
    for _ in 0..REQUESTS_EACH {
        let request = match chance.below(8) {
            0 => read(&large),
            1 => delete(&host, &mut touched).await,
            kind => save(kind < 5, &mut chance, &mut touched),
        };
        hang_up(&host, &request, &mut chance).await;
    }
    touched
}

/// Sends part of a request or all of it, reads part of the answer if there is to be one, and closes. Half the time
/// the close is a reset.
async fn hang_up(host: &Host, request: &[u8], chance: &mut Seeded) {
    let head = request.windows(4).position(|four| four == b"\r\n\r\n");
    let head = head.unwrap() + 4;
    let (sent, read) = match chance.below(4) {
        0 => (chance.below(head), 0),
        1 => (head + chance.below(request.len() - head + 1), 0),
        2 => (request.len(), 0),
        _ => (request.len(), 1 + chance.below(500)),
    };
    let mut stream = TcpStream::connect(host.address).await.unwrap();
    stream.write_all(&request[..sent]).await.ok();
    if read > 0 {
        stream.read_buf(&mut Vec::with_capacity(read)).await.ok();
    }
    if chance.below(2) == 0 {
        stream.set_zero_linger().unwrap();
    }
}

fn save(as_json: bool, chance: &mut Seeded, touched: &mut Touched) -> Vec<u8> {
    let key = fresh_key();
    let bytes = [1, 200, 5_000, 100_000][chance.below(4)];
    let content = chance.text(bytes);
    let (media_type, body) = if as_json {
        ("application/json", format!(r#"{{"content":"{content}"}}"#))
    } else {
        ("text/plain", content.clone())
    };
    let request = format!(
        "POST /api/pastes HTTP/1.1\r\nHost: a\r\nIdempotency-Key: {key}\r\nContent-Type: {media_type}\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    touched.saves.push((key, content));
    request.into_bytes()
}

async fn delete(host: &Host, touched: &mut Touched) -> Vec<u8> {
    let paste = host.save_new("to be deleted\n").await.created();
    let request = format!(
        "DELETE /api/pastes/{} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {}\r\n\r\n",
        paste.id, paste.delete_token
    );
    touched.deletes.push(paste);
    request.into_bytes()
}

fn read(id: &str) -> Vec<u8> {
    format!("GET /{id}/raw HTTP/1.1\r\nHost: a\r\n\r\n").into_bytes()
}

/// One paste with this text, whatever became of the first attempt; its id.
async fn settle_save(host: &Host, key: &str, content: &str) -> String {
    let paste = host.save(key, content.to_owned()).await.created();
    let raw = host.get(&format!("/{}/raw", paste.id)).await;
    assert_eq!(raw.text(), content);
    paste.id
}

/// Deleted now or before.
async fn settle_delete(host: &Host, paste: &Created) {
    let reply = host.delete(&paste.id, &paste.delete_token).await;
    assert!(matches!(reply.status, 204 | 404), "{reply:?}");
    let raw = host.get(&format!("/{}/raw", paste.id)).await;
    assert_eq!(raw.status, 404);
}
