//! A database of one test.

use super::Cluster;
use crate::harness::PATIENCE;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// Asked for over TCP; it must never be seen in a log or an error.
pub(crate) const PASSWORD: &str = "never-show-this";

/// A `clock_timestamp()` that is found before PostgreSQL's own, and runs ahead of it by as much as a table says.
const CLOCK: &str = "
create schema turned;
create table turned.clock (ahead interval not null);
insert into turned.clock values ('0');
create function turned.clock_timestamp() returns timestamptz language sql volatile
as 'select pg_catalog.clock_timestamp() + (select ahead from turned.clock)'";

/// Where a database is. It stays until its cluster ends.
#[derive(Clone, Debug)]
pub(crate) struct Database {
    pub(crate) name: String,
    pub(crate) port: u16,
    socket: PathBuf,
    /// The schema that its sessions work in; none is the database's own.
    schema: Option<String>,
}

impl Database {
    pub(super) fn new(name: &str, port: u16, socket: &Path) -> Self {
        let (name, socket) = (name.to_owned(), socket.to_owned());
        Self {
            name,
            port,
            socket,
            schema: None,
        }
    }

    /// A new schema in the database, empty but for a clock that can be turned: as good as a database of its own to a
    /// shard, and there much sooner.
    pub(crate) async fn schema(&self) -> Self {
        let schema = format!("s{}", uuid::Uuid::new_v4().simple());
        self.run(CLOCK.replace("turned", &schema)).await;
        Self {
            schema: Some(schema),
            ..self.clone()
        }
    }

    /// The URL over TCP, with the password.
    pub(crate) fn url(&self) -> String {
        self.url_at(format_args!("127.0.0.1:{}", self.port))
    }

    /// The URL by way of another address, such as a proxy's.
    pub(crate) fn url_at(&self, address: impl Display) -> String {
        let (name, more) = (&self.name, self.in_schema('?'));
        format!("postgres://postgres:{PASSWORD}@{address}/{name}{more}")
    }

    /// The URL over the Unix socket.
    pub(crate) fn socket_url(&self) -> String {
        let (name, port, socket) = (&self.name, self.port, self.socket.display());
        let more = self.in_schema('&');
        format!("postgres://postgres@localhost:{port}/{name}?host={socket}{more}")
    }

    fn in_schema(&self, separator: char) -> String {
        let schema = self.schema.as_ref();
        schema.map_or_else(String::new, |schema| {
            format!("{separator}options[search_path]={schema}%2Cpg_catalog")
        })
    }

    pub(super) async fn install_clock(&self) {
        self.run(CLOCK).await;
        let path = "search_path = public, turned, pg_catalog";
        self.run(format!("alter database {} set {path}", self.name))
            .await;
    }

    /// Turns the clock forward.
    pub(crate) async fn advance(&self, span: Duration) {
        let seconds = span.as_secs_f64();
        let schema = self.schema.as_deref().unwrap_or("turned");
        self.run(format!(
            "update {schema}.clock set ahead = ahead + make_interval(secs => {seconds})"
        ))
        .await;
    }

    /// The same database on another cluster: a standby, promoted or not.
    pub(crate) fn on(&self, cluster: &Cluster) -> Self {
        Self {
            schema: self.schema.clone(),
            ..cluster.database_named(&self.name)
        }
    }

    /// A plain session of the superuser, over the socket.
    pub(crate) async fn connect(&self) -> PgConnection {
        PgConnection::connect_with(&self.options()).await.unwrap()
    }

    /// Runs statements in a session of their own.
    pub(crate) async fn run(&self, statements: impl Into<String>) {
        let mut connection = self.connect().await;
        let statements = AssertSqlSafe(statements.into());
        connection.execute(statements).await.unwrap();
        connection.close().await.unwrap();
    }

    /// The whole number that a statement gives.
    pub(crate) async fn number(&self, statement: impl Into<String>) -> i64 {
        let mut connection = self.connect().await;
        let statement = AssertSqlSafe(statement.into());
        let number = sqlx::query_scalar(statement).fetch_one(&mut connection);
        let number = number.await.unwrap();
        connection.close().await.unwrap();
        number
    }

    /// Waits until a condition holds, in SQL.
    pub(crate) async fn wait_until(&self, condition: &str) {
        let statement = format!("select ({condition})::int::bigint");
        let holds = timeout(PATIENCE, async {
            while self.number(&statement).await == 0 {
                sleep(Duration::from_millis(5)).await;
            }
        });
        holds.await.expect(condition);
    }

    pub(super) fn options(&self) -> PgConnectOptions {
        PgConnectOptions::new_without_pgpass()
            .socket(&self.socket)
            .port(self.port)
            .username("postgres")
            .database(&self.name)
            .options(self.schema.iter().map(|schema| {
                let path = format!("{schema},pg_catalog");
                ("search_path", path)
            }))
            .disable_statement_logging()
    }
}
