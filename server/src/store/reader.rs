//! Questions of one kind, of which all that wait are answered together.
//!
//! ```text
//!   questions ──▶ [q1 q2 q3 …] ──▶ one select, one snapshot ──▶ every caller is answered
//! ```
//!
//! A trip to a database and back costs more than the search itself, so under load many questions share one. An answer
//! holds every commit that was answered before its question was asked: the statement begins later.
//!
//! A group that finds a damaged row or page is asked again in halves, until that row's reader alone is refused.
//!
//! It knows nothing of SQL, nor of what is asked.

use super::StoreError;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

/// Questions of one statement. More would make the first wait for the last.
const GROUP_MAX: usize = 64;

/// Questions that wait for the next statement; past it callers wait to be let in.
const QUEUE_MAX: usize = 1024;

/// How long a group that failed is asked again in halves. A shard that fails slowly must not hold up who asks next.
const HALVED_WITHIN: Duration = Duration::from_secs(1);

/// Where answers come from: one statement at a time.
pub(super) trait Source: Send + 'static {
    /// What is asked by the thousand.
    type Question: Clone + Send + Sync + 'static;
    /// What one of them is answered with.
    type Answer: Send + 'static;

    /// Answers all of them in one snapshot, in their order.
    fn answer_all(
        &mut self,
        questions: Arc<[Self::Question]>,
    ) -> impl Future<Output = Result<Vec<Self::Answer>, StoreError>> + Send;

    /// Lets go of what it holds.
    fn close(self) -> impl Future<Output = ()> + Send;
}

type Asked<S> = (<S as Source>::Question, Reply<S>);

type Reply<S> = oneshot::Sender<Result<<S as Source>::Answer, StoreError>>;

/// The end that callers hold.
#[derive(Debug)]
pub(super) struct Reader<S: Source> {
    asked: mpsc::Sender<Asked<S>>,
    within: Duration,
    tasks: Mutex<JoinSet<()>>,
    closing: CancellationToken,
}

impl<S: Source> Reader<S> {
    /// Asks so many sources at once, and waits for an answer as long as `within`.
    pub(super) fn start(sources: impl IntoIterator<Item = S>, within: Duration) -> Self {
        let (sender, asked) = mpsc::channel(QUEUE_MAX);
        let asked = Arc::new(Mutex::new(asked));
        let closing = CancellationToken::new();
        let mut tasks = JoinSet::new();
        for source in sources {
            tasks.spawn(run(source, Arc::clone(&asked), closing.clone()));
        }
        Self {
            asked: sender,
            within,
            tasks: Mutex::new(tasks),
            closing,
        }
    }

    /// Nothing is changed by a question, so one whose answer is lost was merely not answered.
    pub(super) async fn ask(&self, question: S::Question) -> Result<S::Answer, StoreError> {
        let answered = timeout(self.within, self.wait(question)).await;
        answered.unwrap_or(Err(StoreError::Unavailable))
    }

    async fn wait(&self, question: S::Question) -> Result<S::Answer, StoreError> {
        let (reply, answer) = oneshot::channel();
        let sent = self.asked.send((question, reply)).await;
        sent.map_err(|_| StoreError::Unavailable)?;
        answer.await.map_err(|_| StoreError::Unavailable)?
    }

    /// Answers what waits, then closes the sources.
    pub(super) async fn close(&self) {
        self.closing.cancel();
        while let Some(ended) = self.tasks.lock().await.join_next().await {
            if let Err(error) = ended
                && error.is_panic()
            {
                tracing::error!(error = %error, "a shard's reader ended badly");
            }
        }
    }
}

async fn run<S: Source>(
    mut source: S,
    asked: Arc<Mutex<mpsc::Receiver<Asked<S>>>>,
    closing: CancellationToken,
) {
    loop {
        let group = next_group(&asked, &closing).await;
        if group.is_empty() {
            break;
        }
        answer(&mut source, group).await;
    }
    source.close().await;
}

async fn answer<S: Source>(source: &mut S, group: Vec<Asked<S>>) {
    let until = Instant::now() + HALVED_WITHIN;
    let (questions, replies): (Vec<_>, Vec<_>) = group.into_iter().unzip();
    let mut groups = vec![(Arc::from(questions), replies)];
    while let Some((questions, mut replies)) = groups.pop() {
        match source.answer_all(Arc::clone(&questions)).await {
            Ok(answers) => {
                for (reply, answer) in replies.into_iter().zip(answers) {
                    reply.send(Ok(answer)).ok();
                }
            }
            Err(StoreError::Unavailable) if replies.len() > 1 && Instant::now() < until => {
                let (first, second) = questions.split_at(replies.len() / 2);
                let later = replies.split_off(first.len());
                groups.extend([(second.into(), later), (first.into(), replies)]);
            }
            Err(error) => {
                for reply in replies {
                    reply.send(Err(error)).ok();
                }
            }
        }
    }
}

/// All that waits, or the first that comes; nothing once the reader is to close and nothing waits.
async fn next_group<T>(asked: &Mutex<mpsc::Receiver<T>>, closing: &CancellationToken) -> Vec<T> {
    let mut asked = asked.lock().await;
    let mut group = Vec::with_capacity(GROUP_MAX);
    tokio::select! {
        biased;
        _ = asked.recv_many(&mut group, GROUP_MAX) => {}
        () = closing.cancelled() => {
            asked.close();
            asked.recv_many(&mut group, GROUP_MAX).await;
        }
    }
    group
}
