//! The sessions as a source of answers to questions of one kind.

use super::read_failed;
use super::session::Sessions;
use crate::store::StoreError;
use crate::store::reader::Source;
use sqlx::PgConnection;
use std::marker::PhantomData;
use std::sync::Arc;

/// Statements of one kind that are under way at once. While there are fewer, a question waits for nobody; beyond, those
/// that wait share the next.
pub(super) const AT_ONCE: usize = 3;

/// A look-up, or a read by id.
pub(super) trait Question: Clone + Send + Sync + 'static {
    type Answer: Send + 'static;

    /// Answers all of them in one snapshot, in their order.
    fn answer_all(
        connection: &mut PgConnection,
        questions: &[Self],
    ) -> impl Future<Output = Result<Vec<Self::Answer>, sqlx::Error>> + Send;
}

/// Whatever connection the pool has.
#[derive(Debug)]
pub(super) struct Session<Q> {
    sessions: Arc<Sessions>,
    asks: PhantomData<fn(Q)>,
}

impl<Q> Session<Q> {
    /// As many as may ask at once.
    pub(super) fn all(sessions: &Arc<Sessions>) -> impl Iterator<Item = Self> {
        (0..AT_ONCE).map(|_| Self {
            sessions: Arc::clone(sessions),
            asks: PhantomData,
        })
    }
}

impl<Q: Question> Source for Session<Q> {
    type Question = Q;
    type Answer = Q::Answer;

    async fn answer_all(&mut self, questions: Arc<[Q]>) -> Result<Vec<Q::Answer>, StoreError> {
        let read = self.sessions.read(move |connection| {
            let questions = Arc::clone(&questions);
            Box::pin(async move { Q::answer_all(connection, &questions).await })
        });
        read.await.map_err(read_failed)
    }

    /// The sessions are closed by whoever opened them.
    async fn close(self) {}
}
