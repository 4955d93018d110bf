//! Deleting, by token in a header and by form.

use crate::harness::{Reply, TestServer, fresh_key, send};
use reqwest::Method;
use std::time::Duration;

const OTHER: &str = "once_abcdefghijklmnopqrstuvwxyz";

async fn delete_with(server: &TestServer, id: &str, authorization: &str) -> Reply {
    let path = format!("/api/pastes/{id}");
    server
        .ask(Method::DELETE, &path, &[("authorization", authorization)])
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_token_deletes_once() {
    let server = TestServer::start().await;
    let created = server.save_new("text").await.created();
    let reply = server.delete(&created.id, &created.delete_token).await;
    assert_eq!((reply.status, reply.body.len()), (204, 0));
    assert_eq!(reply.header("cache-control"), "no-store");
    for path in ["", "/raw", "/download"] {
        assert_eq!(
            server.get(&format!("/{}{path}", created.id)).await.status,
            404
        );
    }
    assert_eq!(
        server
            .get(&format!("/api/pastes/{}", created.id))
            .await
            .status,
        404
    );
    assert_eq!(
        server
            .delete(&created.id, &created.delete_token)
            .await
            .status,
        404
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_scheme_has_any_case_and_blanks_around_the_token_do_not_count() {
    let server = TestServer::start().await;
    for scheme in ["Bearer ", "bearer ", "BEARER   "] {
        let created = server.save_new("text").await.created();
        let authorization = format!("{scheme}{}", created.delete_token);
        assert_eq!(
            delete_with(&server, &created.id, &authorization)
                .await
                .status,
            204
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_missing_expired_and_deleted_are_one_404() {
    let server = TestServer::start().await;
    let living = server.save_new("living").await.created();
    let deleted = server.save_new("deleted").await.created();
    server.delete(&deleted.id, &deleted.delete_token).await;
    let expired = server
        .save_with(&fresh_key(), "?expires_in=60", &[], "expired")
        .await
        .created();
    server.advance(Duration::from_secs(61)).await;
    let mut replies = Vec::new();
    for (id, token) in [
        (&*living.id, OTHER),
        (&living.id, &deleted.delete_token),
        (&deleted.id, &deleted.delete_token),
        (&expired.id, &expired.delete_token),
        ("2w0123456789AB", OTHER),
        ("zz0123456789AB", OTHER),
        ("nonsense", OTHER),
    ] {
        let reply = server.delete(id, token).await;
        assert_eq!(reply.status, 404, "{id}");
        replies.push((reply.lines(), reply.body));
    }
    let read = server.get("/api/pastes/2w0123456789AB").await;
    replies.push((read.lines(), read.body));
    assert!(replies.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(
        server.get(&format!("/{}/raw", living.id)).await.text(),
        "living"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_a_token_is_401_whatever_the_id() {
    let server = TestServer::start().await;
    let created = server.save_new("text").await.created();
    let token = &created.delete_token;
    let sha256_of_nothing =
        "Bearer e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let mut replies = Vec::new();
    for id in [&*created.id, "2w0123456789AB", "nonsense"] {
        for authorization in [
            "",
            "Bearer",
            "Bearer ",
            token,
            &format!("Basic {token}"),
            &format!("Bearer{token}"),
            &format!("Bearer {token}0"),
            &format!("Bearer {}", token.to_uppercase()),
            &format!("Bearer \"{token}\""),
            &format!("Bearer {token} {token}"),
            &format!("Bearer {}", &token[5..]),
            "Bearer once_",
            sha256_of_nothing,
            &format!("Bearer {}", "x".repeat(10_000)),
        ] {
            let reply = delete_with(&server, id, authorization).await;
            assert_eq!(
                (reply.status, reply.header("www-authenticate")),
                (401, "Bearer"),
                "{authorization:.60}"
            );
            assert_eq!(reply.code(), "delete_token_missing");
            replies.push(reply.body);
        }
        let path = format!("/api/pastes/{id}?delete_token={token}&token={token}");
        replies.push(server.ask(Method::DELETE, &path, &[]).await.body);
    }
    assert!(replies.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(
        server.get(&format!("/{}/raw", created.id)).await.text(),
        "text",
        "tokens in a query are ignored"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_form_is_told_which_form_deletes() {
    let server = TestServer::start().await;
    let created = server.save_new("text").await.created();
    let request = server.request(Method::POST, &format!("/{}/delete", created.id));
    let request = request.header("content-type", "text/plain");
    let reply = send(request.body(created.delete_token)).await;
    assert_eq!(reply.status, 415);
    let text = reply.text();
    let instead = format!("DELETE {}", server.url("/api/pastes/ID"));
    assert!(
        text.contains("delete_token") && text.contains(&instead),
        "{text}"
    );
    assert!(!text.contains("Idempotency-Key"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_with_two_tokens_deletes_nothing() {
    let server = TestServer::start().await;
    let created = server.save_new("text").await.created();
    let path = format!("/{}/delete", created.id);
    for tokens in [
        [&*created.delete_token, OTHER],
        [OTHER, &created.delete_token],
    ] {
        let fields = tokens.map(|token| ("delete_token", token));
        let page = server.post_form(&path, &fields).await;
        assert_eq!(page.status, 400);
        let text = page.text();
        assert!(
            text.contains("The field delete_token is there twice."),
            "{text}"
        );
        assert!(tokens.iter().all(|token| !text.contains(token)), "{text}");
    }
    assert_eq!(
        server.get(&format!("/{}/raw", created.id)).await.status,
        200
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_larger_than_any_that_deletes_is_told_so_and_deletes_nothing() {
    let server = TestServer::start().await;
    let created = server.save_new("text").await.created();
    let path = format!("/{}/delete", created.id);
    let more = "x".repeat(16 << 10);
    let fields = [("delete_token", &*created.delete_token), ("more", &more)];
    let page = server.post_form(&path, &fields).await;
    assert_eq!(page.status, 400);
    let text = page.text();
    assert!(
        text.contains("A form that deletes has at most 16 KiB"),
        "{text}"
    );
    assert!(!text.contains(&created.delete_token), "{text}");
    let raw = server.get(&format!("/{}/raw", created.id)).await;
    assert_eq!(raw.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_is_no_text_is_told_so_without_a_word_of_pastes() {
    let server = TestServer::start().await;
    let created = server.save_new("text").await.created();
    let request = server.request(Method::POST, &format!("/{}/delete", created.id));
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    let page = send(request.body("delete_token=%FF")).await;
    assert_eq!(page.status, 400);
    assert!(page.text().contains("A form is UTF-8 text."));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_deleted_by_reading() {
    let server = TestServer::start().await;
    let created = server.save_new("text").await.created();
    let (id, token) = (&created.id, &created.delete_token);
    let bearer = format!("Bearer {token}");
    for path in [
        format!("/{id}/delete?delete_token={token}"),
        format!("/{id}?delete_token={token}"),
        format!("/api/pastes/{id}"),
    ] {
        for method in [Method::GET, Method::HEAD, Method::OPTIONS, Method::PUT] {
            server
                .ask(method, &path, &[("authorization", &bearer)])
                .await;
        }
    }
    assert_eq!(server.get(&format!("/{id}/raw")).await.text(), "text");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_form_deletes_and_says_so() {
    let server = TestServer::start().await;
    let created = server.save_new("text").await.created();
    let path = format!("/{}/delete", created.id);
    let query = format!("{path}?delete_token={}", created.delete_token);
    let mut refused = Vec::new();
    for (path, fields) in [
        (&path, &[("delete_token", OTHER)][..]),
        (&path, &[("delete_token", "")]),
        (&path, &[("delete_token", "nonsense")]),
        (&path, &[("token", &created.delete_token)]),
        (&path, &[]),
        (&query, &[]),
    ] {
        let page = server.post_form(path, fields).await;
        assert_eq!(
            (page.status, page.header("content-type")),
            (404, "text/html; charset=utf-8")
        );
        refused.push(page.body);
    }
    let blanks = format!(" {}\r\n", created.delete_token);
    let page = server.post_form(&path, &[("delete_token", &blanks)]).await;
    assert_eq!(
        (page.status, page.header("cache-control")),
        (200, "no-store")
    );
    assert!(page.text().contains("<h1>Deleted</h1>"));
    assert_eq!(server.get(&format!("/{}", created.id)).await.status, 404);
    let again = server
        .post_form(&path, &[("delete_token", &created.delete_token)])
        .await;
    assert_eq!(again.status, 404);
    refused.push(again.body);
    let missing = server
        .post_form("/2w0123456789AB/delete", &[("delete_token", OTHER)])
        .await;
    refused.push(missing.body);
    let read = server
        .get_with("/2w0123456789AB", &[("accept", "text/html")])
        .await;
    refused.push(read.body);
    assert!(
        refused.windows(2).all(|pair| pair[0] == pair[1]),
        "one 404 page"
    );
}
