//! The browser, as far as the client needs it: the only files that touch `web_sys` and `gloo`.
//!
//! These functions perform and report; they decide nothing and know no save machine state. None of them panics when
//! the browser lacks or forbids something.

pub(crate) mod clipboard;
pub(crate) mod clock;
pub(crate) mod dom;
pub(crate) mod draft;
pub(crate) mod elsewhere;
pub(crate) mod field;
pub(crate) mod file;
pub(crate) mod lock;
pub(crate) mod page;
pub(crate) mod request;
pub(crate) mod storage;
pub(crate) mod tab;
pub(crate) mod timer;
