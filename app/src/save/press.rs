//! What the person starts, replaces and gives up.

use super::attempt;
use super::effect::{SaveEffect, Write};
use super::entry::{Entry, Outcome};
use super::key::Key;
use super::state::{Phase, Save, Source};
use super::step::Step;
use crate::wire::paste::CreateRequest;
use std::sync::Arc;

/// Save was pressed. A text that is being saved, or has just been, is not saved again: one press, one paste.
pub(super) fn press(step: &mut Step, key: Key, request: Arc<CreateRequest>) {
    if step
        .state
        .newest()
        .is_some_and(|save| save.has_text(&request))
    {
        return;
    }
    let entry = Entry::new(key, request, step.now_ms);
    let save = Save::new(
        entry,
        Source {
            pressed: true,
            in_editor: true,
        },
    );
    if step.state.is_unresolved() {
        enqueue(step, save);
    } else {
        replace(step, save);
    }
}

/// The save before it is resolved first; the new one is in storage meanwhile.
fn enqueue(step: &mut Step, save: Save) {
    for earlier in step.state.saves_mut() {
        earlier.source.in_editor = false;
    }
    step.run(SaveEffect::Store(save.entry.clone(), Write::New));
    step.state.queue.push(save);
}

/// The save takes the place of one that has ended. A failed text that stood in the editor is superseded.
fn replace(step: &mut Step, save: Save) {
    let is_superseded = |old: &Save| {
        // What was settled in another tab is that tab's, and what exists waits to be shown.
        let is_kept = matches!(old.phase, Phase::Settled) || old.is_replay();
        old.has_failed() && old.source.in_editor && !is_kept
    };
    if let Some(old) = step.current_if(is_superseded) {
        let key = old.entry.key;
        step.run(SaveEffect::Remove(key));
    }
    step.state.current = Some(save);
    attempt::begin(step);
}

/// An entry was found in storage. Only an idle machine takes it up.
pub(super) fn found(step: &mut Step, mut entry: Entry, in_editor: bool) {
    if step.state.current.is_some() {
        return;
    }
    entry.wake_up(step.now_ms);
    let refusal = match &entry.outcome {
        Outcome::Refused { status, detail } => Some(Phase::Refused {
            status: *status,
            detail: detail.clone(),
        }),
        Outcome::Pending | Outcome::Saved(_) => None,
    };
    step.state.current = Some(Save::new(
        entry,
        Source {
            pressed: false,
            in_editor,
        },
    ));
    match refusal {
        Some(phase) => step.set_phase(phase),
        None => attempt::begin(step),
    }
}

/// Back in the editor: what was saved is history, and the same text may be saved again.
pub(super) fn returned(step: &mut Step) {
    if step
        .current_if(|save| matches!(save.phase, Phase::Saved))
        .is_some()
    {
        step.state.current = None;
    }
    attempt::resume(step);
}

/// Key and text of a save go, wherever it stands.
pub(super) fn forget(step: &mut Step, key: Key) {
    step.run(SaveEffect::Remove(key));
    step.state.queue.retain(|save| save.entry.key != key);
    let Some(save) = step.current_if(|save| save.entry.key == key) else {
        return;
    };
    if let Some(attempt) = save.in_flight() {
        step.run(SaveEffect::Abort(attempt));
    }
    attempt::next(step);
}
