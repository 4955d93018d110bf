//! A form that is not saved: nothing that was typed is lost, and nothing is saved otherwise than it was typed.

use crate::harness::{ShownForm, TestServer, fresh_key, send};
use reqwest::Method;

#[tokio::test(flavor = "multi_thread")]
async fn every_refusal_gives_the_form_back_with_everything_in_it() {
    let server = TestServer::start_with(&["--max-paste-bytes=1000"], |_| {}).await;
    let long = "x".repeat(1001);
    let long_title = "é".repeat(201);
    for (content, title, syntax, expires_in, status, code) in [
        ("", "t", "rust", "1h", 422, "at least 1 byte"),
        (&*long, "t", "rust", "1h", 413, "at most 1000 bytes"),
        (
            "text <kept>",
            &*long_title,
            "rust",
            "1h",
            422,
            "at most 200 characters",
        ),
        ("text <kept>", "a\nb", "rust", "1h", 422, "one line"),
        ("text <kept>", "t", "<klingon>", "1h", 422, "Name a syntax"),
        (
            "text <kept>",
            "t",
            "rust",
            "10",
            422,
            "lives from 1 minute to 365 days",
        ),
        ("text <kept>", "t", "rust", "\"soon\"", 422, "whole seconds"),
    ] {
        let key = fresh_key();
        let fields = [
            ("idempotency_key", &*key),
            ("content", content),
            ("title", title),
            ("syntax", syntax),
            ("expires_in", expires_in),
        ];
        for page in [
            server.post_multipart(&fields).await,
            server.post_form("/", &fields).await,
        ] {
            assert_eq!(page.status, status, "{code}");
            assert!(page.text().contains(code), "{code}: {}", page.text());
            let shown = ShownForm::of(&page);
            assert_eq!(shown.key, key, "nothing was saved: the key is still good");
            assert_eq!((&*shown.content, &*shown.title), (content, title));
            assert_eq!((&*shown.syntax, &*shown.expires_in), (syntax, expires_in));
        }
    }
}

/// More text than a shard's saves may hold of the memory for bodies: it is too large, however often it is sent.
#[tokio::test(flavor = "multi_thread")]
async fn a_text_too_large_for_the_memory_of_one_shard_is_refused_for_its_size() {
    let server = TestServer::start().await;
    let (key, text) = (fresh_key(), "x".repeat(33 << 20));
    let fields = [("idempotency_key", &*key), ("content", &*text)];
    let page = server.post_form("/", &fields).await;
    assert_eq!(page.status, 413);
    assert_eq!(page.header("retry-after"), "");
    let shown = ShownForm::of(&page);
    assert!(shown.key == key && shown.content == text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_without_a_good_key_comes_back_with_one() {
    let server = TestServer::start().await;
    for key in ["", "nonsense", "00000000-0000-0000-0000-000000000000"] {
        let fields = [("idempotency_key", key), ("content", "kept")];
        let page = server.post_form("/", &fields).await;
        assert_eq!(page.status, 400);
        let shown = ShownForm::of(&page);
        assert_eq!(shown.content, "kept");
        let saved = server
            .post_form(
                "/",
                &[("idempotency_key", &*shown.key), ("content", "kept")],
            )
            .await;
        assert_eq!(saved.status, 201);
    }
}

/// Which of the two is meant, nobody knows: neither is taken in silence.
#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_is_there_twice_is_refused_and_the_form_comes_back() {
    let server = TestServer::start().await;
    for (name, words) in [
        ("idempotency_key", "holds exactly one UUID"),
        ("content", "The field content is there twice."),
        ("title", "The field title is there twice."),
        ("syntax", "The field syntax is there twice."),
        ("expires_in", "The field expires_in is there twice."),
    ] {
        let (key, other) = (fresh_key(), fresh_key());
        let fields = [
            ("idempotency_key", &*key),
            ("content", "kept"),
            ("title", "t"),
            ("syntax", "rust"),
            ("expires_in", "1h"),
            (name, &*other),
        ];
        for page in [
            server.post_multipart(&fields).await,
            server.post_form("/", &fields).await,
        ] {
            assert_eq!(page.status, 400, "{name}");
            assert!(page.text().contains(words), "{name}: {}", page.text());
            let shown = ShownForm::of(&page);
            assert_eq!((&*shown.content, &*shown.title), ("kept", "t"));
            assert_eq!(shown.key == key, name != "idempotency_key", "{name}");
            assert_ne!(shown.key, other);
        }
        for key in [&key, &other] {
            let saved = server.save(key, "neither was used").await;
            assert_eq!(saved.header("idempotent-replayed"), "", "{name}");
            saved.created();
        }
    }
}

/// The limit counts the decoded text, though every byte of it may be three of an encoding.
#[tokio::test(flavor = "multi_thread")]
async fn the_limit_counts_the_decoded_text() {
    let server = TestServer::start_with(&["--max-paste-bytes=90KiB"], |_| {}).await;
    let full = "\0".repeat(90 * 1024);
    let page = server
        .post_form(
            "/",
            &[("idempotency_key", &*fresh_key()), ("content", &full)],
        )
        .await;
    assert_eq!(server.raw(&page.saved_id()).await, full);
    let lines = "a\r\n".repeat(45 * 1024);
    let page = server
        .post_multipart(&[("idempotency_key", &fresh_key()), ("content", &lines)])
        .await;
    assert_eq!(page.status, 201, "line ends count once");
    let huge = "x".repeat(1024 * 1024);
    let page = server
        .post_multipart(&[("idempotency_key", &fresh_key()), ("content", &huge)])
        .await;
    assert_eq!(page.status, 413);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_cannot_be_read_is_refused_and_saves_nothing() {
    let server = TestServer::start().await;
    let key = fresh_key();
    let urlencoded = "application/x-www-form-urlencoded";
    let multipart = |value: &[u8]| {
        let part =
            |name: &str| format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
        [
            part("idempotency_key").as_bytes(),
            key.as_bytes(),
            b"\r\n",
            part("content").as_bytes(),
            value,
        ]
        .concat()
    };
    for (kind, body, status) in [
        (
            urlencoded,
            format!("idempotency_key={key}&content=%ff").into_bytes(),
            422,
        ),
        (
            urlencoded,
            [
                format!("idempotency_key={key}&content=").as_bytes(),
                b"\xc3",
            ]
            .concat(),
            422,
        ),
        (
            "multipart/form-data; boundary=x",
            multipart(b"\xff\r\n--x--\r\n"),
            422,
        ),
        (
            "multipart/form-data; boundary=x",
            multipart(b"cut off"),
            400,
        ),
        (
            "multipart/form-data; boundary=y",
            multipart(b"text\r\n--x--\r\n"),
            400,
        ),
        ("multipart/form-data", multipart(b"text\r\n--x--\r\n"), 400),
        ("text/plain", b"content=x".to_vec(), 415),
        ("application/json", b"{\"content\":\"x\"}".to_vec(), 415),
        ("", b"content=x".to_vec(), 415),
    ] {
        let request = server
            .request(Method::POST, "/")
            .header("content-type", kind)
            .body(body);
        assert_eq!(send(request).await.status, status, "{kind}");
    }
    let saved = server.save(&key, "at last").await;
    assert_eq!(
        (saved.status, saved.header("idempotent-replayed")),
        (201, "")
    );
}
