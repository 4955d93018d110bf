//! `oncebin takedown`, beside a running service.

use crate::harness::{Process, Rows, fresh_key, operate};
use tempfile::TempDir;

#[tokio::test(flavor = "multi_thread")]
async fn a_paste_that_is_taken_down_is_gone_at_once_and_never_comes_back() {
    let data = TempDir::new().unwrap();
    let server = Process::start(data.path(), &["--workers=off"]);
    let key = fresh_key();
    let saved = server.save(&key, "text\n").await;
    let paste = saved.created();
    let read = async || server.get(&format!("/{}/raw", paste.id)).await.status;
    assert_eq!(read().await, 200, "and kept at the origin");
    let link = server.url(&format!("/{}/raw", paste.id));
    let taken = operate("takedown", data.path(), &[&link]);
    assert_eq!((taken.code, &*taken.err), (0, ""), "{taken:#?}");
    assert!(taken.out.contains("is taken down"));
    assert_eq!(read().await, 404);
    let rows = Rows::of(data.path()).await;
    assert_eq!(
        (rows.pastes.len(), rows.outbox.len(), rows.keys.len()),
        (0, 1, 1)
    );
    let again = operate("takedown", data.path(), &[&paste.id]);
    assert_eq!(again.code, 0);
    assert!(again.out.contains("was deleted already"));
    let retry = server.save(&key, "text\n").await;
    assert_eq!((retry.status, retry.body), (201, saved.body));
    assert_eq!(read().await, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_taken_down_is_said() {
    let data = TempDir::new().unwrap();
    Process::start(data.path(), &[]).kill();
    for (arguments, code, says) in [
        (
            &["2w0123456789AB"][..],
            1,
            "there is no paste 2w0123456789AB",
        ),
        (&["nonsense"][..], 2, "neither a paste's id nor its link"),
        (&[][..], 2, "required arguments were not provided"),
        (
            &[
                "2w0123456789AB",
                "--shards=postgres://postgres@127.0.0.1:1/x",
            ][..],
            1,
            "is not taken down: shard 0",
        ),
        (
            &["2w0123456789AB", "--shards=sqlite:///nowhere/x.sqlite"][..],
            1,
            "the file is not there",
        ),
    ] {
        let refused = operate("takedown", data.path(), arguments);
        assert_eq!((refused.code, &*refused.out), (code, ""), "{refused:#?}");
        assert!(refused.err.contains(says), "{refused:#?}");
    }
}
