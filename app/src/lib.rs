//! What browser, command line and server of oncebin share, and the WASM client itself.
//!
//! This crate must not know the server: no axum, no database, no object store.

/// What crosses the network: ids and slots, the create request and its 201, problems, limits.
pub mod wire;

/// A paste's text on its way to a page: lines, limits, colours.
#[cfg(feature = "ssr")]
pub mod text;

/// The save machine: a pure function from a state and an event to a state and effects.
pub mod save;

/// The browser, for the islands.
#[cfg(feature = "hydrate")]
mod browser;

/// The islands of the pages.
#[cfg(any(feature = "ssr", feature = "hydrate"))]
pub mod components;

/// The pages: pure functions from a value to a complete HTML document.
#[cfg(feature = "ssr")]
pub mod pages;

/// Wakes the copy buttons and makes ready for the islands, which the loader then wakes one by one.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    components::copying::enliven();
    leptos::mount::hydrate_islands();
}
