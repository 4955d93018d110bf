//! A shard that is slow at something, or cannot count its outbox: it is not taken for gone, and serves all else.

use crate::harness::OneShard;
use crate::harness::fault_proxy::Fault;

/// What the statement has that counts the outbox, and no other.
const COUNT: &str = "as oldest_at";

/// A read of a paste that lasts until PostgreSQL ends it.
const SLOW: &str = "
alter table paste rename to paste_rows;
create view paste as select * from paste_rows where (select pg_sleep(60)) is not null";

#[tokio::test(flavor = "multi_thread")]
async fn an_outbox_that_cannot_be_counted_takes_no_shard_down() {
    let service = OneShard::start().await;
    service.save_new("before").await.created();
    for path in ["/readyz", "/metrics"] {
        let lost = Fault::LoseReplyTo(COUNT);
        service.proxy.set_then(lost, lost);
        let said = service.admin().get(path).await;
        service.proxy.set(Fault::Pass);
        assert_eq!(said.status, 200);
        assert!(!said.text().contains("outbox 0"), "{said:?}");
        service.save_new("after").await.created();
    }
    let said = service.admin().get("/readyz").await.text();
    assert!(said.contains("outbox 0 rows 0"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_is_merely_slow_takes_no_shard_down() {
    let service = OneShard::start().await;
    let paste = service.save_new("text").await.created();
    service.database.run(SLOW).await;
    let read = service.get(&format!("/{}/raw", paste.id)).await;
    assert_eq!(read.status, 503);
    service.save_new("after").await.created();
}
