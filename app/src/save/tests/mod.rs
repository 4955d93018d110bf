//! The machine under test: builders, a script to drive it by hand, and a world of faults for random walks.

mod promises;
mod script;
mod table_answers;
mod table_record;
mod table_reload;
mod table_storage;
mod table_tabs;
mod table_time;
mod walk;
mod world;

use super::{Entry, Key, Reply};
use crate::wire::created::Created;
use crate::wire::paste::CreateRequest;
use std::sync::Arc;
use uuid::Uuid;

/// Noon of some day.
pub(super) const NOON_MS: u64 = 1_800_000_000_000;

pub(super) fn key(number: u32) -> Key {
    Key::new(Uuid::from_u128(
        0x0190_a5e4_7b1c_4abc_8def_0000_0000_0000 | u128::from(number),
    ))
}

pub(super) fn request(content: &str) -> Arc<CreateRequest> {
    Arc::new(CreateRequest {
        content: content.into(),
        title: None,
        syntax: None,
        expires_in: Some("30d".into()),
    })
}

pub(super) fn entry(number: u32, content: &str) -> Entry {
    Entry::new(key(number), request(content), NOON_MS)
}

pub(super) fn created(id: &str) -> Created {
    Created {
        id: id.into(),
        url: format!("https://paste.example/{id}"),
        created_at: "2026-11-30T12:00:00Z".into(),
        expires_at: "2026-12-30T12:00:00Z".into(),
        size: 1,
        sha256: "00".repeat(32),
        delete_token: "once_abcdefghijklmnopqrstuvwxyz".into(),
    }
}

pub(super) fn created_reply(created: &Created) -> Reply {
    Reply {
        body: serde_json::to_string(created).unwrap(),
        ..reply(201)
    }
}

pub(super) fn reply(status: u16) -> Reply {
    Reply {
        status,
        retry_after_seconds: None,
        body: String::new(),
    }
}
