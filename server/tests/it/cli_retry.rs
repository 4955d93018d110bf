//! `oncebin put` through a network that fails: the same key and the same bytes go again, and there is one paste.

use crate::harness::{ClientHome, Network, Seen, TestServer, Turn, id_of};
use std::net::TcpListener;
use std::time::Duration;

fn answer(status: &str, lines: &str, body: &str) -> Turn {
    Turn::Answer(format!(
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\n{lines}\r\n{body}",
        body.len()
    ))
}

/// Every attempt is the first one again.
#[track_caller]
fn assert_same(seen: &[Seen], count: usize) {
    assert_eq!(seen.len(), count);
    let key = seen[0].header("idempotency-key");
    assert_eq!(key.len(), 36);
    for again in seen {
        assert_eq!(again.header("idempotency-key"), key);
        assert!(again.body == seen[0].body);
        assert_eq!(again.head.lines().next(), seen[0].head.lines().next());
    }
}

/// Puts a text through the turns: one paste, whose link was printed.
async fn put_through(turns: Vec<Turn>, text: &str, attempts: usize) -> (Network, String) {
    let service = TestServer::start().await;
    let network = Network::to(service.address, turns).await;
    let home = ClientHome::new();
    let put = home
        .run(&["put", "--title=t", &network.server()], text)
        .await;
    let link = put.link();
    let seen = network.seen();
    assert_same(&seen, attempts);
    assert_eq!(seen[0].body, text.as_bytes());
    let rows = service.rows().await;
    assert_eq!((rows.pastes.len(), rows.keys.len()), (1, 1));
    let raw = service.get(&format!("/{}/raw", id_of(&link))).await;
    assert_eq!(raw.text(), text);
    assert!(home.files("saves").is_empty());
    (network, put.stderr)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_reply_is_one_paste() {
    let turns = vec![Turn::CutAnswer(0), Turn::CutAnswer(9), Turn::CutAnswer(400)];
    let (_, said) = put_through(turns, "answered in vain", 4).await;
    assert!(said.contains("trying again") && said.contains("nothing is saved twice"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_never_arrived_goes_again() {
    let large = "0123456789abcde\n".repeat(1 << 16);
    let turns = vec![Turn::Refuse, Turn::Refuse];
    let (network, said) = put_through(turns, &large, 1).await;
    assert_eq!(network.connections(), 3);
    assert!(said.contains("the server cannot be reached ("), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_cannot_just_now_is_asked_again_when_it_says() {
    let turns = vec![
        answer("503 Service Unavailable", "Retry-After: 1\r\n", "{}"),
        answer("429 Too Many Requests", "Retry-After: 1\r\n", ""),
        answer("500 Internal Server Error", "", "<h1>Oops</h1>"),
        answer("408 Request Timeout", "", ""),
    ];
    let (network, said) = put_through(turns, "patience", 5).await;
    let seen = network.seen();
    for pair in seen[..3].windows(2) {
        assert!(pair[1].at - pair[0].at >= Duration::from_secs(1));
    }
    assert!(
        said.contains("(status 503)") && said.contains("asks for a pause"),
        "{said}"
    );
}

/// A portal of some café answers in the server's name. It knows nothing of the save.
#[tokio::test(flavor = "multi_thread")]
async fn what_another_says_in_between_is_no_answer() {
    let turns = vec![
        answer("200 OK", "", "<html>Sign in</html>"),
        answer("302 Found", "Location: http://127.0.0.1:1/\r\n", ""),
        answer("201 Created", "", "{\"id\":\"half"),
    ];
    let (_, said) = put_through(turns, "through a portal", 4).await;
    assert!(said.contains("is its address right?"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_down_is_waited_for() {
    let service = TestServer::start().await;
    let place = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = place.local_addr().unwrap();
    drop(place);
    let home = ClientHome::new();
    let mut put = home.start(
        &["put", &format!("--server=http://{address}")],
        "early bird",
    );
    put.until_it_says("cannot be reached");
    let network = Network::listening(address, service.address, []).await;
    let link = put.end().await.link();
    assert_eq!(network.connections(), 1);
    let raw = service.get(&format!("/{}/raw", id_of(&link))).await;
    assert_eq!(raw.text(), "early bird");
    assert_eq!(service.rows().await.pastes.len(), 1);
}
