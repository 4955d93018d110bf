//! The text itself: exact bytes, conditional requests, one range, a download's name.

use crate::harness::{Reply, TestServer, fresh_key};
use reqwest::Method;
use serde_json::json;

const TEXT: &str = "0123456789";

async fn paste(server: &TestServer) -> String {
    server.save_new(TEXT).await.created().id
}

#[tokio::test(flavor = "multi_thread")]
async fn raw_is_text_in_a_sandbox() {
    let server = TestServer::start().await;
    let html = "<html><script>alert(1)</script>";
    let created = server
        .save_with(&fresh_key(), "?syntax=html", &[], html)
        .await
        .created();
    for (path, accept) in [
        ("/raw", "text/html"),
        ("/raw", "*/*"),
        ("", "*/*"),
        ("", "text/plain"),
        ("", "application/json"),
    ] {
        let lines = [
            ("accept", accept),
            ("accept-encoding", "br, gzip, deflate, zstd"),
        ];
        let reply = server
            .get_with(&format!("/{}{path}", created.id), &lines)
            .await;
        assert_eq!(
            (reply.status, &*reply.text()),
            (200, html),
            "{path} {accept}"
        );
        for (name, value) in [
            ("content-type", "text/plain; charset=utf-8"),
            ("x-content-type-options", "nosniff"),
            (
                "content-security-policy",
                "default-src 'none'; sandbox; frame-ancestors 'none'",
            ),
            ("cross-origin-resource-policy", "same-origin"),
            ("x-robots-tag", "noindex"),
            ("content-length", &html.len().to_string()),
            ("content-encoding", ""),
            ("content-disposition", ""),
            ("accept-ranges", "bytes"),
            ("etag", &format!("\"{}\"", created.sha256)),
        ] {
            assert_eq!(reply.header(name), value, "{path} {accept} {name}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_the_text_gets_304() {
    let server = TestServer::start().await;
    let id = paste(&server).await;
    let etag = server
        .get(&format!("/{id}/raw"))
        .await
        .header("etag")
        .to_owned();
    let (weak, listed) = (format!("W/{etag}"), format!("\"x\", {etag}, \"y\""));
    for path in ["", "/raw", "/download"] {
        for (condition, status) in [
            (&*etag, 304),
            (&weak, 304),
            (&listed, 304),
            ("*", 304),
            ("\"other\"", 200),
            ("nonsense", 200),
            ("", 200),
        ] {
            for method in [Method::GET, Method::HEAD] {
                let lines = [("if-none-match", condition), ("range", "bytes=0-1")];
                let lines = if status == 304 {
                    &lines[..]
                } else {
                    &lines[..1]
                };
                let reply = server.ask(method, &format!("/{id}{path}"), lines).await;
                assert_eq!(reply.status, status, "{path} {condition}");
                assert_eq!(reply.header("etag"), etag);
                assert!(status != 304 || reply.body.is_empty());
            }
        }
    }
}

/// Nothing has a date of modification, so a condition on one is none.
#[tokio::test(flavor = "multi_thread")]
async fn who_wants_another_text_gets_412() {
    let server = TestServer::start().await;
    let id = paste(&server).await;
    let raw = format!("/{id}/raw");
    let etag = server.get(&raw).await.header("etag").to_owned();
    let (weak, listed) = (format!("W/{etag}"), format!("\"x\", {etag}"));
    for (line, status) in [
        (("if-match", &*etag), 200),
        (("if-match", &listed), 200),
        (("if-match", "*"), 200),
        (("if-match", &weak), 412),
        (("if-match", "\"other\""), 412),
        (
            ("if-unmodified-since", "Thu, 01 Jan 1970 00:00:00 GMT"),
            200,
        ),
    ] {
        for path in ["", "/raw", "/download"] {
            for method in [Method::GET, Method::HEAD] {
                let path = format!("/{id}{path}");
                let reply = server.ask(method, &path, &[line]).await;
                assert_eq!(reply.status, status, "{path} {line:?}");
                assert!(status != 412 || reply.body.is_empty());
            }
        }
    }
    let both = [("if-match", "\"other\""), ("if-none-match", &*etag)];
    assert_eq!(server.get_with(&raw, &both).await.status, 412);
    let html = [("if-match", "\"other\""), ("accept", "text/html")];
    for path in ["", "/markdown", "/qr.svg"] {
        let reply = server.get_with(&format!("/{id}{path}"), &html).await;
        assert_eq!(reply.status, 412, "{path}");
    }
    for path in [&*format!("/api/pastes/{id}"), "/docs", "/api/openapi.json"] {
        assert_eq!(server.get_with(path, &html).await.status, 412, "{path}");
    }
    let missing = server.get_with("/2w0123456789AB", &html).await;
    assert_eq!(missing.status, 404, "a condition is about what is there");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_range_is_a_part_and_anything_else_the_whole() {
    let server = TestServer::start().await;
    let path = format!("/{}/raw", paste(&server).await);
    let get = async |range: &str| server.get_with(&path, &[("range", range)]).await;
    for (range, part, said) in [
        ("bytes=0-0", "0", "bytes 0-0/10"),
        ("bytes=2-4", "234", "bytes 2-4/10"),
        ("bytes=8-", "89", "bytes 8-9/10"),
        ("bytes=8-99", "89", "bytes 8-9/10"),
        ("bytes=-3", "789", "bytes 7-9/10"),
    ] {
        let reply = get(range).await;
        assert_eq!((reply.status, &*reply.text()), (206, part), "{range}");
        assert_eq!(reply.header("content-range"), said);
        assert_eq!(reply.header("content-length"), part.len().to_string());
    }
    for range in [
        "bytes=0-1,3-4",
        "bytes=0-0,0-0,0-0",
        "lines=0-1",
        "bytes=4-2",
        "bytes=a-b",
        "bytes=--1",
        "bytes",
        "bytes=-",
        "",
    ] {
        let reply = get(range).await;
        assert_eq!(
            (reply.status, &*reply.text(), reply.header("content-range")),
            (200, TEXT, ""),
            "{range}"
        );
    }
    let thousand = format!("bytes={}", vec!["0-9"; 1000].join(","));
    assert_eq!(get(&thousand).await.text(), TEXT);
    for range in ["bytes=10-", "bytes=99-100", "bytes=-0"] {
        let reply = get(range).await;
        assert_eq!(
            (reply.status, &*reply.text(), reply.header("content-range")),
            (416, "", "bytes */10"),
            "{range}"
        );
    }
    let head = server
        .ask(Method::HEAD, &path, &[("range", "bytes=2-4")])
        .await;
    assert_eq!(
        (head.status, head.header("content-length")),
        (200, "10"),
        "ranges are for GET"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_range_holds_only_for_the_text_it_was_made_for() {
    let server = TestServer::start().await;
    let path = format!("/{}/raw", paste(&server).await);
    let etag = server.get(&path).await.header("etag").to_owned();
    for (condition, status) in [
        (&*etag, 206),
        (&*format!("W/{etag}"), 200),
        ("\"other\"", 200),
        ("Mon, 30 Nov 2026 12:00:00 GMT", 200),
    ] {
        let lines = [("range", "bytes=2-4"), ("if-range", condition)];
        let reply = server.get_with(&path, &lines).await;
        assert_eq!(reply.status, status, "{condition}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_range_of_a_text_of_several_pieces_is_exact() {
    let server = TestServer::start().await;
    let text: Vec<u8> = (0..1_500_000_u32)
        .map(|n| b'a' + u8::try_from(n % 23).unwrap())
        .collect();
    let path = format!("/{}/raw", server.save_new(text.clone()).await.created().id);
    for (from, to) in [
        (0, 1_499_998),
        (524_287, 524_288),
        (524_288, 1_048_576),
        (1_048_575, 1_499_999),
        (1_499_999, 1_499_999),
    ] {
        let reply = server
            .get_with(&path, &[("range", &*format!("bytes={from}-{to}"))])
            .await;
        assert_eq!(reply.status, 206);
        assert!(reply.body == text[from..=to], "{from}-{to}");
    }
}

async fn download(server: &TestServer, title: Option<&str>) -> Reply {
    let json = json!({"content": TEXT, "title": title});
    let id = server.save_json(&fresh_key(), &json).await.created().id;
    let reply = server.get(&format!("/{id}/download")).await;
    assert_eq!((reply.status, &*reply.text()), (200, TEXT));
    let plain = format!("attachment; filename=\"{id}.txt\"");
    let disposition = reply.header("content-disposition");
    assert!(
        disposition == plain || disposition.starts_with(&format!("{plain}; filename*=UTF-8''")),
        "{disposition}"
    );
    reply
}

#[tokio::test(flavor = "multi_thread")]
async fn a_download_is_named_by_its_title_and_leaves_no_folder() {
    let server = TestServer::start().await;
    for (title, name) in [
        ("main.rs", "main.rs"),
        ("notes", "notes.txt"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("..\\..\\x.exe", "_.._x.exe"),
        ("C:\\x", "C__x.txt"),
        (".bashrc", "bashrc.txt"),
        ("a\"; filename=evil.exe", "a%22%3B%20filename%3Devil.exe"),
        ("a'b%0d%0a", "a%27b%250d%250a.txt"),
        ("żółw \u{1f422}", "%C5%BC%C3%B3%C5%82w%20%F0%9F%90%A2.txt"),
    ] {
        let reply = download(&server, Some(title)).await;
        let disposition = reply.header("content-disposition");
        assert!(
            disposition.ends_with(&format!("filename*=UTF-8''{name}")),
            "{title}: {disposition}"
        );
    }
    assert!(
        !download(&server, None)
            .await
            .header("content-disposition")
            .contains("filename*")
    );
    for title in ["/", "\u{202e}gnp.exe"] {
        download(&server, Some(title)).await;
    }
    for title in ["...", " ", " . .", "\u{3000}", "\u{202e}"] {
        let reply = download(&server, Some(title)).await;
        let disposition = reply.header("content-disposition");
        assert!(!disposition.contains("filename*"), "{title}: {disposition}");
    }
}
