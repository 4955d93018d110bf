//! The CDN as the relay sees it: something that forgets its copies of pastes when it is asked to.
//!
//! What is asked, and how, is the operator's [`Template`]. Nothing here knows rows or shards. A credential is in
//! requests and nowhere else.

mod answer;
mod pieces;
mod purger;
mod template;

pub use purger::{PurgeError, Purger};
pub use template::{Template, TemplateError};
