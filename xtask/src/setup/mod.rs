//! What the build needs and a fresh machine lacks: the Rust target, Debian, npm and PyPI packages.
//!
//! Every function looks first and does nothing when its thing is there.

pub(crate) mod debian;
pub(crate) mod npm;
pub(crate) mod pypi;
pub(crate) mod rust;
