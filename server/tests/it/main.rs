//! One integration binary: the real service on real files, asked over real sockets.
//!
//! Run one test alone with `cargo test --workspace --test it NAME`.

// Clippy takes only functions marked `#[test]` for tests; here everything is one.
#![allow(clippy::panic, clippy::unwrap_used)]

mod abuse;
mod arrows;
mod assets;
mod base_path;
mod blast_radius;
mod blob_conformance;
mod blob_local;
mod blob_s3;
mod command_line;
mod concurrency;
mod crash;
mod create_body;
mod create_content;
mod create_json;
mod create_key;
mod create_options;
mod create_replay;
mod deadlines;
mod delete;
mod deployed;
mod early_answer;
mod expiry;
mod form;
mod form_refused;
mod hang_up;
mod harness;
mod headers;
mod markdown_tab;
mod memory;
mod not_found;
mod origin_cache;
mod postgres_answers;
mod postgres_backup;
mod postgres_cancel;
mod postgres_commit;
mod postgres_config;
mod postgres_errors;
mod postgres_explain;
mod postgres_failover;
mod postgres_faults;
mod postgres_leader;
mod postgres_log;
mod postgres_move;
mod postgres_slots;
mod postgres_store;
mod postgres_unreachable;
mod problems;
mod qr_code;
mod rate;
mod read_page;
mod read_raw;
mod secrets;
mod slots;
mod sqlite_store;
mod stop;
mod store_conformance;
mod store_shard;
mod tidy;
mod two_servers;
mod unavailable;
mod use_as_new;
