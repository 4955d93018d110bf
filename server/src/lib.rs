//! oncebin: a pastebin where one save is one paste. This crate is the service and its command line.
//!
//! Arrows (may import): `main → service → http → {pastes, render}`, `pastes → {shard, blob, cache}`, `shard → store`,
//! `service → workers → {shard, blob, cdn}`; everyone may import `app::wire` and `metrics`, and `http` alone
//! `app::pages`. Never the other way; `tests/it/tidy.rs` checks them.

/// The client's files, embedded.
pub mod assets;
/// The object store behind one type.
pub mod blob;
pub mod cache;
/// The CDN's purges.
pub mod cdn;
/// The commands beside `serve`.
pub mod cli;
/// The clock of an embedded shard.
pub mod clock;
/// Settings from flags and environment.
pub mod config;
/// Routes, handlers, errors to status.
pub mod http;
mod jitter;
/// Markdown to safe HTML.
pub mod markdown;
/// What the service counts of itself.
pub mod metrics;
/// The use cases: create, read, delete.
pub mod pastes;
mod private_folder;
/// QR codes.
pub mod qr;
/// Colours for texts.
pub mod render;
/// The composition root.
pub mod service;
/// The slot map and the way to a shard.
pub mod shard;
/// The databases.
pub mod store;
/// Logs.
pub mod telemetry;
/// What goes on beside the requests.
pub mod workers;
