//! Drafts: text not yet saved.
//!
//! What is typed is kept in sessionStorage as `oncebin.draft`, which each tab has of its own and finds again after a reload
//! or a crash. Copies go to localStorage, one a page, so that two tabs never write over each other's: as
//! `oncebin.draft.{page}` when a page is left, which the next empty form of a tab without a draft takes; and as
//! `oncebin.hidden.{page}` while it is hidden, since a phone ends hidden pages without a word. Whether such a page is still
//! alive nobody can tell, so that copy is offered, never taken.

use super::{clock, storage, tab};
use crate::save::Record;
use crate::wire::paste::CreateRequest;

const OWN: &str = "oncebin.draft";
const LEFT: &str = "oncebin.draft.";
const HIDDEN: &str = "oncebin.hidden.";

/// Keeps the text of a page; false when storage is full or blocked: a draft is a comfort and no promise.
pub(crate) fn keep(page: u32, request: &CreateRequest) -> bool {
    let record = Record::of_draft(request, page, clock::now_ms());
    tab::session().is_some_and(|session| storage::put(&session, OWN, &record))
}

/// The page is being left: its draft can be taken up elsewhere.
pub(crate) fn leave(page: u32) {
    // The copy that is not needed goes first: there may be no room for both.
    storage::remove_item(&name(HIDDEN, page));
    copy_own(LEFT, page);
}

/// The page is hidden, and may be ended so.
pub(crate) fn hide(page: u32) {
    copy_own(HIDDEN, page);
}

/// This tab's draft and the page that wrote it.
pub(crate) fn own() -> Option<(CreateRequest, u32)> {
    Record::read(&own_text()?)?.into_draft()
}

/// The draft that was typed last among those of pages that were left.
pub(crate) fn left() -> Option<(CreateRequest, u32)> {
    newest(LEFT)
}

/// The draft that was typed last among those of hidden pages.
pub(crate) fn hidden() -> Option<(CreateRequest, u32)> {
    newest(HIDDEN)
}

/// Makes the draft that `writer` wrote the one of `page`.
pub(crate) fn take_over(page: u32, request: &CreateRequest, writer: u32) {
    if keep(page, request) {
        drop_copies(writer);
    }
}

/// Keeps a text for the next empty form; false when there is no room.
pub(crate) fn park(request: &CreateRequest) -> bool {
    let page = clock::random();
    let record = Record::of_draft(request, page, clock::now_ms());
    storage::keep(&name(LEFT, page), &record)
}

/// Leaves this tab's draft to the next empty form, if there is room.
pub(crate) fn set_aside() {
    if let Some((_, writer)) = own().filter(|(request, _)| park(request)) {
        drop_own(writer);
    }
}

/// Drops the draft of a page.
pub(crate) fn drop_own(page: u32) {
    if let Some(session) = tab::session() {
        // A storage that can be read can be removed from.
        let _ = session.remove_item(OWN);
    }
    drop_copies(page);
}

fn name(kind: &str, page: u32) -> String {
    storage::name(kind, &page.to_string())
}

fn own_text() -> Option<String> {
    tab::session()?.get_item(OWN).ok().flatten()
}

fn copy_own(kind: &str, page: u32) {
    if let Some(own) = own_text() {
        storage::set_item(&name(kind, page), &own);
    }
}

fn newest(kind: &str) -> Option<(CreateRequest, u32)> {
    // By its name: records are large, and to move them about would be a good deal of the client.
    let mut newest = (None, String::new());
    for name in storage::names(kind) {
        let written_ms = storage::read(&name).and_then(|record| record.seen_ms());
        if written_ms >= newest.0 {
            newest = (written_ms, name);
        }
    }
    storage::read(&newest.1)?.into_draft()
}

/// Drops what others could take up of a page's draft.
pub(crate) fn drop_copies(page: u32) {
    for kind in [LEFT, HIDDEN] {
        storage::remove_item(&name(kind, page));
    }
}
