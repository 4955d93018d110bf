//! Many requests at once that concern one paste: exactly one of them is the first.

use crate::harness::{Host, RawAnswer, TestServer, fresh_key, send};
use futures_util::future::join_all;

const AT_ONCE: usize = 64;

#[tokio::test(flavor = "multi_thread")]
async fn one_key_and_one_body_64_times_at_once_is_one_paste() {
    let server = TestServer::start().await;
    let answers = save_at_once(&server, &fresh_key(), ["the same\n"; AT_ONCE]).await;
    assert_one_paste(&answers);
    assert_eq!(server.rows().await.pastes.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_key_and_two_bodies_at_once_is_one_paste_and_conflicts() {
    let server = TestServer::start().await;
    let mut bodies = ["this\n"; AT_ONCE];
    bodies[..AT_ONCE / 2].fill("that\n");
    let answers = save_at_once(&server, &fresh_key(), bodies).await;
    let (those, these) = answers.split_at(AT_ONCE / 2);
    let (saved, refused) = if those[0].status == 201 {
        (those, these)
    } else {
        (these, those)
    };
    assert_one_paste(saved);
    for answer in refused {
        assert_eq!(answer.status, 409, "{answer:?}");
        assert!(answer.body.contains("\"idempotency_key_reused\""));
    }
    let rows = server.rows().await;
    assert_eq!((rows.pastes.len(), rows.keys.len()), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_64_deletes_at_once_one_is_answered_204() {
    let server = TestServer::start().await;
    let paste = server.save_new("to be deleted\n").await.created();
    let deletes = (0..AT_ONCE).map(|_| server.delete(&paste.id, &paste.delete_token));
    let replies = join_all(deletes).await;
    let of = |status| replies.iter().filter(move |reply| reply.status == status);
    assert_eq!((of(204).count(), of(404).count()), (1, AT_ONCE - 1));
    let rows = server.rows().await;
    assert_eq!((rows.pastes.len(), rows.outbox.len()), (0, 1));
    assert_eq!(rows.outbox[0].id, paste.id);
}

/// Contended keys and deletes share group commits with saves that have nothing to do with them.
#[tokio::test(flavor = "multi_thread")]
async fn unrelated_saves_are_not_disturbed() {
    let server = TestServer::start().await;
    let key = fresh_key();
    let paste = server.save_new("to be deleted\n").await.created();
    let contended = save_at_once(&server, &key, ["contended\n"; AT_ONCE]);
    let deletes = (0..AT_ONCE).map(|_| server.delete(&paste.id, &paste.delete_token));
    let unrelated = (0..AT_ONCE).map(|n| server.save_new(format!("unrelated {n}\n")));
    let (saved, deleted, replies) = tokio::join!(contended, join_all(deletes), join_all(unrelated));
    assert_one_paste(&saved);
    assert!(deleted.iter().any(|reply| reply.status == 204));
    for (n, reply) in replies.iter().enumerate() {
        let path = format!("/{}/raw", reply.created().id);
        assert_eq!(reply.header("idempotent-replayed"), "");
        assert_eq!(server.get(&path).await.text(), format!("unrelated {n}\n"));
    }
    let rows = server.rows().await;
    rows.assert_paired(server.data());
    assert_eq!(rows.pastes.len(), AT_ONCE + 1);
}

/// The stored 201 is one, whichever rendering of it a request asks for.
#[tokio::test(flavor = "multi_thread")]
async fn one_key_as_json_raw_and_plain_text_at_once_is_one_paste() {
    let server = TestServer::start().await;
    let key = fresh_key();
    let saves = (0..AT_ONCE).map(|n| {
        let save = server.save_request(&key);
        match n % 3 {
            0 => send(save.body("text\n")),
            1 => send(save.json(&serde_json::json!({ "content": "text\n" }))),
            _ => send(save.header("accept", "text/plain").body("text\n")),
        }
    });
    let replies = join_all(saves).await;
    let created = replies[0].created();
    for (n, reply) in replies.iter().enumerate() {
        assert_eq!(reply.status, 201, "{reply:?}");
        if n % 3 == 2 {
            assert_eq!(reply.header("delete-token"), created.delete_token);
            assert_eq!(reply.text(), format!("{}\n", created.url));
        } else {
            assert_eq!(reply.body, replies[0].body);
        }
    }
    assert_eq!(server.rows().await.pastes.len(), 1);
}

/// Saves with one key, all of which have looked it up, and found nothing, before the first body is sent.
async fn save_at_once(host: &Host, key: &str, bodies: [&'static str; AT_ONCE]) -> Vec<RawAnswer> {
    let begun = bodies.map(|body| host.begin_save(key, body.len()));
    let clients = join_all(begun).await.into_iter().zip(bodies);
    let finished = clients.map(async |(mut client, body)| client.ask(body).await);
    join_all(finished).await
}

/// Identical 201s, one of which is the first.
#[track_caller]
fn assert_one_paste(answers: &[RawAnswer]) {
    for answer in answers {
        assert_eq!(answer.status, 201, "{answer:?}");
        assert_eq!(answer.body, answers[0].body);
        assert_eq!(answer.header("location"), answers[0].header("location"));
    }
    let first = answers
        .iter()
        .filter(|answer| answer.header("idempotent-replayed").is_empty());
    assert_eq!(first.count(), 1);
}
