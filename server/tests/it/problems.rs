//! Errors: every code with its status, in each of its renderings, with what the client needs to go on.

use crate::harness::{Host, Reply, TestServer, fresh_key, send};
use app::wire::problem::Code;
use reqwest::Method;

/// A failed request: method, path, header lines, body, and the code it has to get.
pub(crate) type Failing = (
    Method,
    &'static str,
    Vec<(&'static str, String)>,
    &'static str,
    Code,
);

/// Requests that fail on any server with a limit of 100 bytes on which `used` was used.
pub(crate) fn failing(used: &str) -> Vec<Failing> {
    let key = |key: &str| ("idempotency-key", key.to_owned());
    let post = |lines: Vec<(&'static str, String)>, body, code| {
        (Method::POST, "/api/pastes", lines, body, code)
    };
    let fresh = || vec![key(&fresh_key())];
    let typed = |kind: &str| vec![key(&fresh_key()), ("content-type", kind.to_owned())];
    vec![
        post(vec![], "a", Code::IdempotencyKeyMissing),
        post(vec![key("1")], "a", Code::IdempotencyKeyInvalid),
        post(typed("application/json"), "a", Code::MalformedBody),
        (
            Method::POST,
            "/api/pastes?x=y",
            fresh(),
            "a",
            Code::MalformedQuery,
        ),
        (
            Method::DELETE,
            "/api/pastes/2w0123456789AB",
            vec![],
            "",
            Code::DeleteTokenMissing,
        ),
        (
            Method::GET,
            "/api/pastes/2w0123456789AB",
            vec![],
            "",
            Code::NotFound,
        ),
        (Method::GET, "/api/nothing", vec![], "", Code::NotFound),
        (
            Method::PUT,
            "/api/pastes",
            vec![],
            "",
            Code::MethodNotAllowed,
        ),
        post(vec![key(used)], "other", Code::IdempotencyKeyReused),
        post(fresh(), &"x".repeat(101).leak()[..], Code::PasteTooLarge),
        post(
            typed("multipart/form-data"),
            "a",
            Code::UnsupportedMediaType,
        ),
        post(fresh(), "", Code::InvalidContent),
        (
            Method::POST,
            "/api/pastes?title=%0a",
            fresh(),
            "a",
            Code::InvalidTitle,
        ),
        (
            Method::POST,
            "/api/pastes?syntax=klingon",
            fresh(),
            "a",
            Code::InvalidSyntax,
        ),
        (
            Method::POST,
            "/api/pastes?expires_in=1",
            fresh(),
            "a",
            Code::InvalidExpiry,
        ),
    ]
}

async fn ask(server: &Host, (method, path, lines, body, _): &Failing, accept: &str) -> Reply {
    let request = server
        .request(method.clone(), path)
        .header("accept", accept)
        .body(*body);
    send(lines.iter().fold(request, |request, (name, value)| {
        request.header(*name, value)
    }))
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn under_api_a_problem_answers_any_accept_but_text_plain() {
    let server = TestServer::start_with(&["--max-paste-bytes=100"], |_| {}).await;
    let used = fresh_key();
    server.save(&used, "used").await.created();
    for failing in failing(&used) {
        let code = failing.4;
        for accept in [
            "*/*",
            "",
            "application/json",
            "application/problem+json",
            "text/html,*/*;q=0.8",
            "image/png",
            "text/plain;q=0.5, application/json",
            "x;q=y,,",
        ] {
            let reply = ask(&server, &failing, accept).await;
            let problem = reply.problem();
            assert_eq!(problem.code, code, "{accept}: {problem:?}");
            assert_eq!(
                problem.kind,
                format!("urn:oncebin:problem:{}", code.as_str())
            );
            assert_eq!(problem.title, code.title());
            assert!(!problem.detail.is_empty());
            assert_eq!(reply.header("cache-control"), "no-store");
            assert_eq!(reply.header("vary"), "accept");
        }
        let plain = ask(&server, &failing, "text/plain").await;
        assert_eq!(plain.status, code.status());
        assert_eq!(plain.header("content-type"), "text/plain; charset=utf-8");
        let detail = ask(&server, &failing, "").await.problem().detail;
        assert_eq!(
            plain.text(),
            format!("{}: {detail}\n", code.as_str()),
            "one line"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn elsewhere_html_gets_a_page_and_everything_else_the_line() {
    let server = TestServer::start().await;
    for (method, path, status, code) in [
        (Method::GET, "/2w0123456789AB", 404, "not_found"),
        (Method::GET, "/2w0123456789AB/raw", 404, "not_found"),
        (Method::GET, "/nothing/at/all", 404, "not_found"),
        (Method::DELETE, "/", 405, "method_not_allowed"),
        (Method::PUT, "/2w0123456789AB", 405, "method_not_allowed"),
        (
            Method::GET,
            "/2w0123456789AB/delete",
            405,
            "method_not_allowed",
        ),
        (
            Method::POST,
            "/2w0123456789AB/delete",
            415,
            "unsupported_media_type",
        ),
        (Method::POST, "/", 415, "unsupported_media_type"),
    ] {
        for accept in ["*/*", "", "application/json", "text/plain", "image/png"] {
            let reply = server
                .ask(method.clone(), path, &[("accept", accept)])
                .await;
            assert_eq!(reply.status, status, "{path}");
            assert_eq!(
                reply.header("content-type"),
                "text/plain; charset=utf-8",
                "{path} {accept}"
            );
            assert!(reply.text().starts_with(&format!("{code}: ")));
            assert_eq!(reply.text().matches('\n').count(), 1);
        }
        let page = server
            .ask(
                method,
                path,
                &[("accept", "text/html,application/xhtml+xml,*/*;q=0.8")],
            )
            .await;
        assert_eq!(page.status, status, "{path}");
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(page.header("cache-control"), "no-store");
        assert!(page.text().starts_with("<!DOCTYPE html>") && page.text().contains(code));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_405_names_the_methods_there_are() {
    let server = TestServer::start().await;
    for (path, allow) in [
        ("/", "GET,HEAD,POST"),
        ("/saved", "GET,HEAD"),
        ("/docs", "GET,HEAD"),
        ("/api/openapi.json", "GET,HEAD"),
        ("/api/pastes", "POST"),
        ("/api/pastes/2w0123456789AB", "DELETE,GET,HEAD"),
        ("/2w0123456789AB", "GET,HEAD"),
        ("/2w0123456789AB/raw", "GET,HEAD"),
        ("/2w0123456789AB/download", "GET,HEAD"),
        ("/2w0123456789AB/delete", "POST"),
        ("/pkg/main.css", "GET,HEAD"),
        ("/robots.txt", "GET,HEAD"),
        ("/livez", "GET,HEAD"),
        ("/readyz", "GET,HEAD"),
    ] {
        for method in [Method::PATCH, Method::PUT, Method::OPTIONS, Method::TRACE] {
            let origin = ("origin", "https://evil.example");
            let reply = server.ask(method.clone(), path, &[origin]).await;
            assert_eq!(reply.status, 405, "{method} {path}");
            let mut methods: Vec<_> = reply.header("allow").split(',').map(str::trim).collect();
            methods.sort_unstable();
            assert_eq!(methods.join(","), allow, "{path}");
            let granted = reply
                .headers
                .keys()
                .any(|name| name.as_str().starts_with("access-control"));
            assert!(!granted, "no script of another origin is granted anything");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_401_says_how_to_authenticate() {
    let server = TestServer::start().await;
    let reply = server
        .ask(Method::DELETE, "/api/pastes/2w0123456789AB", &[])
        .await;
    assert_eq!(
        (reply.status, reply.header("www-authenticate")),
        (401, "Bearer")
    );
}
