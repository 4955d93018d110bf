//! The queue of texts, and the one thread that colours them.

use super::classes::Classes;
use super::grammars::Grammars;
use super::job::{Budgets, Job, Started, Step};
use super::priority::give_way;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How long the thread waits for another text before it ends, and with it the grammars' memory.
const IDLE: Duration = Duration::from_secs(60);

/// Everything else goes first: colours take a hundred times as long as what readers wait for.
const NICENESS: i32 = 10;

/// Texts that wait for colours.
#[derive(Debug)]
pub(super) struct Queue {
    budgets: Budgets,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Texts for which a reader may be waiting.
    short: VecDeque<Job>,
    /// Texts that take longer than readers wait.
    long: VecDeque<Job>,
    /// Texts that are waiting or under way, and their bytes.
    texts: usize,
    bytes: usize,
    has_thread: bool,
    closed: bool,
}

impl Queue {
    pub(super) fn new(budgets: Budgets) -> Self {
        Self {
            budgets,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Takes a text, unless there are too many. `finished` is called on the thread, with whether it is coloured whole.
    pub(super) fn push<F>(self: &Arc<Self>, job: Job, finished: F) -> bool
    where
        F: Fn(Started, bool) + Send + 'static,
    {
        let mut state = self.lock();
        let bytes = state.bytes + job.text.len();
        let is_full = state.texts >= self.budgets.queue || bytes > self.budgets.queue_bytes;
        if is_full || state.closed || !self.ensure_thread(&mut state, finished) {
            return false;
        }
        state.texts += 1;
        state.bytes = bytes;
        if job.text.len() <= self.budgets.at_once_bytes {
            state.short.push_back(job);
        } else {
            state.long.push_back(job);
        }
        self.changed.notify_one();
        true
    }

    /// Drops what waits; the thread ends after its slice.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.short.clear();
        state.long.clear();
        self.changed.notify_one();
    }

    fn ensure_thread<F>(self: &Arc<Self>, state: &mut State, finished: F) -> bool
    where
        F: Fn(Started, bool) + Send + 'static,
    {
        if !state.has_thread {
            let queue = Arc::clone(self);
            let thread = thread::Builder::new().name("highlight".to_owned());
            let started = thread.spawn(move || queue.run(&finished));
            state.has_thread = started.is_ok();
        }
        state.has_thread
    }

    fn run(&self, finished: &impl Fn(Started, bool)) {
        give_way(NICENESS);
        let grammars = Grammars::load();
        let mut classes = Classes::new();
        let mut long = VecDeque::new();
        while let Some(mut text) = self.next(&mut long, &grammars) {
            let step = self.work(&mut text, &grammars, &mut classes);
            if step == Step::GoesOn && text.worked < self.budgets.in_all {
                long.push_front(text);
            } else {
                let bytes = text.bytes;
                finished(text, step == Step::Whole);
                let mut state = self.lock();
                state.texts -= 1;
                state.bytes -= bytes;
            }
        }
    }

    /// A short text that waits, else the long one under way, else a long one that waits; none when the thread ends.
    fn next(&self, long: &mut VecDeque<Started>, grammars: &Grammars) -> Option<Started> {
        let mut state = self.lock();
        let mut is_idle = false;
        let job = loop {
            if let Some(job) = state.short.pop_front() {
                break job;
            }
            if state.closed || (is_idle && long.is_empty() && state.long.is_empty()) {
                state.has_thread = false;
                return None;
            }
            if let Some(text) = long.pop_front() {
                return Some(text);
            }
            if let Some(job) = state.long.pop_front() {
                break job;
            }
            let waited = self.changed.wait_timeout(state, IDLE);
            let (guard, result) = waited.unwrap_or_else(PoisonError::into_inner);
            (state, is_idle) = (guard, result.timed_out());
        };
        drop(state);
        Some(Started::new(job, grammars))
    }

    /// One slice; a text for which a reader waits goes on until it is done or nobody waits any more.
    fn work(&self, text: &mut Started, grammars: &Grammars, classes: &mut Classes) -> Step {
        let is_short = text.bytes <= self.budgets.at_once_bytes;
        loop {
            let step = text.work(grammars, classes);
            if step != Step::GoesOn || !is_short || text.worked >= self.budgets.at_once {
                return step;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
