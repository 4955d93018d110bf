//! A reader of a SQLite shard that answers all questions of one kind that wait with one statement.
//!
//! ```text
//!   questions ──▶ [q1 q2 q3 …] ──▶ one select, one snapshot ──▶ every caller is answered
//! ```
//!
//! A trip to SQLite's thread and back costs more than the search itself, so under load many questions share one. An
//! answer holds every commit that was answered before its question was asked: the statement begins later.

use super::unavailable;
use crate::clock::Clock;
use crate::store::StoreError;
use serde::Serialize;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Questions of one statement. More would make the first wait for the last.
const GROUP_MAX: usize = 64;

/// Questions that wait for the next statement; past it callers wait to be let in.
const QUEUE_MAX: usize = 1024;

/// A JSON array, which carries any number of parameters into one static statement.
///
/// # Errors
/// Never for what we ask with: numbers and plain strings.
pub(super) fn json_array(asked: &impl Serialize) -> Result<String, sqlx::Error> {
    serde_json::to_string(asked).map_err(|error| sqlx::Error::Encode(Box::new(error)))
}

/// What is asked by the thousand: a look-up, or a read by id.
pub(super) trait Question: Sized + Send + Sync + 'static {
    type Answer: Send + 'static;

    /// Answers all of them in one snapshot, in their order.
    fn answer_all(
        connection: &mut SqliteConnection,
        now_ms: i64,
        questions: &[Self],
    ) -> impl Future<Output = Result<Vec<Self::Answer>, sqlx::Error>> + Send;
}

type Reply<Q> = oneshot::Sender<Result<<Q as Question>::Answer, StoreError>>;

/// The reader's end that callers hold.
#[derive(Debug)]
pub(super) struct Reader<Q: Question> {
    asked: mpsc::Sender<(Q, Reply<Q>)>,
    task: Mutex<Option<JoinHandle<()>>>,
    closing: CancellationToken,
}

impl<Q: Question> Reader<Q> {
    pub(super) fn start(options: SqliteConnectOptions, clock: Clock) -> Self {
        let (sender, asked) = mpsc::channel(QUEUE_MAX);
        let closing = CancellationToken::new();
        let worker = Worker {
            connection: None,
            options,
            clock,
        };
        let task = tokio::spawn(worker.run(asked, closing.clone()));
        Self {
            asked: sender,
            task: Mutex::new(Some(task)),
            closing,
        }
    }

    /// Nothing is changed by a question, so one whose answer is lost was merely not answered.
    pub(super) async fn ask(&self, question: Q) -> Result<Q::Answer, StoreError> {
        let (reply, answer) = oneshot::channel();
        let sent = self.asked.send((question, reply)).await;
        sent.map_err(|_| StoreError::Unavailable)?;
        answer.await.map_err(|_| StoreError::Unavailable)?
    }

    /// Answers what waits, then closes the connection.
    pub(super) async fn close(&self) {
        self.closing.cancel();
        if let Some(task) = self.task.lock().await.take()
            && let Err(error) = task.await
        {
            tracing::error!(error = %error, "a shard's reader ended badly");
        }
    }
}

struct Worker {
    /// None at first, and after the connection failed; the next group opens another.
    connection: Option<SqliteConnection>,
    options: SqliteConnectOptions,
    clock: Clock,
}

impl Worker {
    async fn run<Q: Question>(
        mut self,
        mut asked: mpsc::Receiver<(Q, Reply<Q>)>,
        closing: CancellationToken,
    ) {
        let mut group = Vec::with_capacity(GROUP_MAX);
        loop {
            let received = tokio::select! {
                biased;
                received = asked.recv_many(&mut group, GROUP_MAX) => received,
                () = closing.cancelled() => {
                    asked.close();
                    asked.recv_many(&mut group, GROUP_MAX).await
                }
            };
            if received == 0 {
                break;
            }
            self.answer(std::mem::take(&mut group)).await;
        }
        if let Some(connection) = self.connection.take() {
            connection.close().await.ok();
        }
    }

    async fn answer<Q: Question>(&mut self, group: Vec<(Q, Reply<Q>)>) {
        let (questions, replies): (Vec<_>, Vec<_>) = group.into_iter().unzip();
        match self.ask_file(&questions).await {
            Ok(answers) => {
                for (reply, answer) in replies.into_iter().zip(answers) {
                    reply.send(Ok(answer)).ok();
                }
            }
            Err(error) => {
                let error = unavailable(error);
                for reply in replies {
                    reply.send(Err(error)).ok();
                }
            }
        }
    }

    /// The connection is kept only after a statement that went well.
    async fn ask_file<Q: Question>(
        &mut self,
        questions: &[Q],
    ) -> Result<Vec<Q::Answer>, sqlx::Error> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => SqliteConnection::connect_with(&self.options).await?,
        };
        let now_ms = self.clock.now_ms();
        let answers = Q::answer_all(&mut connection, now_ms, questions).await?;
        self.connection = Some(connection);
        Ok(answers)
    }
}
