//! The pages: pure functions from a value to a complete HTML document.
//!
//! Equal input gives equal bytes: no clock, no randomness, no nonce. The pages know no database, no HTTP server
//! and no browser. They carry no script and no style of their own, so the content security policy can forbid both.
//!
//! Leptos 0.8.23 escapes children and attributes with these exceptions, which the callers here mind:
//! children of `<textarea>` and `<noscript>` and anything given as `inner_html` come out as they are; an empty
//! string comes out as a blank; between two neighbouring strings stands a `<!>`.

mod delete;
mod document;
mod expiries;
mod form;
mod marked;
mod paste;
mod problem;
mod reference;
mod result;
mod saved;
mod site;
mod text;
mod words;

#[cfg(test)]
mod tests;

pub use delete::deleted;
pub use form::{FormValues, form};
pub use paste::paste;
pub use problem::problem;
pub use reference::{Answer, Call, Field, Group, Reference, Sample, Shape, reference};
pub use result::result;
pub use saved::saved;
pub use site::{AssetNames, ClientNames, Site};
