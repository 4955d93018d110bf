//! One integration binary: the real service on real files, asked over real sockets.
//!
//! Run one test alone with `cargo test --workspace --test it NAME`.

mod abuse;
mod concurrency;
mod crash;
mod create_body;
mod create_content;
mod create_key;
mod create_replay;
mod deadlines;
mod early_answer;
mod expiry;
mod hang_up;
mod harness;
mod memory;
mod secrets;
mod slots;
mod sqlite_store;
mod stop;
mod store_conformance;
mod store_shard;
mod tidy;
