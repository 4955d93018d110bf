//! The suite of every store on PostgreSQL, over TCP and over a Unix socket.

use crate::harness::postgres::{Clusters, Database};
use crate::store_shard::Shard;
use oncebin::store::postgres::PostgresStore;
use oncebin::store::{NewPaste, OperatorStore, Store};
use sqlx::postgres::PgConnection;
use sqlx::{Connection, Executor, Row};
use std::sync::Arc;
use std::time::Duration;

/// A store on a database of its own, whose clock can be turned.
pub(crate) struct PostgresShard<const SOCKET: bool> {
    store: Arc<PostgresStore>,
    database: Database,
}

mod over_tcp {
    crate::store_conformance::suite!(super::PostgresShard<false>);
}

mod over_a_socket {
    crate::store_conformance::suite!(super::PostgresShard<true>);
}

impl<const SOCKET: bool> Shard for PostgresShard<SOCKET> {
    async fn open() -> Self {
        let database = Clusters::first().await.database_with_clock().await;
        let url = if SOCKET {
            database.socket_url()
        } else {
            database.url()
        };
        let store = Arc::new(PostgresStore::new(&url).unwrap());
        store.prepare().await.unwrap();
        Self { store, database }
    }

    type Session = PgConnection;

    fn store(&self) -> &dyn OperatorStore {
        self.store.as_ref()
    }

    fn shared(&self) -> Arc<dyn Store> {
        Arc::clone(&self.store) as _
    }

    async fn begin_create(&self, new: &NewPaste) -> PgConnection {
        let mut session = self.database.connect().await;
        let begin = "begin; select 1 from slot where slot = 7 for key share";
        session.execute(begin).await.unwrap();
        let insert = "insert into paste values ($1, $2, '', null, null, 1, '', 0, 4000000000000)";
        let insert = sqlx::query(insert)
            .bind(new.paste.id.to_string())
            .bind(new.paste.object_key.clone());
        insert.execute(&mut session).await.unwrap();
        session
    }

    async fn commit(mut session: PgConnection) {
        session.execute("commit").await.unwrap();
        session.close().await.unwrap();
    }

    async fn until_it_waits(&self) {
        let waits = "exists (select 1 from pg_stat_activity
                     where datname = current_database() and wait_event_type = 'Lock')";
        self.database.wait_until(waits).await;
    }

    async fn advance(&self, span: Duration) {
        self.database.advance(span).await;
    }

    async fn run(&self, statement: String) {
        self.database.run(statement).await;
    }

    async fn number(&self, statement: &'static str) -> i64 {
        self.database.number(statement).await
    }

    /// The database's clock is nobody's but its own.
    fn stays(&self) -> Duration {
        Duration::ZERO
    }

    async fn outbox(&self) -> Vec<(String, String)> {
        let mut session = self.database.connect().await;
        let rows = sqlx::query("select paste_id, object_key from outbox order by n");
        let rows = rows.fetch_all(&mut session).await.unwrap();
        session.close().await.unwrap();
        rows.iter()
            .map(|row| (row.get("paste_id"), row.get("object_key")))
            .collect()
    }
}
