//! Colours for whoever asks: known ones at once, new ones when they are ready in time.

use super::grammars::grammar;
use super::guess::guess;
use super::job::{Budgets, Job, Started};
use super::worker::Queue;
use app::text::{Colours, shown_start};
use app::wire::syntax::PLAIN;
use moka::future::Cache;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

/// Bytes of colours that are kept.
const KEPT_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// What an entry takes beside its colours.
const ENTRY_BYTES: usize = 200;

/// What colours are of: a text and its grammar. Equal ones have equal colours.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Subject {
    sha256: String,
    /// The grammar's name; none if the text must tell.
    grammar: Option<&'static str>,
}

impl Subject {
    /// A text by its SHA-256, in the syntax that was given, or else the one its title ends with.
    #[must_use]
    pub fn new(sha256: String, syntax: Option<&str>, title: Option<&str>) -> Self {
        let given = syntax.and_then(grammar);
        let grammar = given.or_else(|| title.and_then(super::guess::by_title));
        Self { sha256, grammar }
    }
}

/// What is known of a text's colours.
#[derive(Clone, Debug)]
pub enum Answer {
    /// They are worked out, as far as they ever will be while they are kept.
    Colours(Arc<Colours>),
    /// They are not, and a later view may have them.
    Pending,
}

/// Gives texts colours. It holds one thread while there is work, and the colours of the texts seen last.
#[derive(Debug)]
pub struct Highlighter {
    budgets: Budgets,
    queue: Arc<Queue>,
    shared: Arc<Shared>,
    none: Arc<Colours>,
}

#[derive(Debug)]
struct Shared {
    known: Cache<Subject, Arc<Colours>>,
    /// Texts in the queue or under way.
    working: Mutex<HashMap<Subject, Working>>,
}

#[derive(Debug)]
struct Working {
    result: watch::Sender<Option<Arc<Colours>>>,
    /// Until when readers wait.
    wait_until: Instant,
}

impl Highlighter {
    /// One that has done nothing yet.
    #[must_use]
    pub fn new(budgets: Budgets) -> Self {
        let weight = |_: &Subject, colours: &Arc<Colours>| {
            u32::try_from(colours.size_bytes() + ENTRY_BYTES).unwrap_or(u32::MAX)
        };
        let known = Cache::builder()
            .max_capacity(KEPT_BYTES_MAX)
            .weigher(weight);
        Self {
            budgets,
            queue: Arc::new(Queue::new(budgets)),
            shared: Arc::new(Shared {
                known: known.build(),
                working: Mutex::default(),
            }),
            none: Arc::default(),
        }
    }

    /// What can be said without the text; waits for work under way as long as whoever brought it. None: bring the
    /// text to [`Self::colours`].
    pub async fn known(&self, subject: &Subject) -> Option<Answer> {
        if subject.grammar == Some(PLAIN) {
            return Some(Answer::Colours(Arc::clone(&self.none)));
        }
        if let Some(colours) = self.shared.known.get(subject).await {
            return Some(Answer::Colours(colours));
        }
        let waiting = self.shared.lock().get(subject).map(Working::wait);
        match waiting {
            Some(waiting) => Some(waiting.answer().await),
            None => None,
        }
    }

    /// The colours of a text, if they are known or can be had at once. Else they are worked out for later, unless too
    /// many are.
    pub async fn colours(&self, subject: &Subject, text: &str) -> Answer {
        let grammar = subject.grammar.unwrap_or_else(|| guess(text));
        if grammar == PLAIN {
            let none = Arc::clone(&self.none);
            self.shared.known.insert(subject.clone(), none).await;
            return Answer::Colours(Arc::clone(&self.none));
        }
        let waiting = self.enqueue(subject, grammar, shown_start(text));
        match waiting {
            Some(waiting) => waiting.answer().await,
            None => Answer::Pending,
        }
    }

    /// Puts a text into the queue once, however many ask.
    fn enqueue(&self, subject: &Subject, grammar: &'static str, text: &str) -> Option<Waiting> {
        let mut working = self.shared.lock();
        if let Some(working) = working.get(subject) {
            return Some(working.wait());
        }
        let is_short = text.len() <= self.budgets.at_once_bytes;
        let now = Instant::now();
        let new = Working {
            result: watch::Sender::new(None),
            wait_until: if is_short {
                now + self.budgets.at_once
            } else {
                now
            },
        };
        let waiting = new.wait();
        let job = Job {
            subject: subject.clone(),
            grammar,
            text: text.to_owned(),
        };
        let shared = Arc::clone(&self.shared);
        let runtime = Handle::current();
        let finished = move |text, whole| shared.finish(&runtime, text, whole);
        let is_taken = self.queue.push(job, finished);
        is_taken.then(|| {
            working.insert(subject.clone(), new);
            waiting
        })
    }
}

impl Drop for Highlighter {
    fn drop(&mut self) {
        self.queue.close();
    }
}

impl Shared {
    /// Keeps the colours, then tells whoever waits. Called on the thread that works.
    fn finish(&self, runtime: &Handle, text: Started, whole: bool) {
        let subject = text.subject.clone();
        let colours = Arc::new(text.finish(whole));
        let kept = self.known.insert(subject.clone(), Arc::clone(&colours));
        runtime.block_on(kept);
        if let Some(working) = self.lock().remove(&subject) {
            working.result.send_replace(Some(colours));
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Subject, Working>> {
        self.working.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Working {
    fn wait(&self) -> Waiting {
        Waiting {
            result: self.result.subscribe(),
            until: self.wait_until,
        }
    }
}

/// A reader who waits for colours.
struct Waiting {
    result: watch::Receiver<Option<Arc<Colours>>>,
    until: Instant,
}

impl Waiting {
    async fn answer(mut self) -> Answer {
        let result = self.result.wait_for(Option::is_some);
        match timeout_at(self.until, result).await {
            Ok(Ok(colours)) => colours.clone().map_or(Answer::Pending, Answer::Colours),
            Ok(Err(_)) | Err(_) => Answer::Pending,
        }
    }
}
