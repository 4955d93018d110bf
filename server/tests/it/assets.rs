//! The files browsers load.

use crate::harness::TestServer;
use oncebin::assets::{Asset, client, find, style, view};

/// Every file, with its path.
fn files() -> impl Iterator<Item = (String, &'static Asset)> {
    let client = client().into_iter().flatten();
    let names = client.chain([style(), view()]);
    names.map(|name| (format!("/pkg/{name}"), find(name).unwrap()))
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_link_to_files_that_are_there_and_never_change() {
    let server = TestServer::start().await;
    let id = server.save_new("x").await.created().id;
    let html = [("accept", "text/html")];
    let paste = server.get_with(&format!("/{id}"), &html).await;
    let page = server.get("/").await.text() + &paste.text();
    for (path, asset) in files() {
        assert!(page.contains(&format!("\"{path}\"")), "{path}");
        let reply = server.get(&path).await;
        assert_eq!((reply.status, &*reply.body), (200, asset.plain), "{path}");
        assert_eq!(reply.header("content-type"), asset.content_type);
        assert_eq!(
            reply.header("cache-control"),
            "public, max-age=31536000, immutable"
        );
        assert_eq!(
            (reply.header("vary"), reply.header("content-encoding")),
            ("accept-encoding", "")
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_takes_brotli_or_gzip_gets_the_file_compressed_beforehand() {
    let server = TestServer::start().await;
    for (path, asset) in files() {
        let plain = ("", Some(asset.plain));
        let (brotli, gzip) = (("br", asset.brotli), ("gzip", asset.gzip));
        for (accepted, offers) in [
            ("br", [brotli, plain]),
            ("gzip, deflate, br, zstd", [brotli, gzip]),
            ("GZIP", [gzip, plain]),
            ("gzip;q=0.5, br;q=0", [gzip, plain]),
            ("br;q=0.000, gzip;q=0", [plain, plain]),
            ("br; q=0", [plain, plain]),
            ("identity", [plain, plain]),
            ("", [plain, plain]),
            ("brx, xgzip", [plain, plain]),
        ] {
            let reply = server
                .get_with(&path, &[("accept-encoding", accepted)])
                .await;
            let there = offers
                .into_iter()
                .chain([plain])
                .find_map(|(name, bytes)| Some((name, bytes?)));
            let (name, bytes) = there.unwrap();
            assert_eq!(reply.header("content-encoding"), name, "{path} {accepted}");
            assert!(*reply.body == *bytes, "{path} {accepted}");
            assert_eq!(reply.header("vary"), "accept-encoding");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_file_is_the_one_404() {
    let server = TestServer::start().await;
    let html = [("accept", "text/html")];
    let (page, line) = (
        server.get_with("/nothing", &html).await,
        server.get("/nothing").await,
    );
    let style = format!("/pkg/{}", style());
    let cut = &style[..style.len() - 1];
    for path in [
        "/pkg/main.css",
        "/pkg/app.wasm.map",
        "/pkg/manifest",
        &format!("{style}.br"),
        cut,
        "/pkg/%6dain.css",
    ] {
        for (lines, expected) in [(&html[..], &page), (&[], &line)] {
            let reply = server.get_with(path, lines).await;
            assert_eq!(
                (reply.status, reply.header("cache-control")),
                (404, "no-store"),
                "{path}"
            );
            assert_eq!(
                (reply.lines(), reply.text()),
                (expected.lines(), expected.text()),
                "{path}"
            );
        }
    }
}
