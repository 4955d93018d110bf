//! Drives one save machine: carries its effects out and feeds the answers back. It decides nothing.

use crate::browser::request::{self, Body, Limit, Sending};
use crate::browser::timer::{self, Timer};
use crate::browser::{clock, page, storage};
use crate::save::{
    Attempt, Happening, Key, SaveEffect, SaveEvent, SaveState, Unanswered, Write, step,
};
use crate::wire::created::Created;
use crate::wire::paste::CreateRequest;
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

/// What the page has to know or to do.
pub(super) enum Notice<'a> {
    /// The draft's text is about to be stored as an entry.
    DropDraft,
    /// A save was begun by a press.
    Begun(Key),
    /// A save has its 201. See [`SaveEffect::Succeeded`].
    Succeeded {
        key: Key,
        created: Created,
        show_here: bool,
    },
    /// All results can be shown from storage.
    ResultsReady,
    /// The state has changed.
    Changed(&'a SaveState),
}

type Tell = Box<dyn Fn(&Rc<Driver>, Notice<'_>)>;

/// A machine with its timer, its attempt and the page it tells.
pub(super) struct Driver {
    address: String,
    tell: Tell,
    state: Cell<SaveState>,
    inbox: Cell<Vec<Happening>>,
    is_running: Cell<bool>,
    timer: Cell<Option<Timer>>,
    attempt: Cell<Option<(Attempt, Limit)>>,
    body: Cell<Option<(Key, Body)>>,
}

impl Driver {
    /// An idle machine that sends saves to `address`.
    pub(super) fn new(address: &str, tell: impl Fn(&Rc<Self>, Notice<'_>) + 'static) -> Rc<Self> {
        let driver = Rc::new(Self {
            address: address.to_owned(),
            tell: Box::new(tell),
            state: Cell::default(),
            inbox: Cell::default(),
            is_running: Cell::default(),
            timer: Cell::default(),
            attempt: Cell::default(),
            body: Cell::default(),
        });
        let woken = driver.clone();
        page::on_wake(move |what| woken.feed(what));
        if page::is_offline() {
            driver.feed(Happening::Offline);
        }
        driver
    }

    /// Takes an event in. One that comes up while another is carried out waits for its turn.
    pub(super) fn feed(self: &Rc<Self>, what: Happening) {
        let mut inbox = self.inbox.take();
        inbox.push(what);
        self.inbox.set(inbox);
        if self.is_running.replace(true) {
            return;
        }
        loop {
            let arrived = self.inbox.take();
            if arrived.is_empty() {
                break;
            }
            arrived.into_iter().for_each(|what| self.step(what));
            let state = self.state.take();
            (self.tell)(self, Notice::Changed(&state));
            self.state.set(state);
        }
        self.is_running.set(false);
    }

    fn step(self: &Rc<Self>, what: Happening) {
        let event = SaveEvent {
            now_ms: clock::now_ms(),
            random: clock::random(),
            what,
        };
        let (state, effects) = step(self.state.take(), event);
        self.state.set(state);
        for effect in effects {
            self.perform(effect);
        }
    }

    fn perform(self: &Rc<Self>, effect: SaveEffect) {
        match effect {
            SaveEffect::DropDraft => (self.tell)(self, Notice::DropDraft),
            SaveEffect::Store(entry, write) => {
                if write == Write::New {
                    (self.tell)(self, Notice::Begun(entry.key));
                }
                let kept = storage::write(&entry, write);
                self.feed(Happening::Store(entry.key, kept));
            }
            SaveEffect::Remove(key) => storage::remove(key),
            SaveEffect::Reduce(key, link) => storage::reduce(key, &link),
            SaveEffect::Send {
                attempt,
                request,
                timeout_ms,
            } => self.send(attempt, &request, timeout_ms),
            SaveEffect::Abort(attempt) => self.abort(attempt),
            SaveEffect::Wait { timer, delay_ms } => self.wait(timer, delay_ms),
            SaveEffect::List(created, request) => {
                // Without room the list has a gap, and the save goes on.
                storage::list(&created, request.title.as_deref(), false);
            }
            SaveEffect::Succeeded {
                key,
                created,
                show_here,
            } => {
                (self.tell)(
                    self,
                    Notice::Succeeded {
                        key,
                        created,
                        show_here,
                    },
                );
            }
            SaveEffect::ResultsReady => (self.tell)(self, Notice::ResultsReady),
        }
    }

    fn send(self: &Rc<Self>, attempt: Attempt, request: &Arc<CreateRequest>, timeout_ms: u64) {
        let Some(limit) = Limit::new() else {
            return self.feed(Happening::Unanswered(attempt, Unanswered::Network));
        };
        self.attempt.set(Some((attempt, limit.clone())));
        let sending = Sending {
            address: self.address.clone(),
            key: attempt.key,
            body: self.body(attempt.key, request),
            limit,
            timeout_ms,
        };
        let driver = self.clone();
        request::send(sending, move |answer| {
            driver.feed(match answer {
                Ok(reply) => Happening::Replied(attempt, reply),
                Err(why) => Happening::Unanswered(attempt, why),
            });
        });
    }

    /// The body of a save, the same for each of its attempts.
    fn body(&self, key: Key, request: &CreateRequest) -> Body {
        let kept = self.body.take().filter(|(of, _)| *of == key);
        let (_, body) = kept.unwrap_or_else(|| (key, Body::new(request)));
        self.body.set(Some((key, body.clone())));
        body
    }

    fn abort(&self, attempt: Attempt) {
        let under_way = self.attempt.take();
        if let Some((_, limit)) = under_way.filter(|(of, _)| *of == attempt) {
            limit.abort();
        }
    }

    fn wait(self: &Rc<Self>, number: u32, delay_ms: u64) {
        let driver = self.clone();
        let timer = timer::after(delay_ms, move || driver.feed(Happening::Timer(number)));
        self.timer.set(Some(timer));
    }
}
