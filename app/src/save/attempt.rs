//! When an attempt is made, and when not.

use super::backoff::{attempt_ms, delay_ms};
use super::effect::{SaveEffect, Write};
use super::entry::Outcome;
use super::event::{Attempt, Kept};
use super::line::Why;
use super::state::Phase;
use super::step::Step;

/// Begins an attempt of the current save: its entry is written first, with the age it has now.
pub(super) fn begin(step: &mut Step) {
    let Some(save) = &mut step.state.current else {
        return;
    };
    if save.entry.is_too_old() {
        return give_up(step);
    }
    let write = match save.kept {
        Some(Kept::Gone) => return settle(step),
        Some(Kept::Emptied) => return send(step),
        _ if save.is_in_storage() => Write::Update,
        _ => Write::New,
    };
    save.phase = Phase::Storing;
    let entry = save.entry.clone();
    step.run(SaveEffect::Store(entry, write));
}

/// Sends the current save. Whether or not storage holds it is known by now.
pub(super) fn send(step: &mut Step) {
    let Some(save) = &mut step.state.current else {
        return;
    };
    if save.entry.is_too_old() {
        return give_up(step);
    }
    step.state.attempts += 1;
    let number = step.state.attempts;
    let request = save.entry.request.clone();
    let timeout_ms = attempt_ms(request.content.len());
    let due_age_ms = save.entry.age_ms.saturating_add(timeout_ms);
    save.phase = Phase::Sending { number, due_age_ms };
    let attempt = Attempt {
        key: save.entry.key,
        number,
    };
    step.run(SaveEffect::Send {
        attempt,
        request,
        timeout_ms,
    });
}

/// Waits for the next attempt of the current save.
pub(super) fn wait(step: &mut Step, why: Why, retry_after_seconds: Option<u64>) {
    let Some(save) = &mut step.state.current else {
        return;
    };
    save.failures = save.failures.saturating_add(1);
    let delay_ms = delay_ms(save.failures, retry_after_seconds, step.random);
    step.state.timers += 1;
    let timer = step.state.timers;
    save.phase = Phase::Waiting {
        timer,
        delay_ms,
        why,
    };
    step.run(SaveEffect::Wait { timer, delay_ms });
}

/// The wait is over, if this is its timer.
pub(super) fn timer(step: &mut Step, number: u32) {
    let is_due = |phase: &Phase| matches!(phase, Phase::Waiting { timer, .. } if *timer == number);
    if step.current_if(|save| is_due(&save.phase)).is_some() {
        begin(step);
    }
}

/// Goes on at once: a wait ends, and an attempt that has outlived its time, since the machine slept, is given up.
pub(super) fn resume(step: &mut Step) {
    let Some(save) = &mut step.state.current else {
        return;
    };
    match save.phase {
        Phase::Waiting { .. } => begin(step),
        Phase::Sending { due_age_ms, .. } if save.entry.age_ms >= due_age_ms => {
            save.failures = save.failures.saturating_add(1);
            if let Some(attempt) = save.in_flight() {
                step.run(SaveEffect::Abort(attempt));
            }
            begin(step);
        }
        _ => {}
    }
}

/// Nothing is sent after 24 hours. What is known to exist is reduced to its link; else the person decides.
fn give_up(step: &mut Step) {
    let Some(save) = &mut step.state.current else {
        return;
    };
    if let Outcome::Saved(link) = &save.entry.outcome {
        let reduce = SaveEffect::Reduce(save.entry.key, link.clone());
        step.run(reduce);
        return next(step);
    }
    save.phase = Phase::Stale;
    go_on(step);
}

/// Another tab has ended the save: nothing more is sent for it here.
pub(super) fn settle(step: &mut Step) {
    step.set_phase(Phase::Settled);
    go_on(step);
}

/// The current save is over and needs nobody any more: the next one in line, or idle.
pub(super) fn next(step: &mut Step) {
    let queue = &mut step.state.queue;
    step.state.current = (!queue.is_empty()).then(|| queue.remove(0));
    begin(step);
}

/// The current save has ended; it stays in view unless another one waits.
pub(super) fn go_on(step: &mut Step) {
    if !step.state.queue.is_empty() {
        next(step);
    }
}
