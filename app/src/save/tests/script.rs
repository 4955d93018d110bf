//! A machine driven by hand, one event at a time, with effects as short words.

use super::super::{
    Attempt, Happening, Kept, Key, Outcome, Reply, SaveEffect, SaveEvent, SaveState, Unanswered,
    Write, step,
};
use super::{NOON_MS, created, created_reply, key, request};

/// A machine, its clock and what it asked for last.
pub(super) struct Script {
    pub(super) state: SaveState,
    pub(super) now_ms: u64,
    pub(super) effects: Vec<SaveEffect>,
}

impl Script {
    pub(super) fn new() -> Self {
        Self {
            state: SaveState::default(),
            now_ms: NOON_MS,
            effects: Vec::new(),
        }
    }

    /// Feeds one event and returns the effects in words.
    pub(super) fn feed(&mut self, what: Happening) -> Vec<String> {
        let state = std::mem::take(&mut self.state);
        // Half of 2^32: every jittered wait is half its ceiling.
        let event = SaveEvent {
            now_ms: self.now_ms,
            random: 1 << 31,
            what,
        };
        (self.state, self.effects) = step(state, event);
        self.effects.iter().map(word).collect()
    }

    pub(super) fn press(&mut self, number: u32, content: &str) -> Vec<String> {
        self.feed(Happening::Press {
            key: key(number),
            request: request(content),
        })
    }

    pub(super) fn kept(&mut self, number: u32, kept: Kept) -> Vec<String> {
        self.feed(Happening::Store(key(number), kept))
    }

    /// Presses Save and lets storage take it: the first attempt is under way.
    pub(super) fn send(&mut self, number: u32, content: &str) -> Attempt {
        self.press(number, content);
        self.kept(number, Kept::Stored);
        self.attempt()
    }

    /// The attempt that was sent last.
    pub(super) fn attempt(&self) -> Attempt {
        let sent = self.effects.iter().find_map(|effect| match effect {
            SaveEffect::Send { attempt, .. } => Some(*attempt),
            _ => None,
        });
        sent.expect("an attempt was sent")
    }

    /// Goes from a wait to the next attempt.
    pub(super) fn retry(&mut self) -> Attempt {
        let timer = self.state.timers;
        self.feed(Happening::Timer(timer));
        let key = self.state.current.as_ref().unwrap().entry.key;
        self.feed(Happening::Store(key, Kept::Stored));
        self.attempt()
    }

    pub(super) fn known(&mut self, number: u32, outcome: Outcome) -> Vec<String> {
        self.feed(Happening::Known(key(number), outcome))
    }

    pub(super) fn reply(&mut self, attempt: Attempt, reply: Reply) -> Vec<String> {
        self.feed(Happening::Replied(attempt, reply))
    }

    pub(super) fn succeed(&mut self, attempt: Attempt) -> Vec<String> {
        self.reply(attempt, created_reply(&created("00abcdefghijkl")))
    }

    pub(super) fn lose(&mut self, attempt: Attempt) -> Vec<String> {
        self.feed(Happening::Unanswered(attempt, Unanswered::Network))
    }
}

/// An effect as a word and the number of its key.
fn word(effect: &SaveEffect) -> String {
    let key = |key: &Key| key.as_str()[24..].trim_start_matches('0').to_owned();
    match effect {
        SaveEffect::DropDraft(_) => "drop-draft".into(),
        SaveEffect::Store(entry, Write::New) => format!("store {}", key(&entry.key)),
        SaveEffect::Store(entry, Write::Update) => format!("update {}", key(&entry.key)),
        SaveEffect::Remove(removed) => format!("remove {}", key(removed)),
        SaveEffect::Reduce(reduced, link) => format!("reduce {} {}", key(reduced), link.id),
        SaveEffect::Send { attempt, .. } => format!("send {}", key(&attempt.key)),
        SaveEffect::Abort(attempt) => format!("abort {}", key(&attempt.key)),
        SaveEffect::Wait { delay_ms, .. } => format!("wait {delay_ms}"),
        SaveEffect::List(created, _) => format!("list {}", created.id),
        SaveEffect::Succeeded {
            key: saved,
            show_here,
            ..
        } => {
            format!(
                "succeeded {}{}",
                key(saved),
                if show_here.is_some() { " here" } else { "" }
            )
        }
        SaveEffect::ResultsReady => "results-ready".into(),
    }
}
