//! The step: one event, one new state, the effects in order.

use super::effect::SaveEffect;
use super::event::{Happening, SaveEvent};
use super::state::{Phase, Save, SaveState};
use super::{attempt, outcome, press};

/// A step under way.
pub(super) struct Step {
    pub(super) state: SaveState,
    pub(super) effects: Vec<SaveEffect>,
    pub(super) now_ms: u64,
    pub(super) random: u32,
}

/// Takes one event in: the next state, and what to do, in this order, before the next event.
#[must_use]
pub fn step(state: SaveState, event: SaveEvent) -> (SaveState, Vec<SaveEffect>) {
    let SaveEvent {
        now_ms,
        random,
        what,
    } = event;
    let mut step = Step {
        state,
        effects: Vec::new(),
        now_ms,
        random,
    };
    step.let_time_pass();
    match what {
        Happening::Press { key, request } => press::press(&mut step, key, request),
        Happening::Found { entry, in_editor } => press::found(&mut step, entry, in_editor),
        Happening::Store(key, kept) => outcome::stored(&mut step, key, kept),
        Happening::Known(key, outcome) => outcome::known(&mut step, key, &outcome),
        Happening::Replied(attempt, reply) => outcome::replied(&mut step, attempt, &reply),
        Happening::Unanswered(attempt, why) => outcome::unanswered(&mut step, attempt, why),
        Happening::Timer(timer) => attempt::timer(&mut step, timer),
        Happening::Offline => step.state.offline = true,
        Happening::Online => {
            step.state.offline = false;
            attempt::resume(&mut step);
        }
        Happening::Foreground => attempt::resume(&mut step),
        Happening::Returned => press::returned(&mut step),
        Happening::Forget(key) => press::forget(&mut step, key),
    }
    (step.state, step.effects)
}

impl Step {
    fn let_time_pass(&mut self) {
        for save in self.state.saves_mut() {
            save.entry.grow_older(self.now_ms);
        }
    }

    pub(super) fn run(&mut self, effect: SaveEffect) {
        self.effects.push(effect);
    }

    /// The save that is driven, if `test` says it is the one meant.
    pub(super) fn current_if(&mut self, test: impl FnOnce(&Save) -> bool) -> Option<&mut Save> {
        self.state.current.as_mut().filter(|save| test(save))
    }

    pub(super) fn set_phase(&mut self, phase: Phase) {
        if let Some(save) = &mut self.state.current {
            save.phase = phase;
        }
    }
}
