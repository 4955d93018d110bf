//! The delete tokens of saved pastes, in the state folder: `tokens/ID`, for their owner alone.

use super::durable::{self, make_folder};
use crate::config::BaseUrl;
use app::wire::created::Created;
use app::wire::id::PasteId;
use app::wire::token::DeleteToken;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How long a token outlives its paste here, in case this clock is ahead.
const SPARE: SignedDuration = SignedDuration::from_hours(24);

/// What stands in a token's file.
#[derive(Serialize, Deserialize)]
struct Record {
    server: String,
    url: String,
    expires_at: String,
    delete_token: String,
}

/// A token, and the only places it is sent to.
#[derive(Debug)]
pub(super) struct KeptToken {
    pub(super) token: DeleteToken,
    /// Where the paste was saved.
    pub(super) server: BaseUrl,
    /// How that service writes its own address.
    public: Option<BaseUrl>,
}

impl KeptToken {
    /// Whether the token is this service's, so that it may be told.
    pub(super) fn belongs_to(&self, server: &BaseUrl) -> bool {
        self.server == *server || self.public.as_ref() == Some(server)
    }
}

/// Keeps the token of a new paste; it is on disk before this returns. Those of pastes long expired go.
pub(super) fn keep(state: &Path, server: &BaseUrl, created: &Created) -> io::Result<()> {
    make_folder(&folder(state))?;
    let record = Record {
        server: server.to_string(),
        url: created.url.clone(),
        expires_at: created.expires_at.clone(),
        delete_token: created.delete_token.clone(),
    };
    // The id names a file: only one that is an id may.
    let id: PasteId = created.id.parse().map_err(|_| io::ErrorKind::InvalidData)?;
    durable::write(&path(state, id), &serde_json::to_vec(&record)?)?;
    forget_expired(state);
    Ok(())
}

/// The token of a paste, if it was saved from here.
pub(super) fn find(state: &Path, id: PasteId) -> Option<KeptToken> {
    let record = read(&path(state, id))?;
    let above = record.url.strip_suffix(id.as_str());
    Some(KeptToken {
        token: record.delete_token.parse().ok()?,
        server: record.server.parse().ok()?,
        public: above.and_then(|above| above.parse().ok()),
    })
}

/// Forgets the token of a paste that is gone.
pub(super) fn forget(state: &Path, id: PasteId) {
    // A token without its paste does nothing.
    fs::remove_file(path(state, id)).ok();
}

fn forget_expired(state: &Path) {
    let now = Timestamp::now();
    let entries = fs::read_dir(folder(state)).into_iter().flatten();
    for path in entries.flatten().map(|entry| entry.path()) {
        let expires_at = read(&path).and_then(|record| record.expires_at.parse().ok());
        if expires_at.is_some_and(|at: Timestamp| now.duration_since(at) > SPARE) {
            fs::remove_file(path).ok();
        }
    }
}

fn read(path: &Path) -> Option<Record> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

fn path(state: &Path, id: PasteId) -> PathBuf {
    folder(state).join(id.as_str())
}

fn folder(state: &Path) -> PathBuf {
    state.join("tokens")
}
