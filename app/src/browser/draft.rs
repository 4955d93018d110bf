//! The draft: text not yet saved, `oncebin.draft` in localStorage.

use super::storage;
use crate::save::Record;
use crate::wire::paste::CreateRequest;

const NAME: &str = "oncebin.draft";

/// Keeps the text of a page. There is one draft: the last page that wrote has it.
pub(crate) fn keep(page: u32, request: &CreateRequest) {
    // Full or blocked: a draft is a comfort and no promise.
    storage::keep(NAME, &Record::of_draft(request, page));
}

/// Takes the draft over for this page.
pub(crate) fn take_over(page: u32) -> Option<CreateRequest> {
    let (request, _) = storage::read(NAME)?.into_draft()?;
    keep(page, &request);
    Some(request)
}

/// Drops the draft, unless another page has written it since.
pub(crate) fn drop_own(page: u32) {
    let draft = storage::read(NAME).and_then(Record::into_draft);
    if draft.is_some_and(|(_, writer)| writer == page) {
        storage::remove_item(NAME);
    }
}
