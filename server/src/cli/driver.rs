//! Drives one save machine: carries its effects out and feeds the answers back. It decides nothing.

use super::held::Held;
use super::screen::Screen;
use super::upload::{self, Silence};
use super::words;
use crate::config::BaseUrl;
use app::save::{
    Attempt, Entry, Happening, Kept, Key, Line, Link, Reply, SaveEffect, SaveEvent, SaveState, Why,
    Write, step,
};
use app::wire::created::Created;
use reqwest::Client;
use std::collections::VecDeque;
use std::future::pending;
use std::pin::Pin;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::{Sleep, sleep};
use tokio_util::sync::CancellationToken;

/// How a save ended here.
#[derive(Debug)]
pub(super) enum Ending {
    Saved(Created),
    /// It exists, and is too old to be sent again: only its link is left.
    Known(Link),
    Refused {
        status: u16,
        detail: String,
    },
    /// It may exist, and is too old to be sent again.
    Stale,
    /// It was settled elsewhere meanwhile.
    Settled,
    /// The person stopped it.
    Interrupted,
}

/// What a save needs of the world.
pub(super) struct World<'a> {
    pub(super) client: Client,
    pub(super) server: BaseUrl,
    /// Where it is kept; none when there is no such place, and why.
    pub(super) held: Result<Held, String>,
    pub(super) screen: &'a Screen,
    pub(super) stopped: CancellationToken,
}

type Exchange = Pin<Box<dyn Future<Output = Result<Reply, Silence>>>>;

/// A machine with its timer and its attempt.
pub(super) struct Driver<'a> {
    world: World<'a>,
    state: SaveState,
    inbox: VecDeque<Happening>,
    timer: Option<(u32, Pin<Box<Sleep>>)>,
    attempt: Option<(Attempt, Exchange)>,
    ending: Option<Ending>,
    /// What the network said last.
    cause: Option<String>,
    /// Why it waits, and how often that has been so: what is said once is not said thousands of times.
    told: (Option<Why>, u32),
}

impl<'a> Driver<'a> {
    pub(super) fn new(world: World<'a>) -> Self {
        Self {
            world,
            state: SaveState::default(),
            inbox: VecDeque::new(),
            timer: None,
            attempt: None,
            ending: None,
            cause: None,
            told: (None, 0),
        }
    }

    /// Drives a save, pressed or found, to its end.
    pub(super) async fn drive(&mut self, what: Happening) -> Ending {
        self.feed(what);
        loop {
            if let Some(ending) = self.ended() {
                return ending;
            }
            let stopped = self.world.stopped.clone();
            let what = tokio::select! {
                () = stopped.cancelled() => return Ending::Interrupted,
                what = self.next() => what,
            };
            self.feed(what);
        }
    }

    /// The person has what they need: key and text go.
    pub(super) fn forget(&mut self, key: Key) {
        self.feed(Happening::Forget(key));
    }

    /// Where the save is kept, if it is.
    pub(super) fn held(&self) -> Option<&Held> {
        self.world.held.as_ref().ok()
    }

    /// Whether the save would be lost with this process.
    pub(super) fn is_only_here(&self) -> bool {
        self.state.is_only_here()
    }

    fn ended(&mut self) -> Option<Ending> {
        match self.state.line() {
            Line::Saved | Line::Idle | Line::Settled { .. } => {
                Some(self.ending.take().unwrap_or(Ending::Settled))
            }
            Line::Refused { status, detail } => Some(Ending::Refused { status, detail }),
            Line::Stale => Some(Ending::Stale),
            Line::Saving | Line::Retrying { .. } | Line::Offline => None,
        }
    }

    /// Waits for what the machine waits for: its attempt, or its timer.
    async fn next(&mut self) -> Happening {
        let answer = async {
            match &mut self.attempt {
                Some((_, exchange)) => exchange.await,
                None => pending().await,
            }
        };
        let alarm = async {
            match &mut self.timer {
                Some((number, sleep)) => {
                    sleep.await;
                    *number
                }
                None => pending().await,
            }
        };
        tokio::select! {
            answer = answer => self.answered(answer),
            number = alarm => {
                self.timer = None;
                Happening::Timer(number)
            }
        }
    }

    fn answered(&mut self, answer: Result<Reply, Silence>) -> Happening {
        let Some((attempt, _)) = self.attempt.take() else {
            return Happening::Foreground;
        };
        match answer {
            Ok(reply) => Happening::Replied(attempt, reply),
            Err((why, cause)) => {
                self.cause = cause;
                Happening::Unanswered(attempt, why)
            }
        }
    }

    fn feed(&mut self, what: Happening) {
        self.inbox.push_back(what);
        while let Some(what) = self.inbox.pop_front() {
            let event = SaveEvent {
                now_ms: now_ms(),
                random: random(),
                what,
            };
            let (state, effects) = step(std::mem::take(&mut self.state), event);
            self.state = state;
            for effect in effects {
                self.perform(effect);
            }
        }
        self.tell();
    }

    fn perform(&mut self, effect: SaveEffect) {
        match effect {
            SaveEffect::Store(entry, write) => {
                let kept = self.store(&entry, write);
                self.inbox.push_back(Happening::Store(entry.key, kept));
            }
            SaveEffect::Remove(_) => self.remove(),
            SaveEffect::Reduce(_, link) => {
                self.remove();
                self.ending = Some(Ending::Known(link));
            }
            SaveEffect::Send {
                attempt,
                request,
                timeout_ms,
            } => {
                let exchange = upload::send(
                    self.world.client.clone(),
                    self.world.server.clone(),
                    attempt.key,
                    request,
                    self.world.screen.bar().clone(),
                    Duration::from_millis(timeout_ms),
                );
                self.attempt = Some((attempt, Box::pin(exchange)));
            }
            SaveEffect::Abort(attempt) => {
                self.attempt = self.attempt.take().filter(|(of, _)| *of != attempt);
            }
            SaveEffect::Wait { timer, delay_ms } => {
                let alarm = Box::pin(sleep(Duration::from_millis(delay_ms)));
                self.timer = Some((timer, alarm));
            }
            SaveEffect::Succeeded { created, .. } => self.ending = Some(Ending::Saved(created)),
            // There is no draft and no list, and the result is shown as soon as it is there.
            SaveEffect::DropDraft(_) | SaveEffect::List(..) | SaveEffect::ResultsReady => {}
        }
    }

    fn store(&self, entry: &Entry, write: Write) -> Kept {
        let written = match &self.world.held {
            Ok(held) => held
                .write(&self.world.server, entry, write)
                .map_err(|(kept, error)| (kept, error.to_string())),
            Err(why) => Err((Kept::Blocked, why.clone())),
        };
        match written {
            Ok(()) => Kept::Stored,
            Err((kept, error)) => {
                if write == Write::New {
                    self.world.screen.say(&words::only_in_memory(&error));
                }
                kept
            }
        }
    }

    fn remove(&self) {
        if let Some(held) = self.held() {
            held.remove();
        }
    }

    /// Says why it waits: the first time, the second, the fourth, …
    fn tell(&mut self) {
        let Line::Retrying { why, delay_ms } = self.state.line() else {
            return;
        };
        let (before, times) = self.told;
        let times = if before == Some(why) { times + 1 } else { 1 };
        self.told = (Some(why), times);
        if times.is_power_of_two() {
            let line = words::waiting(why, self.cause.as_deref(), delay_ms);
            self.world.screen.say(&line);
        }
    }
}

/// Milliseconds since the Unix epoch.
pub(super) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    })
}

/// A random fraction of 2^32. Without luck a wait is the longest; nothing worse follows from that.
fn random() -> u32 {
    let mut bytes = [u8::MAX; 4];
    getrandom::fill(&mut bytes).ok();
    u32::from_ne_bytes(bytes)
}
