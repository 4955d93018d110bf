//! What browser, command line and server of oncebin share, and the WASM client itself.
//!
//! This crate must not know the server: no axum, no database, no object store.

/// What crosses the network: ids and slots, the create request and its 201, problems, limits.
pub mod wire;

/// The save machine: a pure function from a state and an event to a state and effects.
pub mod save;
