//! One unsettled save that this process alone works on.

use super::{durable, saves};
use crate::config::BaseUrl;
use app::save::{Entry, Kept, Record, Write};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A save's place on disk. Dropping it lets others go on with the save, if it is still there.
#[derive(Debug)]
pub(super) struct Held {
    state: PathBuf,
    name: String,
    _lock: File,
}

/// What stands in a save's file.
#[derive(Serialize)]
struct Written<'a> {
    server: String,
    save: Record<'a>,
}

/// What is read from it.
#[derive(Deserialize)]
struct Read {
    server: String,
    save: serde_json::Value,
}

/// What was found in a save's place.
pub(super) enum Found {
    Save(BaseUrl, Entry),
    /// It is settled, or was never sent.
    Nothing,
    /// Another version's, or damaged; it stays where it is.
    Unreadable(PathBuf),
}

impl Held {
    pub(super) fn new(state: &Path, name: &str, lock: File) -> Self {
        Self {
            state: state.to_owned(),
            name: name.to_owned(),
            _lock: lock,
        }
    }

    /// What is there.
    pub(super) fn read(&self) -> io::Result<Found> {
        let path = self.path();
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
            bytes => bytes?,
        };
        let read: Option<Read> = serde_json::from_slice(&bytes).ok();
        let save = read.and_then(|read| {
            let save = Record::read(&read.save.to_string())?;
            Some((read.server.parse().ok()?, save.into_entry()?))
        });
        Ok(match save {
            Some((server, entry)) => Found::Save(server, entry),
            None => Found::Unreadable(path),
        })
    }

    /// Writes a save; it is on disk before this returns. The error is for the person.
    pub(super) fn write(
        &self,
        server: &BaseUrl,
        entry: &Entry,
        write: Write,
    ) -> Result<(), (Kept, io::Error)> {
        let path = self.path();
        if write == Write::Update && !path.exists() {
            return Err((Kept::Emptied, io::ErrorKind::NotFound.into()));
        }
        let written = Written {
            server: server.to_string(),
            save: Record::of_entry(entry),
        };
        let done = serde_json::to_vec(&written)
            .map_err(io::Error::from)
            .and_then(|json| durable::write(&path, &json));
        done.map_err(|error| match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => (Kept::Full, error),
            _ => (Kept::Blocked, error),
        })
    }

    /// Removes the save and what a crash may have left beside it. The lock's file goes last.
    pub(super) fn remove(&self) {
        for extension in ["json", "tmp", "lock"] {
            // What cannot be removed brings the same link again, until 24 hours are over.
            fs::remove_file(self.path().with_extension(extension)).ok();
        }
    }

    /// Keeps the text for its owner and removes the save; says where the text is.
    pub(super) fn set_aside(&self, text: &str) -> io::Result<PathBuf> {
        let path = saves::set_aside(&self.state, &self.name, text.as_bytes())?;
        self.remove();
        Ok(path)
    }

    fn path(&self) -> PathBuf {
        saves::folder(&self.state)
            .join(&self.name)
            .with_extension("json")
    }
}
