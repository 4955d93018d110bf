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
    let Some(save) = step.state.of_key(key) else {
        return;
    };
    // What cannot be written over is still there, and brings the same result.
    let stays = kept == Kept::Full && save.is_in_storage();
    let is_first = kept == Kept::Stored && save.kept != Some(kept) && save.source.pressed;
    save.kept = Some(if stays { Kept::Stored } else { kept });
    if is_first {
        let draft = SaveEffect::DropDraft(save.entry.request.clone());
        step.run(draft);
    }
    let Some(save) = step.current_if(|save| save.entry.key == key) else {
        return;
    };
    let is_wanted = save.source.pressed || save.source.in_editor;
    match (&save.phase, kept) {
        (Phase::Storing | Phase::Waiting { .. }, Kept::Gone) => attempt::settle(step),
        (Phase::Storing, Kept::Emptied) if !is_wanted => attempt::next(step),
        (Phase::Storing, _) => attempt::send(step),
        (Phase::Recording { .. }, _) => show(step),
        _ => {}
    }
}

/// Another tab has ended the save, and storage tells how.
pub(super) fn known(step: &mut Step, key: Key, outcome: &Outcome) {
    let Some(save) = step.state.of_key(key) else {
        return;
    };
    save.kept = Some(Kept::Stored);
    let was_known = save.is_replay();
    if save.entry.outcome.yields_to(outcome) {
        save.entry.outcome = outcome.clone();
    }
    if let Phase::Recording { is_news, .. } = &mut save.phase {
        *is_news = false;
    }
    let Some(save) = step.current_if(|save| save.entry.key == key) else {
        return;
    };
    match (&save.phase, outcome) {
        (Phase::Recording { .. }, _) => show(step),
        (Phase::Storing | Phase::Waiting { .. }, Outcome::Refused { status, detail }) => {
            let (status, detail) = (*status, detail.clone());
            step.set_phase(Phase::Refused { status, detail });
            attempt::go_on(step);
        }
        // Another tab has only marked it as shown.
        (Phase::Waiting { .. }, Outcome::Saved(_)) if was_known => {}
        // Sending it again brings the stored 201.
        (Phase::Storing | Phase::Waiting { .. }, Outcome::Saved(_)) => attempt::send(step),
        (Phase::Refused { .. } | Phase::Stale, Outcome::Saved(_)) => attempt::settle(step),
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
            let why = match status {
                // Its answer broke off: nobody knows more than of one that was lost.
                201 => Why::Network,
                _ => Why::Status(status),
            };
            again(step, attempt, why, retry_after_seconds);
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
    let is_open = |phase: &Phase| !matches!(phase, Phase::Recording { .. } | Phase::Saved);
    let Some(save) = step.current_if(|save| save.entry.key == attempt.key && is_open(&save.phase))
    else {
        return;
    };
    // What was settled in another tab may have been deleted there since.
    let is_news = !save.is_replay() && save.kept != Some(Kept::Gone);
    let superseded = save.in_flight().filter(|in_flight| *in_flight != attempt);
    save.entry.outcome = Outcome::Saved(Link::of(&created));
    save.phase = Phase::Recording { created, is_news };
    let entry = save.is_in_storage().then(|| save.entry.clone());
    step.effects.extend(superseded.map(SaveEffect::Abort));
    match entry {
        Some(entry) => step.run(SaveEffect::Store(entry, Write::Update)),
        None => show(step),
    }
}

/// Hands the result over. Once one was shown here, all are, since leaving would lose it.
fn show(step: &mut Step) {
    let Some(save) = &mut step.state.current else {
        return;
    };
    let Phase::Recording { created, is_news } = std::mem::replace(&mut save.phase, Phase::Saved)
    else {
        return;
    };
    let (key, request) = (save.entry.key, save.entry.request.clone());
    let kept = save.kept.unwrap_or(Kept::Stored);
    let is_stored = save.is_in_storage();
    if is_news && kept != Kept::Gone {
        step.run(SaveEffect::List(created.clone(), request.clone()));
    }
    if !is_stored {
        step.run(SaveEffect::DropDraft(request.clone()));
    }
    step.state.shown_here |= !is_stored;
    let show_here = step.state.shown_here.then_some(kept);
    step.run(SaveEffect::Succeeded {
        key,
        created,
        request,
        show_here,
    });
    if step.state.queue.is_empty() && show_here.is_none() {
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
