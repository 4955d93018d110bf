//! The examples of the API's description run, and are answered as described.

use crate::harness::{TestServer, fresh_key};
use crate::openapi::{assert_headers_described, call, calls, description};
use app::wire::created::Created;
use std::fs;
use std::process::Command;
use tempfile::TempDir;

/// The lines of a sample, run where `file.txt` is, about a paste of their own. What was answered, by status.
fn run(lines: &str, paste: &Created, folder: &TempDir) -> Vec<u16> {
    let counted = "curl() { command curl --silent --show-error --write-out '%{stderr}%{http_code}\\n' \"$@\"; }";
    let done = Command::new("sh")
        .args(["-eu", "-c", &format!("{counted}\n{lines}")])
        .env("KEY", fresh_key())
        .env("ID", &paste.id)
        .env("TOKEN", &paste.delete_token)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let statuses = String::from_utf8(done.stderr).unwrap();
    assert!(done.status.success(), "{lines}\n{statuses}");
    let statuses = statuses
        .lines()
        .map(|status| status.parse().expect(&statuses));
    statuses.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_sample_runs_and_is_answered_as_described() {
    let server = TestServer::start().await;
    let description = description(&server).await;
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("file.txt"), "text of a file\n").unwrap();
    for (method, path, call) in calls(&description) {
        let samples = call["x-codeSamples"].as_array().unwrap();
        assert!(!samples.is_empty(), "{method} {path} has no sample");
        for sample in samples {
            let paste = server.save_new("text").await.created();
            let statuses = run(sample["source"].as_str().unwrap(), &paste, &folder);
            assert!(!statuses.is_empty());
            for status in statuses {
                assert!((200..300).contains(&status), "{sample} got {status}");
                assert!(
                    call["responses"][status.to_string()].is_object(),
                    "{sample} got {status}"
                );
            }
        }
    }
}

/// The words are those of the refusal, so that nobody is told of a unit that is then refused.
#[tokio::test(flavor = "multi_thread")]
async fn a_life_is_described_as_it_is_taken() {
    let server = TestServer::start().await;
    let description = description(&server).await;
    let query = "?expires_in=3600s";
    let refused = server.save_with(&fresh_key(), query, &[], "text").await;
    let spelled = refused.problem().detail;
    let save = call(&description, "POST", "/api/pastes");
    let parameters = save["parameters"].as_array().unwrap().iter();
    let schemas = &description["components"]["schemas"];
    let places = parameters
        .filter(|parameter| parameter["name"] == "expires_in")
        .chain([
            &schemas["Save"]["properties"]["expires_in"]["oneOf"][1],
            &schemas["Form"]["properties"]["expires_in"],
        ]);
    let words: Vec<_> = places.map(|place| place["description"].as_str()).collect();
    assert_eq!(words.len(), 3);
    for words in words {
        assert!(
            words.is_some_and(|words| words.ends_with(&spelled)),
            "{words:?}"
        );
    }
}

/// One code may have other words elsewhere: who reads is not told of saves, nor who deletes how to save.
#[tokio::test(flavor = "multi_thread")]
async fn an_example_of_an_error_is_one_that_is_met_there() {
    let server = TestServer::start().await;
    let description = description(&server).await;
    for (method, path, status, code, words) in [
        (
            "POST",
            "/api/pastes",
            "429",
            "rate_limited",
            "saves a minute",
        ),
        ("POST", "/", "429", "rate_limited", "saves a minute"),
        ("GET", "/", "429", "rate_limited", "lead nowhere"),
        ("GET", "/{id}", "429", "rate_limited", "lead nowhere"),
        (
            "DELETE",
            "/api/pastes/{id}",
            "429",
            "rate_limited",
            "lead nowhere",
        ),
        (
            "POST",
            "/{id}/delete",
            "429",
            "rate_limited",
            "lead nowhere",
        ),
        (
            "POST",
            "/{id}/delete",
            "415",
            "unsupported_media_type",
            "the field delete_token",
        ),
        (
            "POST",
            "/",
            "415",
            "unsupported_media_type",
            "This kind of form",
        ),
        (
            "POST",
            "/api/pastes",
            "415",
            "unsupported_media_type",
            "multipart/form-data",
        ),
    ] {
        let answer = &call(&description, method, path)["responses"][status];
        let example = &answer["content"]["text/plain"]["examples"][code]["value"];
        let text = example.as_str();
        assert!(
            text.is_some_and(|text| text.contains(words)),
            "{method} {path} {text:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_example_of_a_body_is_taken() {
    let server = TestServer::start().await;
    let description = description(&server).await;
    let bodies = &call(&description, "POST", "/api/pastes")["requestBody"]["content"];
    let json = server
        .save_json(&fresh_key(), &bodies["application/json"]["example"])
        .await;
    let raw = bodies["text/plain"]["example"].as_str().unwrap().to_owned();
    for reply in [json, server.save_new(raw).await] {
        reply.created();
        let answer = &call(&description, "POST", "/api/pastes")["responses"]["201"];
        assert_headers_described(&reply, answer, "a save");
    }
}
