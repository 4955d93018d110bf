//! The connection that questions of one kind are asked over.

use super::link::Link;
use super::unavailable;
use crate::clock::Clock;
use crate::store::StoreError;
use crate::store::reader::Source;
use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteConnectOptions;
use std::marker::PhantomData;
use std::sync::Arc;

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

/// A connection for questions alone.
#[derive(Debug)]
pub(super) struct File<Q> {
    link: Link,
    clock: Clock,
    asks: PhantomData<fn(Q)>,
}

impl<Q> File<Q> {
    pub(super) fn new(options: SqliteConnectOptions, clock: Clock) -> Self {
        Self {
            link: Link::new(None, options),
            clock,
            asks: PhantomData,
        }
    }
}

impl<Q: Question> Source for File<Q> {
    type Question = Q;
    type Answer = Q::Answer;

    async fn answer_all(&mut self, questions: Arc<[Q]>) -> Result<Vec<Q::Answer>, StoreError> {
        let mut connection = self.link.take().await.map_err(unavailable)?;
        let now_ms = self.clock.now_ms();
        let answers = Q::answer_all(&mut connection, now_ms, &questions).await;
        let answers = answers.map_err(unavailable)?;
        self.link.put_back(connection);
        Ok(answers)
    }

    async fn close(self) {
        self.link.close().await;
    }
}
