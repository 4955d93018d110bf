//! What must hold at every step of every walk.

use super::super::entry::AGE_MS_MAX;
use super::super::{
    ATTEMPT_MS_MIN, DELAY_MS_MAX, Entry, Happening, Kept, Key, RETRY_AFTER_MS_MAX, SaveEffect,
};
use super::world::{Room, World};
use crate::wire::created::Created;
use crate::wire::paste::CreateRequest;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What the world remembers to judge the machines by.
#[derive(Default)]
pub(super) struct Promises {
    /// The text each press was made with.
    pressed: BTreeMap<Key, Arc<CreateRequest>>,
    /// What storage last told a tab of a key.
    told: BTreeMap<(usize, Key), Kept>,
    /// Keys a tab was refused for good.
    refused: BTreeSet<(usize, Key)>,
    /// Keys whose paste was put on the list by a tab that storage had told of no other.
    listed: BTreeSet<Key>,
    /// Keys that were in storage when it was emptied.
    pub(super) emptied: BTreeSet<Key>,
    /// Tabs that showed a result which storage does not hold.
    shown_here: BTreeSet<usize>,
    /// When a key was first sent, in true time.
    first_sent_ms: BTreeMap<Key, u64>,
    /// True and clock time of each tab's last event, and of each key's last write.
    last_event: BTreeMap<usize, (u64, u64)>,
    last_write: BTreeMap<Key, (u64, u64)>,
    /// True time that clocks set back have hidden from the machines.
    hidden_ms: u64,
    /// Entries that must be in storage until somebody asks for their removal.
    pub(super) owed: BTreeSet<Key>,
    /// Entries that were marked as shown.
    pub(super) shown: BTreeSet<Key>,
    /// The event that is being carried out.
    forgetting: Option<Key>,
    pressing: bool,
}

impl Promises {
    pub(super) fn pressed(&mut self, key: Key, request: &Arc<CreateRequest>) {
        self.pressed.insert(key, request.clone());
    }

    pub(super) fn event(&mut self, true_ms: u64, clock_ms: u64, tab: usize, what: &Happening) {
        if let Happening::Found { entry, .. } = what {
            let written = self.last_write.get(&entry.key).copied();
            self.hide(written, (true_ms, clock_ms));
        }
        let last = self.last_event.insert(tab, (true_ms, clock_ms));
        self.hide(last, (true_ms, clock_ms));
        match what {
            Happening::Forget(key) => self.forgetting = Some(*key),
            Happening::Press { .. } => self.pressing = true,
            Happening::Store(..) => {}
            _ => (self.forgetting, self.pressing) = (None, false),
        }
    }

    /// Adds the part of the time between two looks that the clock did not show.
    fn hide(&mut self, then: Option<(u64, u64)>, (true_ms, clock_ms): (u64, u64)) {
        if let Some((then_true_ms, then_clock_ms)) = then {
            let shown_ms = clock_ms.saturating_sub(then_clock_ms);
            self.hidden_ms += (true_ms - then_true_ms).saturating_sub(shown_ms);
        }
    }

    pub(super) fn reloaded(&mut self, tab: usize) {
        self.refused.retain(|(of, _)| *of != tab);
        self.told.retain(|(of, _), _| *of != tab);
        self.shown_here.remove(&tab);
    }

    pub(super) fn refused(&mut self, tab: usize, key: Key) {
        self.refused.insert((tab, key));
    }

    pub(super) fn stored(&mut self, true_ms: u64, tab: usize, entry: &Entry, kept: Kept) {
        self.told.insert((tab, entry.key), kept);
        if kept == Kept::Stored {
            self.emptied.remove(&entry.key);
            self.last_write.insert(entry.key, (true_ms, entry.seen_ms));
            self.owed.insert(entry.key);
        }
    }

    /// Storage knows more than a tab wanted to write.
    pub(super) fn known(&mut self, tab: usize, key: Key) {
        self.told.insert((tab, key), Kept::Stored);
    }

    pub(super) fn was_stored(&self, tab: usize, key: Key) -> bool {
        self.told.get(&(tab, key)) == Some(&Kept::Stored)
    }

    /// Storing comes first and is answered first.
    pub(super) fn batch(effects: &[SaveEffect]) {
        for effect in effects {
            if let SaveEffect::Store(entry, _) = effect {
                let sent = |later: &SaveEffect| matches!(later, SaveEffect::Send { attempt, .. } if attempt.key == entry.key);
                assert!(!effects.iter().any(sent), "stored and sent in one step");
            }
        }
    }
}

impl World {
    /// Judges an effect before it is carried out.
    pub(super) fn check(&mut self, tab: usize, effect: &SaveEffect) {
        match effect {
            SaveEffect::Send {
                attempt,
                request,
                timeout_ms,
            } => {
                assert!((ATTEMPT_MS_MIN..=DELAY_MS_MAX).contains(timeout_ms));
                assert_eq!(self.tabs[tab].in_flight, None, "two attempts at once");
                self.check_sent(tab, attempt.key, request);
            }
            SaveEffect::Wait { delay_ms, .. } => {
                assert!(*delay_ms <= RETRY_AFTER_MS_MAX);
                assert_eq!(
                    self.tabs[tab].in_flight, None,
                    "waits while an attempt is under way"
                );
            }
            SaveEffect::Store(entry, _) => {
                assert_eq!(
                    self.promises.pressed[&entry.key], entry.request,
                    "one key, one text"
                );
            }
            SaveEffect::Remove(key) => {
                let asked = self.promises.forgetting == Some(*key) || self.promises.pressing;
                assert!(asked, "a text was thrown away");
                self.promises.owed.remove(key);
                self.promises.shown.remove(key);
            }
            SaveEffect::Reduce(key, link) => {
                assert_eq!(self.committed[key].url, link.url);
                self.promises.owed.remove(key);
                self.promises.shown.remove(key);
            }
            SaveEffect::Succeeded {
                key,
                created,
                show_here,
                ..
            } => {
                assert_eq!(self.committed[key], *created, "a success that is none");
                if show_here.is_some() {
                    self.promises.shown_here.insert(tab);
                } else {
                    assert!(
                        self.storage.contains_key(key),
                        "a result that nobody will see"
                    );
                }
            }
            SaveEffect::ResultsReady => {
                assert!(
                    !self.promises.shown_here.contains(&tab),
                    "a shown result would be lost"
                );
            }
            SaveEffect::List(created, request) => {
                let is_of = |(key, saved): (&Key, &Created)| {
                    saved == created && self.promises.pressed[key] == *request
                };
                let found = self.committed.iter().find(|pair| is_of(*pair));
                let key = *found.expect("listed, and no paste").0;
                if self.promises.was_stored(tab, key) && self.room == Room::Free {
                    assert!(self.promises.listed.insert(key), "listed twice");
                }
            }
            SaveEffect::DropDraft(request) => self.check_dropped(tab, request),
            SaveEffect::Abort(_) => {}
        }
    }

    /// A draft goes when its text is in storage, or saved.
    fn check_dropped(&self, tab: usize, request: &Arc<CreateRequest>) {
        let promises = &self.promises;
        let is_safe = |(key, text): (&Key, &Arc<CreateRequest>)| {
            let is_kept = promises.was_stored(tab, *key) && self.storage.contains_key(key);
            text == request && (is_kept || self.committed.contains_key(key))
        };
        assert!(promises.pressed.iter().any(is_safe), "a draft was lost");
    }

    fn check_sent(&mut self, tab: usize, key: Key, request: &Arc<CreateRequest>) {
        let promises = &mut self.promises;
        assert_eq!(promises.pressed[&key], *request, "one key, one text");
        let told = promises.told.get(&(tab, key));
        assert!(told.is_some(), "sent before storage had answered");
        if told == Some(&Kept::Stored) {
            assert!(self.storage.contains_key(&key), "not in storage when sent");
        }
        assert!(
            !promises.refused.contains(&(tab, key)),
            "sent after a final no"
        );
        let first_ms = *promises.first_sent_ms.entry(key).or_insert(self.true_ms);
        let age_ms = self.true_ms - first_ms;
        assert!(
            age_ms < AGE_MS_MAX + promises.hidden_ms,
            "sent again after 24 hours"
        );
    }

    /// What is said to exist does.
    pub(super) fn check_fetching(&self, tab: usize) {
        let state = &self.tabs[tab].state;
        if state.is_fetching() {
            assert!(self.committed.contains_key(&state.key().unwrap()));
        }
    }

    /// Nothing that was stored is missing unless somebody asked.
    pub(super) fn check_storage(&self) {
        for key in &self.promises.owed {
            assert!(self.storage.contains_key(key), "an entry is missing");
        }
        for entry in self.entries() {
            let was_shown = self.promises.shown.contains(&entry.key);
            assert!(entry.is_shown == was_shown, "shown is not what was shown");
        }
    }
}
