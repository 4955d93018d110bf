//! Idempotency key and delete token: nowhere but in the requests and answers that must carry them.

use crate::harness::{FakeCdn, Host, Process, Reply, Says, Scrape, fresh_key, send, until};
use app::wire::created::Created;
use data_encoding::{BASE64, BASE64URL_NOPAD, HEXLOWER, HEXUPPER};
use oncebin::pastes::IdempotencyKey;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use uuid::Uuid;

/// Every spelling in which a secret could be found.
struct Secrets(Vec<Vec<u8>>);

impl Secrets {
    fn of(keys: &[String], tokens: &[String]) -> Self {
        let mut spellings = Vec::new();
        for key in keys {
            let raw = Uuid::parse_str(key).unwrap().into_bytes();
            spellings.push(key.to_uppercase().into_bytes());
            spellings.push(key.to_lowercase().into_bytes());
            spellings.extend(encodings(&raw));
            spellings.push(raw.to_vec());
        }
        for token in tokens {
            spellings.push(token.trim_start_matches("once_").into());
            spellings.extend(encodings(token.as_bytes()));
        }
        Self(spellings)
    }

    fn are_in(&self, bytes: &[u8]) -> bool {
        let holds = |secret: &Vec<u8>| bytes.windows(secret.len()).any(|part| part == secret);
        self.0.iter().any(holds)
    }

    /// Panics when a file below the folder, or a name, holds one.
    fn assert_not_below(&self, folder: &Path) -> usize {
        let mut files = 0;
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            assert!(!self.are_in(path.to_str().unwrap().as_bytes()), "{path:?}");
            if path.is_dir() {
                files += self.assert_not_below(&path);
            } else {
                assert!(!self.are_in(&fs::read(&path).unwrap()), "{path:?}");
                files += 1;
            }
        }
        files
    }
}

fn encodings(secret: &[u8]) -> [Vec<u8>; 4] {
    [
        HEXLOWER.encode(secret).into(),
        HEXUPPER.encode(secret).into(),
        BASE64.encode(secret).trim_end_matches('=').into(),
        BASE64URL_NOPAD.encode(secret).into(),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_log_nor_files_nor_errors_hold_a_key_or_a_token() {
    let data = TempDir::new().unwrap();
    let server = Process::start(data.path(), &["--log=trace"]);
    let keys: Vec<_> = (0..4).map(|_| fresh_key()).collect();
    let (pastes, errors) = use_everything(&server, &keys).await;
    let tokens: Vec<_> = pastes.into_iter().map(|paste| paste.delete_token).collect();
    let secrets = Secrets::of(&keys, &tokens);
    for error in &errors {
        assert!(!secrets.are_in(format!("{:?}", error.headers).as_bytes()));
        assert!(!secrets.are_in(&error.body), "{error:?}");
    }
    let metrics = Scrape::of(server.admin()).await;
    assert_eq!(metrics.count("oncebin_creates_total{result=\"new\"}"), 3);
    assert!(!secrets.are_in(metrics.text.as_bytes()));
    // While it runs the newest rows are in the -wal files, after the stop in the files themselves.
    assert!(secrets.assert_not_below(data.path()) > 8);
    server.ask_to_stop();
    let ended = server.wait();
    assert!(secrets.assert_not_below(data.path()) > 4);
    assert!(ended.log.contains("/api/pastes"), "{}", ended.log);
    assert!(ended.log.matches("request_id").count() > 15);
    assert!(!secrets.are_in(ended.log.as_bytes()));
}

/// Credentials in every place of a template that can hold one, written there or in a variable. The CDN is asked, answers,
/// refuses.
#[tokio::test(flavor = "multi_thread")]
async fn neither_log_nor_pages_hold_a_credential_of_the_purge_template() {
    const CREDENTIALS: [&str; 6] = [
        "UserU5s8",
        "PassP7w3",
        "PathZ4q9",
        "QueryK2d6",
        "HeaderT8v1",
        "BodyB3x5",
    ];
    let (cdn, folder) = (FakeCdn::start().await, TempDir::new().unwrap());
    let template = format!(
        "PURGE http://UserU5s8:{{env:CDN_PASSWORD}}@{}/PathZ4q9?key={{env:CDN_KEY}}\n\
         Authorization: Bearer {{env:CDN_TOKEN}}\nSurrogate-Key: {{tags_space}}\n\nBodyB3x5\n",
        cdn.address
    );
    let file = folder.path().join("cdn.purge");
    fs::write(&file, template).unwrap();
    let variables = [
        ("CDN_PASSWORD", "PassP7w3"),
        ("CDN_KEY", "QueryK2d6"),
        ("CDN_TOKEN", "HeaderT8v1"),
    ];
    let variables: BTreeMap<_, _> = variables
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
    let flag = format!("--cdn-purge={}", file.display());
    let data = TempDir::new().unwrap();
    let server = Process::start_with(data.path(), &["--log=trace", &flag], &variables);
    let basic = BASE64.encode(b"UserU5s8:PassP7w3");
    let secrets = CREDENTIALS.into_iter().chain([basic.as_str()]);
    let secrets = Secrets(secrets.map(|secret| secret.as_bytes().to_vec()).collect());
    for says in [
        Says::Status(200),
        Says::Status(500),
        Says::Status(302),
        Says::Status(403),
    ] {
        cdn.will(move |_| says);
        let before = cdn.asked().len();
        let paste = server.save_new("text\n").await.created();
        let deleted = server.delete(&paste.id, &paste.delete_token).await;
        assert_eq!(deleted.status, 204);
        until("the CDN is asked", async || cdn.asked().len() > before).await;
    }
    let asked = format!("{:?}", cdn.asked());
    for arrived in ["PathZ4q9", "QueryK2d6", "HeaderT8v1", "BodyB3x5"] {
        assert!(asked.contains(arrived), "{arrived}: {asked}");
    }
    let refused = "it refuses the credential";
    until(refused, async || server.log().contains(refused)).await;
    for page in ["/metrics", "/readyz"] {
        assert!(!secrets.are_in(&server.admin().get(page).await.body));
    }
    server.ask_to_stop();
    let log = server.wait().log;
    let told = |line: &&str| secrets.are_in(line.as_bytes());
    assert_eq!(log.lines().find(told), None);
}

/// Every way a key or a token reaches the server; the pastes, and the answers that are errors.
async fn use_everything(host: &Host, keys: &[String]) -> (Vec<Created>, Vec<Reply>) {
    let first = host.save(&keys[0], "by curl\n").await.created();
    let shouted = host.save(&keys[0].to_uppercase(), "by curl\n").await;
    assert_eq!(shouted.header("idempotent-replayed"), "true");
    let json = serde_json::json!({ "content": "json\n" });
    let second = host.save_json(&keys[1], &json).await.created();
    let page = save_by_form(host, &keys[2], "by form\n").await;
    assert_eq!(page.status, 201);
    let third = host.save(&keys[2], "by form\n").await.created();
    assert!(page.text().contains(&third.delete_token));
    let conflict_by_form = save_by_form(host, &keys[2], "other\n").await;
    assert_eq!(conflict_by_form.status, 409);
    let mut errors = vec![
        conflict_by_form,
        host.save(&keys[0], "other\n").await,
        host.save(&keys[3], "").await,
        host.save(&keys[3], [0xff].as_slice()).await,
        host.save(&format!("{},{}", keys[3], keys[3]), "list\n")
            .await,
        host.save(&format!("{{{}}}", keys[3]), "braces\n").await,
        host.get(&format!("/{}", keys[3])).await,
        host.delete(&second.id, &first.delete_token).await,
        host.delete(&second.id, &format!("{}x", second.delete_token))
            .await,
        delete_by_form(host, &second.id, &third.delete_token).await,
    ];
    let malformed = host
        .save_request(&keys[3])
        .header("content-type", "application/json");
    errors.push(send(malformed.body(format!("{{\"{}\":1}}", keys[3]))).await);
    assert!(errors.iter().all(|error| error.status >= 400));
    assert_eq!(
        host.delete(&first.id, &first.delete_token).await.status,
        204
    );
    let deleted = delete_by_form(host, &third.id, &third.delete_token).await;
    assert_eq!(deleted.status, 200);
    errors.push(host.delete(&first.id, &first.delete_token).await);
    (vec![first, second, third], errors)
}

async fn save_by_form(host: &Host, key: &str, content: &str) -> Reply {
    let fields = [("idempotency_key", key), ("content", content)];
    host.post_form("/", &fields).await
}

async fn delete_by_form(host: &Host, id: &str, token: &str) -> Reply {
    let path = format!("/{id}/delete");
    host.post_form(&path, &[("delete_token", token)]).await
}

/// The search above would be worth nothing if it found nothing.
#[test]
fn the_search_finds_a_secret_in_any_spelling() {
    let key = fresh_key();
    let token = "once_abcdefghijklmnopqrstuvwxyz".to_owned();
    let secrets = Secrets::of(std::slice::from_ref(&key), std::slice::from_ref(&token));
    let raw = Uuid::parse_str(&key).unwrap();
    let simple = raw.simple().to_string();
    for text in [
        key.clone(),
        key.to_uppercase(),
        simple.to_uppercase(),
        simple,
        BASE64.encode(raw.as_bytes()),
        BASE64URL_NOPAD.encode(raw.as_bytes()),
        token.clone(),
        BASE64.encode(token.as_bytes()),
    ] {
        assert!(
            secrets.are_in(format!("a line with {text} in it").as_bytes()),
            "{text}"
        );
    }
    assert!(secrets.are_in(&[b"row ".as_slice(), raw.as_bytes()].concat()));
    assert!(!secrets.are_in(b"nothing of the kind"));
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("below")).unwrap();
    fs::write(folder.path().join("below/file"), &key).unwrap();
    let found = std::panic::catch_unwind(|| secrets.assert_not_below(folder.path()));
    assert!(found.is_err());
}

#[test]
fn debug_hides_what_is_secret() {
    let text = fresh_key();
    let key = IdempotencyKey::parse(text.as_bytes()).unwrap();
    let token = "once_abcdefghijklmnopqrstuvwxyz".to_owned();
    let parsed: app::wire::token::DeleteToken = token.parse().unwrap();
    let created = Created {
        id: "2w0123456789AB".into(),
        url: "https://paste.example/2w0123456789AB".into(),
        created_at: String::new(),
        expires_at: String::new(),
        size: 1,
        sha256: String::new(),
        delete_token: token.clone(),
    };
    let row = oncebin::store::IdempotencyRow {
        digest_version: 1,
        digest: Vec::new(),
        answer: token.clone().into_bytes(),
    };
    let secrets = Secrets::of(&[text], &[token]);
    for shown in [
        format!("{key:?}"),
        format!("{key:#?}"),
        format!("{parsed:?}"),
        format!("{created:#?}"),
        format!("{row:?}"),
    ] {
        assert!(!secrets.are_in(shown.as_bytes()), "{shown}");
    }
}
