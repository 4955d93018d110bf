//! The islands: what becomes alive in the browser on an otherwise finished page.
//!
//! Each island wraps HTML the server has rendered whole and gives it behaviour; none renders text of a paste, and none
//! carries any in its props. Islands are flat: none stands in another. They decide nothing about a save, which is the
//! save machine's, and touch the browser through `browser` only.

pub mod save_form;
pub mod saved;

#[cfg(feature = "hydrate")]
mod card;
#[cfg(feature = "hydrate")]
mod copying;
#[cfg(feature = "hydrate")]
mod drafting;
#[cfg(feature = "hydrate")]
mod driver;
#[cfg(feature = "hydrate")]
mod editor;
#[cfg(feature = "hydrate")]
mod files;
#[cfg(feature = "hydrate")]
mod finishing;
#[cfg(feature = "hydrate")]
mod form;
#[cfg(feature = "hydrate")]
mod owning;
#[cfg(feature = "hydrate")]
mod results;
#[cfg(feature = "hydrate")]
mod resuming;
#[cfg(feature = "hydrate")]
mod stopping;
#[cfg(feature = "hydrate")]
mod telling;
#[cfg(feature = "hydrate")]
mod typing;

#[cfg(any(feature = "hydrate", test))]
mod line_ends;
#[cfg(any(feature = "hydrate", test))]
mod messages;
#[cfg(feature = "ssr")]
mod parts;
