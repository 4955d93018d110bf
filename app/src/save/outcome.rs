//! What answers do: of storage, of the network, of the server.

use super::attempt;
use super::classify::{Verdict, classify};
use super::effect::{SaveEffect, Write};
use super::entry::{Link, Outcome};
use super::event::{Attempt, Kept, Reply, Unanswered};
use super::key::Key;
use super::line::Why;
use super::state::Phase;
use super::step::Step;
use crate::wire::created::Created;

/// Storage answered. A first attempt waits for this, and so does the showing of a result.
pub(super) fn stored(step: &mut Step, key: Key, kept: Kept) {
    let saves = step.state.saves_mut();
    for save in saves.filter(|save| save.entry.key == key) {
        // What cannot be written over is still there, and brings the same result.
        let stays = kept == Kept::Full && save.is_in_storage();
        save.kept = Some(if stays { Kept::Stored } else { kept });
    }
    let Some(save) = step.current_if(|save| save.entry.key == key) else {
        return;
    };
    match &save.phase {
        Phase::Storing if kept == Kept::Gone && !save.source.pressed => attempt::next(step),
        Phase::Storing => attempt::send(step),
        Phase::Recording(created) => {
            let created = created.clone();
            show(step, created);
        }
        _ => {}
    }
}

/// An answer came. A 201 counts whichever attempt brings it; anything else only from the attempt under way.
pub(super) fn replied(step: &mut Step, attempt: Attempt, reply: &Reply) {
    match classify(reply) {
        Verdict::Saved(created) => saved(step, attempt, created),
        Verdict::Refused { status, detail } => refused(step, attempt, status, detail),
        Verdict::Again {
            status,
            retry_after_seconds,
        } => {
            again(step, attempt, Why::Status(status), retry_after_seconds);
        }
    }
}

/// An attempt ended without an answer.
pub(super) fn unanswered(step: &mut Step, attempt: Attempt, why: Unanswered) {
    again(step, attempt, why.into(), None);
}

fn again(step: &mut Step, attempt: Attempt, why: Why, retry_after_seconds: Option<u64>) {
    if step
        .current_if(|save| save.in_flight() == Some(attempt))
        .is_some()
    {
        attempt::wait(step, why, retry_after_seconds);
    }
}

fn saved(step: &mut Step, attempt: Attempt, created: Created) {
    let is_open = |phase: &Phase| !matches!(phase, Phase::Recording(_) | Phase::Saved);
    let Some(save) = step.current_if(|save| save.entry.key == attempt.key && is_open(&save.phase))
    else {
        return;
    };
    let listed =
        (!save.is_replay()).then(|| SaveEffect::List(created.clone(), save.entry.request.clone()));
    let superseded = save.in_flight().filter(|in_flight| *in_flight != attempt);
    save.entry.outcome = Outcome::Saved(Link::of(&created));
    save.phase = Phase::Recording(created.clone());
    let entry = save.is_in_storage().then(|| save.entry.clone());
    step.effects.extend(superseded.map(SaveEffect::Abort));
    step.effects.extend(listed);
    match entry {
        Some(entry) => step.run(SaveEffect::Store(entry, Write::Update)),
        None => show(step, created),
    }
}

/// Hands the result over. Once one was shown here, all are, since leaving would lose it.
fn show(step: &mut Step, created: Created) {
    let Some(save) = &mut step.state.current else {
        return;
    };
    save.phase = Phase::Saved;
    let key = save.entry.key;
    step.state.shown_here |= !save.is_in_storage();
    let show_here = step.state.shown_here;
    step.run(SaveEffect::Succeeded {
        key,
        created,
        show_here,
    });
    if step.state.queue.is_empty() && !show_here {
        step.run(SaveEffect::ResultsReady);
    }
    attempt::go_on(step);
}

fn refused(step: &mut Step, attempt: Attempt, status: u16, detail: String) {
    let Some(save) = step.current_if(|save| save.in_flight() == Some(attempt)) else {
        return;
    };
    let outcome = Outcome::Refused {
        status,
        detail: detail.clone(),
    };
    save.phase = Phase::Refused { status, detail };
    // What is known to exist keeps its link, whatever a replay is told.
    if !save.is_replay() {
        save.entry.outcome = outcome;
        let entry = save.entry.clone();
        step.run(SaveEffect::Store(entry, Write::Update));
    }
    attempt::go_on(step);
}
