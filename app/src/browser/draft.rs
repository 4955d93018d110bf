//! Drafts: text not yet saved, as `oncebin.draft`.
//!
//! What is typed is kept in sessionStorage, which each tab has of its own and finds again after a reload or a crash. When
//! a page is left, a copy goes to localStorage: there is one, of the page left last, and the next empty form of a tab
//! without a draft takes it. So a tab closed by mistake loses nothing, and two tabs never write over each other's.

use super::{storage, tab};
use crate::save::Record;
use crate::wire::paste::CreateRequest;
use gloo_storage::{SessionStorage, Storage};

const NAME: &str = "oncebin.draft";

/// Keeps the text of a page; false when storage is full or blocked: a draft is a comfort and no promise.
pub(crate) fn keep(page: u32, request: &CreateRequest) -> bool {
    tab::session().is_some() && SessionStorage::set(NAME, Record::of_draft(request, page)).is_ok()
}

/// The page is being left: its draft can be taken up elsewhere.
pub(crate) fn leave() {
    let own = tab::session().and_then(|session| session.get_item(NAME).ok().flatten());
    if let Some(own) = own {
        storage::set_item(NAME, &own);
    }
}

/// Takes this tab's draft over for a page, or, for an empty form, the one that was left last.
pub(crate) fn take_over(page: u32, is_empty: bool) -> Option<CreateRequest> {
    let (request, writer) = own().or_else(|| left().filter(|_| is_empty))?;
    drop_left(writer);
    keep(page, &request);
    Some(request)
}

/// Drops the draft of a page.
pub(crate) fn drop_own(page: u32) {
    if let Some(session) = tab::session() {
        // A storage that can be read can be removed from.
        let _ = session.remove_item(NAME);
    }
    drop_left(page);
}

fn own() -> Option<(CreateRequest, u32)> {
    let text = tab::session()?.get_item(NAME).ok().flatten()?;
    Record::read(&text)?.into_draft()
}

fn left() -> Option<(CreateRequest, u32)> {
    storage::read(NAME)?.into_draft()
}

/// Removes the copy that was left, if it is this page's.
fn drop_left(page: u32) {
    if left().is_some_and(|(_, writer)| writer == page) {
        storage::remove_item(NAME);
    }
}
