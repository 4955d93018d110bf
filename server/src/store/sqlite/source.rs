//! The connection that questions of one kind are asked over.

use super::unavailable;
use crate::clock::Clock;
use crate::store::StoreError;
use crate::store::reader::Source;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};
use std::marker::PhantomData;

/// A look-up, or a read by id.
pub(super) trait Question: Clone + Send + Sync + 'static {
    type Answer: Send + 'static;

    /// Answers all of them in one snapshot, in their order.
    fn answer_all(
        connection: &mut SqliteConnection,
        now_ms: i64,
        questions: &[Self],
    ) -> impl Future<Output = Result<Vec<Self::Answer>, sqlx::Error>> + Send;
}

/// A connection for questions alone. It opens when it is first needed, and anew after a statement that failed.
#[derive(Debug)]
pub(super) struct File<Q> {
    connection: Option<SqliteConnection>,
    options: SqliteConnectOptions,
    clock: Clock,
    asks: PhantomData<fn(Q)>,
}

impl<Q> File<Q> {
    pub(super) fn new(options: SqliteConnectOptions, clock: Clock) -> Self {
        Self {
            connection: None,
            options,
            clock,
            asks: PhantomData,
        }
    }
}

impl<Q: Question> Source for File<Q> {
    type Question = Q;
    type Answer = Q::Answer;

    async fn answer_all(&mut self, questions: Vec<Q>) -> Result<Vec<Q::Answer>, StoreError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => SqliteConnection::connect_with(&self.options)
                .await
                .map_err(unavailable)?,
        };
        let now_ms = self.clock.now_ms();
        let answers = Q::answer_all(&mut connection, now_ms, &questions).await;
        let answers = answers.map_err(unavailable)?;
        self.connection = Some(connection);
        Ok(answers)
    }

    async fn close(self) {
        if let Some(connection) = self.connection {
            connection.close().await.ok();
        }
    }
}
