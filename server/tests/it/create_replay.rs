//! The retry: the stored 201, byte for byte.

use crate::harness::{TestServer, fresh_key};

#[tokio::test(flavor = "multi_thread")]
async fn a_retry_gets_the_same_201_and_says_that_it_is_one() {
    let server = TestServer::start().await;
    let key = fresh_key();
    let first = server.save(&key, "once\n").await;
    let second = server.save(&key, "once\n").await;
    assert_eq!(first.created(), second.created());
    assert_eq!(first.body, second.body);
    assert_eq!(first.header("location"), second.header("location"));
    assert_eq!(first.header("idempotent-replayed"), "");
    assert_eq!(second.header("idempotent-replayed"), "true");
}
