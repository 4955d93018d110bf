//! Drives one save machine: carries its effects out and feeds the answers back. It decides nothing.

use crate::browser::request::{self, Body, Limit, Sending};
use crate::browser::timer::{self, Timer};
use crate::browser::{clock, elsewhere, page, storage};
use crate::save::{
    Attempt, Happening, Kept, Key, SaveEffect, SaveEvent, SaveState, Unanswered, Write, step,
};
use crate::wire::created::Created;
use crate::wire::paste::CreateRequest;
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

/// What the page has to know or to do.
pub(super) enum Notice<'a> {
    /// This text is stored as an entry, or saved.
    DropDraft(Arc<CreateRequest>),
    /// A save was begun by a press.
    Begun(Key),
    /// A save has its 201. See [`SaveEffect::Succeeded`].
    Succeeded(Success),
    /// All results can be shown from storage.
    ResultsReady,
    /// The state has changed.
    Changed(&'a SaveState),
}

/// A save with its 201.
pub(super) struct Success {
    pub(super) key: Key,
    pub(super) created: Created,
    pub(super) request: Arc<CreateRequest>,
    pub(super) show_here: Option<Kept>,
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
        let told = driver.clone();
        elsewhere::on_settled(move |what| told.feed(what));
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

    /// The save that is driven, and its text.
    pub(super) fn current(&self) -> Option<(Key, Arc<CreateRequest>)> {
        self.ask(|state| Some((state.key()?, state.request()?.clone())))
    }

    /// Whether this text is in storage as a save, or saved.
    pub(super) fn holds(&self, request: &CreateRequest) -> bool {
        self.ask(|state| state.holds(request))
    }

    fn ask<T>(&self, question: impl Fn(&SaveState) -> T) -> T {
        let state = self.state.take();
        let answer = question(&state);
        self.state.set(state);
        answer
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
            SaveEffect::DropDraft(request) => (self.tell)(self, Notice::DropDraft(request)),
            SaveEffect::Store(entry, write) => {
                if write == Write::New {
                    (self.tell)(self, Notice::Begun(entry.key));
                }
                self.feed(storage::write(&entry, write));
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
                storage::list_new(&created, request.title.as_deref());
            }
            SaveEffect::Succeeded {
                key,
                created,
                request,
                show_here,
            } => {
                let success = Success {
                    key,
                    created,
                    request,
                    show_here,
                };
                (self.tell)(self, Notice::Succeeded(success));
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
