//! A world of faults: two tabs over one storage, a server that commits once a key, a network that loses, a clock that jumps.

use super::super::{
    Attempt, Entry, Happening, Kept, Key, Outcome, Record, Reply, SaveEffect, SaveEvent, SaveState,
    Standing, Write, step,
};
use super::promises::Promises;
use super::{NOON_MS, created, created_reply, key};
use crate::wire::created::Created;
use crate::wire::paste::CreateRequest;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How storage answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    Free,
    Full,
    Blocked,
}

/// A page: its machine, its timer, and the attempts it has made, those it gave up included.
#[derive(Default)]
pub(super) struct Tab {
    pub(super) state: SaveState,
    timer: Option<u32>,
    pub(super) in_flight: Option<Attempt>,
    pub(super) attempts: Vec<(Attempt, Arc<CreateRequest>)>,
}

/// Everything there is.
pub(super) struct World {
    pub(super) tabs: [Tab; 2],
    pub(super) storage: BTreeMap<Key, String>,
    /// Whether something was stored since storage was emptied.
    pub(super) is_used: bool,
    pub(super) room: Room,
    pub(super) committed: BTreeMap<Key, Created>,
    pub(super) true_ms: u64,
    pub(super) clock_ms: u64,
    pub(super) presses: u32,
    pub(super) promises: Promises,
}

impl World {
    pub(super) fn new() -> Self {
        Self {
            tabs: Default::default(),
            storage: BTreeMap::new(),
            is_used: false,
            room: Room::Free,
            committed: BTreeMap::new(),
            true_ms: NOON_MS,
            clock_ms: NOON_MS,
            presses: 0,
            promises: Promises::default(),
        }
    }

    pub(super) fn pass(&mut self, ms: u64) {
        self.true_ms += ms;
        self.clock_ms += ms;
    }

    /// Feeds an event to a tab, carries its effects out in order, and feeds storage's answers back.
    pub(super) fn feed(&mut self, tab: usize, what: Happening) {
        let mut events = vec![what];
        while let Some(what) = events.pop() {
            self.promises.event(self.true_ms, self.clock_ms, tab, &what);
            let state = std::mem::take(&mut self.tabs[tab].state);
            let random = u32::try_from(self.true_ms % (1 << 32)).unwrap();
            let event = SaveEvent {
                now_ms: self.clock_ms,
                random,
                what,
            };
            let (state, effects) = step(state, event);
            self.tabs[tab].state = state;
            Promises::batch(&effects);
            let answers = effects
                .into_iter()
                .filter_map(|effect| self.perform(tab, effect));
            let answers: Vec<_> = answers.collect();
            events.extend(answers.into_iter().rev());
        }
    }

    fn perform(&mut self, tab: usize, effect: SaveEffect) -> Option<Happening> {
        self.check(tab, &effect);
        match effect {
            SaveEffect::Store(entry, write) => return Some(self.store(tab, &entry, write)),
            SaveEffect::Remove(key) | SaveEffect::Reduce(key, _) => {
                self.storage.remove(&key);
            }
            SaveEffect::Send {
                attempt, request, ..
            } => {
                self.tabs[tab].in_flight = Some(attempt);
                self.tabs[tab].attempts.push((attempt, request));
            }
            SaveEffect::Abort(attempt) => {
                assert_eq!(self.tabs[tab].in_flight.take(), Some(attempt));
            }
            SaveEffect::Wait { timer, .. } => self.tabs[tab].timer = Some(timer),
            SaveEffect::DropDraft(_)
            | SaveEffect::List(..)
            | SaveEffect::Succeeded { .. }
            | SaveEffect::ResultsReady => {}
        }
        None
    }

    fn store(&mut self, tab: usize, entry: &Entry, write: Write) -> Happening {
        let stored = self.stored(entry.key);
        let is_there = stored.is_some();
        if let Some(stored) = stored.filter(|stored| entry.outcome.yields_to(&stored.outcome)) {
            self.promises.known(tab, entry.key);
            return Happening::Known(entry.key, stored.outcome);
        }
        let kept = match (self.room, write) {
            (Room::Blocked, _) => Kept::Blocked,
            (_, Write::Update) if !is_there && self.is_used => Kept::Gone,
            (_, Write::Update) if !is_there => Kept::Emptied,
            (Room::Full, _) => Kept::Full,
            (Room::Free, _) => Kept::Stored,
        };
        if kept == Kept::Stored {
            let json = serde_json::to_string(&Record::of_entry(entry)).unwrap();
            self.storage.insert(entry.key, json);
            self.is_used = true;
        }
        self.promises.stored(self.true_ms, tab, entry, kept);
        Happening::Store(entry.key, kept)
    }

    /// The entry of a key as a page reads it.
    fn stored(&self, key: Key) -> Option<Entry> {
        let json = self.storage.get(&key);
        let json = json.filter(|_| self.room != Room::Blocked)?;
        Record::read(json)?.into_entry()
    }

    /// What other tabs have done to a tab's save reaches it. Nobody is told of a storage that is emptied.
    pub(super) fn hear(&mut self, tab: usize) {
        let Some(key) = self.tabs[tab].state.key() else {
            return;
        };
        if self.room == Room::Blocked || !self.promises.was_stored(tab, key) {
            return;
        }
        match self.stored(key).map(|entry| entry.outcome) {
            None if !self.promises.emptied.contains(&key) => {
                self.feed(tab, Happening::Store(key, Kept::Gone));
            }
            None | Some(Outcome::Pending) => {}
            Some(outcome) => self.feed(tab, Happening::Known(key, outcome)),
        }
    }

    /// Saves a text under a fresh key.
    pub(super) fn press(&mut self, tab: usize, request: Arc<CreateRequest>) {
        self.presses += 1;
        let key = key(self.presses);
        self.promises.pressed(key, &request);
        self.feed(tab, Happening::Press { key, request });
    }

    /// The server takes an attempt in: the first of a key commits, the others get the stored 201.
    pub(super) fn commit(&mut self, attempt: Attempt) -> Reply {
        let id = format!("id{}", self.committed.len());
        let stored = self
            .committed
            .entry(attempt.key)
            .or_insert_with(|| created(&id));
        created_reply(stored)
    }

    /// The answer to an attempt reaches its tab.
    pub(super) fn answer(&mut self, tab: usize, attempt: Attempt, reply: Option<Reply>) {
        use super::super::Unanswered;
        let in_flight = &mut self.tabs[tab].in_flight;
        let is_current = *in_flight == Some(attempt);
        if is_current {
            *in_flight = None;
        }
        match reply {
            Some(reply) => {
                let is_final =
                    (400..500).contains(&reply.status) && ![408, 425, 429].contains(&reply.status);
                if is_current && is_final {
                    self.promises.refused(tab, attempt.key);
                }
                self.feed(tab, Happening::Replied(attempt, reply));
            }
            None => self.feed(tab, Happening::Unanswered(attempt, Unanswered::Timeout)),
        }
    }

    pub(super) fn fire_timer(&mut self, tab: usize) {
        if let Some(timer) = self.tabs[tab].timer.take() {
            self.feed(tab, Happening::Timer(timer));
        }
    }

    /// The page is loaded anew: the machine starts over with an entry found in storage. What is on its way may arrive.
    pub(super) fn reload(&mut self, tab: usize, in_editor: bool) {
        self.tabs[tab] = Tab::default();
        self.promises.reloaded(tab);
        let found = self.entries().into_iter().find(|entry| {
            let standing = entry.standing(self.clock_ms);
            matches!(
                standing,
                Standing::Resume | Standing::Stale | Standing::Refused
            )
        });
        if let Some(entry) = found {
            self.feed(tab, Happening::Found { entry, in_editor });
        }
    }

    /// What storage gives out, pending saves first.
    pub(super) fn entries(&self) -> Vec<Entry> {
        if self.room == Room::Blocked {
            return Vec::new();
        }
        let stored = self.storage.values();
        let mut entries: Vec<Entry> = stored
            .map(|json| Record::read(json).unwrap().into_entry().unwrap())
            .collect();
        entries.sort_by_key(|entry| entry.standing(self.clock_ms) != Standing::Resume);
        entries
    }
}
