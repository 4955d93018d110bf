//! The API's description: it is whole, and the service answers as it says. Its examples: [`crate::openapi_examples`].

use crate::harness::{Host, Reply, TestServer, fresh_key, send};
use crate::problems::failing;
use app::wire::problem::Code;
use oncebin::http::ENDPOINTS;
use serde_json::Value;
use std::collections::BTreeSet;

pub(crate) async fn description(host: &Host) -> Value {
    let reply = host.get("/api/openapi.json").await;
    assert_eq!(
        (reply.status, reply.header("content-type")),
        (200, "application/json")
    );
    serde_json::from_slice(&reply.body).unwrap()
}

/// Method, path and description of every call.
pub(crate) fn calls(description: &Value) -> Vec<(String, String, Value)> {
    let paths = description["paths"].as_object().unwrap().iter();
    let calls = paths.flat_map(|(path, item)| {
        let methods = item.as_object().unwrap().iter();
        methods.map(|(method, call)| (method.to_uppercase(), path.clone(), call.clone()))
    });
    calls.collect()
}

pub(crate) fn call<'a>(description: &'a Value, method: &str, route: &str) -> &'a Value {
    &description["paths"][route][method.to_lowercase()]
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_is_described_and_nothing_else() {
    let server = TestServer::start().await;
    let description = description(&server).await;
    assert_eq!(description["openapi"], "3.1.0");
    assert_eq!(description["servers"][0]["url"], server.url(""));
    let described: BTreeSet<_> = calls(&description)
        .into_iter()
        .map(|(method, path, _)| (method, path))
        .collect();
    let endpoints = ENDPOINTS.map(|(method, path)| (method.to_owned(), path.to_owned()));
    assert_eq!(described, BTreeSet::from(endpoints));
    let source = include_str!("../../src/http/routes.rs");
    let routed: BTreeSet<_> = source
        .split(".route(\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
        .collect();
    assert_eq!(routed, ENDPOINTS.iter().map(|(_, path)| *path).collect());
}

#[tokio::test(flavor = "multi_thread")]
async fn every_code_is_described_with_the_problem_it_is() {
    let server = TestServer::start().await;
    let description = description(&server).await;
    let mut seen = BTreeSet::new();
    for (method, path, call) in calls(&description) {
        for (status, answer) in call["responses"].as_object().unwrap() {
            let examples = &answer["content"]["application/problem+json"]["examples"];
            for (code, example) in examples.as_object().into_iter().flatten() {
                let problem: app::wire::problem::Problem =
                    serde_json::from_value(example["value"].clone()).unwrap();
                assert_eq!(problem.code.as_str(), code, "{method} {path}");
                assert_eq!(problem.status.to_string(), *status, "{method} {path}");
                seen.insert(code.clone());
            }
        }
    }
    let introduction = description["info"]["description"].as_str().unwrap();
    for code in Code::ALL.map(Code::as_str) {
        // A method that is not there belongs to no call.
        assert!(seen.contains(code) || introduction.contains(code), "{code}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fails_fails_as_described() {
    let server = TestServer::start_with(&["--max-paste-bytes=100"], |_| {}).await;
    let used = fresh_key();
    server.save(&used, "used").await.created();
    let description = description(&server).await;
    for (method, path, lines, body, code) in failing(&used) {
        let route = path
            .split('?')
            .next()
            .unwrap()
            .replace("2w0123456789AB", "{id}");
        let call = call(&description, method.as_str(), &route);
        if call.is_null() {
            assert!(
                matches!(code, Code::NotFound | Code::MethodNotAllowed),
                "{method} {path}"
            );
            continue;
        }
        let request = lines.iter().fold(
            server.request(method, path).body(body),
            |request, (name, value)| request.header(*name, value),
        );
        let reply = send(request).await;
        let answer = &call["responses"][reply.status.to_string()];
        let example = &answer["content"]["application/problem+json"]["examples"][code.as_str()];
        assert!(example.is_object(), "{path} {code:?}");
        let (real, example) = (reply.problem(), &example["value"]);
        assert_eq!(real.title, example["title"], "{path}");
        assert_eq!(real.retryable, example["retryable"], "{path}");
        assert_headers_described(&reply, answer, path);
    }
}

/// Headers that are HTTP's own.
const PLUMBING: [&str; 4] = ["content-type", "content-length", "date", "connection"];

#[track_caller]
pub(crate) fn assert_headers_described(reply: &Reply, answer: &Value, what: &str) {
    let described: BTreeSet<_> = answer["headers"]
        .as_object()
        .unwrap_or_else(|| panic!("{what}: {} is not described", reply.status))
        .keys()
        .map(|name| name.to_lowercase())
        .collect();
    for name in reply.headers.keys() {
        let is_described = described.contains(name.as_str()) || PLUMBING.contains(&name.as_str());
        assert!(
            is_described,
            "{what}: {name} of {} is not described",
            reply.status
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_have_no_header_and_no_type_that_is_not_described() {
    let server = TestServer::start().await;
    let description = description(&server).await;
    let key = fresh_key();
    let paste = server.save(&key, "text").await.created();
    let etag = server
        .get(&format!("/{}/raw", paste.id))
        .await
        .header("etag")
        .to_owned();
    for (route, accept, line) in [
        ("/", "text/html", ("x", "")),
        ("/saved", "text/html", ("x", "")),
        ("/docs", "text/html", ("x", "")),
        ("/api/openapi.json", "*/*", ("x", "")),
        ("/{id}", "text/html", ("x", "")),
        ("/{id}", "*/*", ("x", "")),
        ("/{id}", "text/html", ("accept-encoding", "gzip")),
        ("/{id}", "text/html", ("if-none-match", "*")),
        ("/{id}/raw", "*/*", ("x", "")),
        ("/{id}/raw", "*/*", ("range", "bytes=0-1")),
        ("/{id}/raw", "*/*", ("range", "bytes=9-")),
        ("/{id}/raw", "*/*", ("if-none-match", &etag)),
        ("/{id}", "*/*", ("if-match", "\"x\"")),
        ("/{id}/download", "*/*", ("x", "")),
        ("/{id}/download", "*/*", ("range", "bytes=0-1")),
        ("/{id}/markdown", "*/*", ("accept-encoding", "gzip")),
        ("/{id}/markdown", "*/*", ("if-none-match", "*")),
        ("/{id}/qr.svg", "*/*", ("accept-encoding", "gzip")),
        ("/{id}/qr.svg", "*/*", ("if-none-match", "*")),
        ("/mine", "*/*", ("x", "")),
        ("/api/pastes/{id}", "*/*", ("x", "")),
        ("/api/pastes/{id}", "*/*", ("if-none-match", "*")),
        ("/livez", "*/*", ("x", "")),
        ("/readyz", "*/*", ("x", "")),
        ("/robots.txt", "*/*", ("x", "")),
        ("/pkg/nothing.js", "*/*", ("x", "")),
    ] {
        let path = route.replace("{id}", &paste.id);
        let reply = server.get_with(&path, &[("accept", accept), line]).await;
        let route = route.replace("nothing.js", "{file}");
        let answer = &call(&description, "GET", &route)["responses"][reply.status.to_string()];
        assert_headers_described(&reply, answer, &route);
        let media_type = reply.header("content-type").split(';').next().unwrap();
        let is_described = answer["content"][media_type].is_object();
        assert!(
            is_described || reply.body.is_empty(),
            "{route}: {media_type}"
        );
    }
    let plain = server
        .save_with(&key, "", &[("accept", "text/plain")], "text")
        .await;
    let answer = &call(&description, "POST", "/api/pastes")["responses"]["201"];
    assert_headers_described(&plain, answer, "a save in plain text");
    let deleted = server.delete(&paste.id, &paste.delete_token).await;
    let answer = &call(&description, "DELETE", "/api/pastes/{id}")["responses"]["204"];
    assert_headers_described(&deleted, answer, "a delete");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_limits_are_those_of_this_service_and_it_can_be_kept() {
    let flags = [
        "--max-paste-bytes=1234",
        "--max-expiry=90d",
        "--base-url=https://paste.example/below",
    ];
    let server = TestServer::start_with(&flags, |_| {}).await;
    let reply = server.get("/below/api/openapi.json").await;
    let text = reply.text();
    assert!(text.contains("1234 bytes") && text.contains("90 days"));
    let description: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        description["servers"][0]["url"],
        "https://paste.example/below"
    );
    let seconds =
        &description["components"]["schemas"]["Save"]["properties"]["expires_in"]["oneOf"][0];
    assert_eq!(seconds["maximum"], 90 * 86_400);
    for path in ["/below/api/openapi.json", "/below/docs"] {
        let reply = server.get(path).await;
        assert_eq!(reply.header("cache-control"), "public, max-age=300");
        assert_eq!(reply.header("x-request-id"), "");
        let known = [("if-none-match", reply.header("etag"))];
        assert_eq!(server.get_with(path, &known).await.status, 304);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn people_read_the_same_as_programs() {
    let server = TestServer::start().await;
    let description = description(&server).await;
    let page = server.get("/docs").await;
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    let html = page.text();
    for (method, path, call) in calls(&description) {
        assert!(
            html.contains(&format!("<code>{method} {path}</code>")),
            "{method} {path}"
        );
        let anchor = call["operationId"].as_str().unwrap();
        assert!(
            html.contains(&format!("href=\"#{anchor}\""))
                && html.contains(&format!("id=\"{anchor}\""))
        );
    }
    for code in Code::ALL.map(Code::as_str) {
        assert!(html.contains(&format!("<code>{code}</code>")), "{code}");
    }
    for header in description["components"]["headers"]
        .as_object()
        .unwrap()
        .keys()
    {
        assert!(html.contains(&format!("<code>{header}</code>")), "{header}");
    }
    assert!(!html.contains("<script"), "it works without");
    assert!(html.contains("href=\"/api/openapi.json\""));
    let form = server
        .get_with("/", &[("accept", "text/html")])
        .await
        .text();
    assert!(form.contains("href=\"/docs\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_guesses_is_refused_as_described() {
    let server = TestServer::start_with(&["--miss-rate=3"], |_| {}).await;
    let description = description(&server).await;
    let token = "once_abcdefghijklmnopqrstuvwxyz";
    server.get("/2w0123456789AB").await;
    for (method, route) in [
        ("GET", "/{id}"),
        ("GET", "/{id}/raw"),
        ("GET", "/{id}/download"),
        ("GET", "/api/pastes/{id}"),
        ("DELETE", "/api/pastes/{id}"),
    ] {
        let path = route.replace("{id}", "2w0123456789AB");
        let request = server.request(method.parse().unwrap(), &path);
        let reply = send(request.bearer_auth(token)).await;
        assert_eq!(reply.status, 429, "{method} {route}");
        let answer = &call(&description, method, route)["responses"]["429"];
        assert_headers_described(&reply, answer, route);
    }
}

/// The page in docs/ has less to say, but all codes.
#[test]
fn the_page_beside_has_every_code_with_its_status() {
    let page = include_str!("../../../docs/api.md");
    for code in Code::ALL {
        let row = format!("| {} | ", code.status());
        let line = page
            .lines()
            .find(|line| line.starts_with(&row))
            .expect(&row);
        assert!(line.contains(&format!("`{}`", code.as_str())), "{line}");
        let retryable = if code.retryable() {
            "| yes |"
        } else {
            "| no |"
        };
        assert!(line.ends_with(retryable), "{line}");
    }
}
