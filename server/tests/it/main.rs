//! One integration binary: the real service on real files, asked over real sockets.
//!
//! Run one test alone with `cargo test --workspace --test it NAME`.

mod create_replay;
mod harness;
