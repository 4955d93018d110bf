//! The draft: text not yet saved, `oncebin.draft` in localStorage.

use super::storage::{raw, remove_item};
use crate::wire::paste::CreateRequest;
use gloo_storage::{LocalStorage, Storage};
use serde::{Deserialize, Serialize};

const NAME: &str = "oncebin.draft";
const VERSION: u8 = 1;

/// The draft with the page that wrote it.
#[derive(Serialize, Deserialize)]
struct Draft<R> {
    v: u8,
    page: u32,
    request: R,
}

fn read() -> Option<Draft<CreateRequest>> {
    raw()?;
    let draft: Draft<CreateRequest> = LocalStorage::get(NAME).ok()?;
    (draft.v == VERSION).then_some(draft)
}

/// Keeps the text of a page. There is one draft: the last page that wrote has it.
pub(crate) fn keep(page: u32, request: &CreateRequest) {
    if raw().is_some() {
        // Full or blocked: a draft is a comfort and no promise.
        let _ = LocalStorage::set(
            NAME,
            Draft {
                v: VERSION,
                page,
                request,
            },
        );
    }
}

/// Takes the draft over for this page.
pub(crate) fn take_over(page: u32) -> Option<CreateRequest> {
    let draft = read()?;
    keep(page, &draft.request);
    Some(draft.request)
}

/// Drops the draft, unless another page has written it since.
pub(crate) fn drop_own(page: u32) {
    if read().is_some_and(|draft| draft.page == page) {
        remove_item(NAME);
    }
}
