//! What the person who saved a paste can do with its token besides copying it: delete the paste, keep the token.

use super::card::Card;
use super::messages;
use crate::browser::{dom, field, request, storage};
use crate::wire::created::Created;
use std::cell::Cell;
use std::rc::Rc;

/// Offers to delete the paste at `api`, and calls `forget` when it is gone.
pub(super) fn offer_delete(card: &Card, api: &str, created: &Created, forget: Rc<dyn Fn()>) {
    let address = [api, "/", &created.id].concat();
    let (id, token) = (created.id.clone(), created.delete_token.clone());
    card.show("delete", true);
    let pressed = card.clone();
    let is_busy: Rc<Cell<bool>> = Rc::default();
    card.offer("delete-now", move || {
        // A second request would be told that the paste was gone already.
        if is_busy.replace(true) {
            return;
        }
        let (card, id, forget) = (pressed.clone(), id.clone(), forget.clone());
        let is_over = is_busy.clone();
        card.say("deleting", messages::DELETING);
        request::delete(address.clone(), token.clone(), move |status| {
            let words = match status {
                Some(204) => messages::DELETED,
                Some(404) => messages::GONE,
                _ => {
                    is_over.set(false);
                    return card.say("refused", messages::NOT_DELETED);
                }
            };
            forget();
            storage::unlist(&id);
            card.hide_secret();
            card.hide_link();
            card.say("deleted", words);
        });
    });
}

/// Offers to keep the token on the list of this browser. Ticked is only what the person ticked, and a reload keeps.
pub(super) fn offer_keeping(card: &Card, created: &Created, title: Option<&str>) {
    let Some(checkbox) = card.part("keep-token") else {
        return;
    };
    field::tick(&checkbox, storage::keeps_token(&created.id));
    let (created, title) = (created.clone(), title.map(str::to_owned));
    let list = move |keep| storage::list(&created, title.as_deref(), keep);
    card.show("keep", true);
    let ticked = checkbox.clone();
    dom::on(&checkbox, "change", move |_| {
        let keep = field::is_ticked(&ticked);
        field::tick(&ticked, list(keep) && keep);
    });
}

/// What has left this browser with an acknowledged result.
pub(super) fn acknowledged(card: &Card) -> &'static str {
    let kept = card
        .part("keep-token")
        .is_some_and(|checkbox| field::is_ticked(&checkbox));
    if kept {
        messages::ACKNOWLEDGED_KEPT
    } else {
        messages::ACKNOWLEDGED
    }
}
