//! The settings of docs/postgres.md keep what stands for keys and tokens out of the log of a server that logs all it can.

use crate::harness::postgres::{Cluster, Database};
use crate::harness::{TestServer, fresh_key};
use crate::store_shard::{SLOT, sample};
use data_encoding::HEXLOWER;
use oncebin::store::postgres::PostgresStore;
use oncebin::store::{CreateOutcome, Hash, NewPaste, Store};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// As loud as it gets.
const LOUD: [&str; 4] = [
    "log_statement=all",
    "log_min_duration_statement=0",
    "log_min_messages=debug1",
    "log_min_error_statement=debug1",
];

const QUIET: [&str; 3] = [
    "log_parameter_max_length=0",
    "log_parameter_max_length_on_error=0",
    "log_error_verbosity=terse",
];

#[tokio::test(flavor = "multi_thread")]
async fn no_key_token_or_hash_of_one_is_logged_with_the_settings_of_the_page() {
    let page = include_str!("../../../docs/postgres.md");
    for setting in QUIET {
        let line = setting.replace('=', " = ");
        assert!(page.lines().any(|is| is.starts_with(&line)), "{line}");
    }
    let settings = [&LOUD[..], &QUIET].concat();
    let (log, secrets) = log_of(&settings).await;
    assert!(log.contains("insert into idempotency"), "{log}");
    assert!(
        log.contains("idempotency_key_hash"),
        "a violation is logged"
    );
    for secret in secrets {
        assert!(!log.contains(&secret), "{secret}");
    }
}

/// The search above would be worth nothing if it found nothing.
#[tokio::test(flavor = "multi_thread")]
async fn without_them_the_hashes_are_there() {
    let (log, [key, token, key_hash, token_hash]) = log_of(&LOUD).await;
    assert!(!log.contains(&key) && !log.contains(&token));
    assert!(log.contains(&key_hash) && log.contains(&token_hash));
    assert!(log.contains("Key (key_hash)="), "DETAIL quotes the key");
}

/// What a cluster logs of saves, a lost race, reads and deletes; a key, a token, and the hash of each.
async fn log_of(settings: &[&str]) -> (String, [String; 4]) {
    let cluster = Cluster::start(settings).await;
    let database = cluster.database().await;
    let flag = format!("--shards={}", database.url());
    let server = TestServer::start_with(&[&flag], |_| {}).await;
    let key = fresh_key();
    let paste = server.save(&key, "text\n").await.created();
    let key_hash = Sha256::digest(Uuid::parse_str(&key).unwrap());
    lose_a_race(&database, key_hash.into()).await;
    server.get(&format!("/{}/raw", paste.id)).await;
    assert_eq!(server.save(&key, "other\n").await.status, 409);
    let wrong = "once_abcdefghijklmnopqrstuvwxyz";
    assert_eq!(server.delete(&paste.id, wrong).await.status, 404);
    let reply = server.delete(&paste.id, &paste.delete_token).await;
    assert_eq!(reply.status, 204);
    server.stop().await;
    let token = paste.delete_token;
    let token_hash = HEXLOWER.encode(&Sha256::digest(&token));
    let key_hash = HEXLOWER.encode(&key_hash);
    (cluster.log(), [key, token, key_hash, token_hash])
}

/// A create that comes to its commit after another one with its key.
async fn lose_a_race(database: &Database, key_hash: Hash) {
    let store = PostgresStore::new(&database.url()).unwrap();
    let now_ms = store.look_up(SLOT, &key_hash).await.unwrap().now_ms;
    let new = NewPaste {
        key_hash,
        ..sample(1, now_ms)
    };
    assert_eq!(store.create(new).await, Ok(CreateOutcome::KeyTaken));
    store.close().await;
}
