//! A connection for one kind of work. It opens when it is first needed, and anew after one that was not put back.

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};

/// What is taken out and not put back, because something failed on it, is closed.
#[derive(Debug)]
pub(super) struct Link {
    idle: Option<SqliteConnection>,
    options: SqliteConnectOptions,
}

impl Link {
    /// One that is open already, if there is one.
    pub(super) fn new(idle: Option<SqliteConnection>, options: SqliteConnectOptions) -> Self {
        Self { idle, options }
    }

    /// # Errors
    /// The file cannot be opened.
    pub(super) async fn take(&mut self) -> Result<SqliteConnection, sqlx::Error> {
        match self.idle.take() {
            Some(connection) => Ok(connection),
            None => SqliteConnection::connect_with(&self.options).await,
        }
    }

    pub(super) fn put_back(&mut self, connection: SqliteConnection) {
        self.idle = Some(connection);
    }

    pub(super) async fn close(self) {
        if let Some(connection) = self.idle {
            connection.close().await.ok();
        }
    }
}
